//! Surfaces to bodies of a given number of tets: what is told where it is not met, where the body breaks, and why.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod conversion_support;

use conversion_support::{codes, cube_obj, obj, run};
use webgpu_softbody::diagnosis::DoctorOptions;
use webgpu_softbody::meshing::Resolution;

#[test]
fn a_number_of_tets_that_is_not_met_far_from_the_origin_is_told() {
    let cube = String::from_utf8(cube_obj(1.0, 0)).unwrap();
    let far = cube.replace("v 0", "v 400").replace("v 1", "v 401");
    let options = DoctorOptions::default();
    let found = run(&obj(far.as_bytes()), None, options).unwrap();
    assert!(found.tets.len() < 4000);
    assert!(found.notes.iter().any(|note| note.contains("`center`")));
    let centred = DoctorOptions {
        center: true,
        ..options
    };
    let found = run(&obj(far.as_bytes()), None, centred).unwrap();
    assert!(found.tets.len() > 4500 && found.notes.is_empty());
}

/// Two cubes and a bar of this half width between them, as one closed surface. The bar is out of the middle, where it
/// would run through points of the lattice.
fn dumbbell(half: f32) -> Vec<u8> {
    let mut text = String::new();
    for (x, w) in [
        (0.0, 0.5),
        (1.0, 0.5),
        (1.2, half),
        (2.8, half),
        (3.0, 0.5),
        (4.0, 0.5),
    ] {
        for (y, z) in [(-w, -w), (w, -w), (w, w), (-w, w)] {
            let off = 0.113 * (0.5 - w);
            text.push_str(&format!("v {x} {} {}\n", y + off, z + 0.8 * off));
        }
    }
    for station in 0..5 {
        for side in 0..4 {
            let (a, b) = (4 * station + side + 1, 4 * station + (side + 1) % 4 + 1);
            text.push_str(&format!("f {a} {b} {} {}\n", b + 4, a + 4));
        }
    }
    text.push_str("f 4 3 2 1\nf 21 22 23 24\n");
    text.into_bytes()
}

#[test]
fn a_bar_too_thin_for_the_cells_breaks_and_the_finding_says_what_helps() {
    let fill = |half| {
        run(
            &obj(&dumbbell(half)),
            Some(Resolution::CellSize(0.15)),
            DoctorOptions::default(),
        )
        .expect("fills")
    };
    let broken = fill(0.005);
    assert_eq!(codes(&broken), [("multiple-components", false)]);
    let message = &broken.report.findings[0].message;
    assert!(
        message.contains("The surface has 1: smaller cells"),
        "{message}"
    );
    let whole = fill(0.3);
    assert_eq!((codes(&whole), whole.report.components), (vec![], 1));
}

#[test]
fn a_number_of_tets_that_was_missed_is_told() {
    let fill = |tets| {
        run(
            &obj(&cube_obj(1.0, 0)),
            Some(Resolution::Tets(tets)),
            DoctorOptions::default(),
        )
        .expect("fills")
    };
    let coarse = fill(1);
    let [note] = &coarse.notes[..] else {
        panic!("{:?}", coarse.notes);
    };
    let told = format!("1 tets were asked for and {} made", coarse.report.tets);
    assert!(note.starts_with(&told), "{note}");
    assert_eq!(fill(5000).notes, Vec::<String>::new());
}

#[test]
fn a_surface_too_far_away_for_its_cells_is_told_how_to_come_nearer() {
    let text = String::from_utf8(cube_obj(1.0, 0)).expect("is text");
    let far = text.replace("v ", "v 2000").into_bytes();
    let fill = |center| {
        run(
            &obj(&far),
            None,
            DoctorOptions {
                center,
                ..DoctorOptions::default()
            },
        )
    };
    let message = fill(false).expect_err("is too far").to_string();
    assert!(message.contains("`center` moves it"), "{message}");
    assert!(fill(true).is_ok());
}

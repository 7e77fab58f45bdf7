//! Hostile input: arbitrary bytes and damaged samples are refused or read, but never crash, hang or swell.
//! `PROPTEST_CASES` sets how long this goes on.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_surface_support;

use std::time::{Duration, Instant};

use import_surface_support::{SAMPLES, sample};
use proptest::prelude::*;
use webgpu_softbody::import::surface::{read, recognise};
use webgpu_softbody::import::{Content, NamedFile};

/// Far more than any case takes, far less than a hang.
const PATIENCE: Duration = Duration::from_secs(10);

/// Reads a file with the companions of the samples beside it; whether it was taken for a surface and read.
fn survives(name: &str, bytes: &[u8]) -> (bool, bool) {
    let (png, mtl, bin) = (
        sample("checker.png"),
        sample("cube.mtl"),
        sample("picture.bin"),
    );
    let files = [
        NamedFile { name, bytes },
        NamedFile {
            name: "checker.png",
            bytes: &png,
        },
        NamedFile {
            name: "cube.mtl",
            bytes: &mtl,
        },
        NamedFile {
            name: "picture.bin",
            bytes: &bin,
        },
    ];
    let start = Instant::now();
    let recognised = recognise(&files).is_some();
    let result = read(&files, 0);
    assert!(
        start.elapsed() < PATIENCE,
        "{:?} for {} bytes",
        start.elapsed(),
        bytes.len()
    );
    match result {
        Ok(imported) => {
            let Content::Surface(surface) = imported.content else {
                panic!("a surface reader gave tets");
            };
            let elements = surface.positions().len() + surface.triangles().len();
            assert!(
                elements <= 1_000_000 + 4 * bytes.len(),
                "{elements} of {}",
                bytes.len()
            );
            assert!(
                surface
                    .look()
                    .normals
                    .iter()
                    .flatten()
                    .all(|x| x.is_finite())
                    && surface.look().uvs.iter().flatten().all(|x| x.is_finite())
                    && surface
                        .look()
                        .colors
                        .iter()
                        .flatten()
                        .all(|x| x.is_finite())
            );
            (recognised, true)
        }
        Err(error) => {
            assert!(error.to_string().len() < 2000, "{error}");
            (recognised, false)
        }
    }
}

/// Numbers at which counts, offsets and floats break.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1",
    "2",
    "255",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "1e308",
    "-1e39",
    "0.5",
    "NaN",
    "\"a\"",
];

#[derive(Debug, Clone)]
enum Damage {
    Set(prop::sample::Index, u8),
    Flip(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Remove(prop::sample::Index, usize),
    Repeat(prop::sample::Index, usize, usize),
    /// Puts another number in the place of one that is written out.
    Number(prop::sample::Index, usize),
    /// Sets four bytes to a number, as binary counts are.
    Word(prop::sample::Index, u32),
    Splice(prop::sample::Index, prop::sample::Index, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        1 => (at(), any::<u8>()).prop_map(|(a, b)| Damage::Set(a, b)),
        1 => (at(), 0..8u8).prop_map(|(a, b)| Damage::Flip(a, b)),
        1 => at().prop_map(Damage::Cut),
        1 => (at(), 1..20usize).prop_map(|(a, n)| Damage::Remove(a, n)),
        1 => (at(), 1..30usize, 1..40usize).prop_map(|(a, n, m)| Damage::Repeat(a, n, m)),
        5 => (at(), 0..NUMBERS.len()).prop_map(|(a, n)| Damage::Number(a, n)),
        2 => (at(), prop_oneof![Just(u32::MAX), Just(0), Just(0x7fc0_0000), any::<u32>()])
            .prop_map(|(a, n)| Damage::Word(a, n)),
        1 => (at(), at(), 0..SAMPLES.len()).prop_map(|(a, b, n)| Damage::Splice(a, b, n)),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    if bytes.is_empty() {
        return;
    }
    match damage {
        Damage::Set(at, value) => {
            let at = at.index(bytes.len());
            bytes[at] = *value;
        }
        Damage::Flip(at, bit) => {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        Damage::Cut(at) => bytes.truncate(at.index(bytes.len())),
        Damage::Remove(at, count) => {
            let at = at.index(bytes.len());
            let end = (at + count).min(bytes.len());
            bytes.drain(at..end);
        }
        Damage::Repeat(at, count, times) => {
            let at = at.index(bytes.len());
            let end = (at + count).min(bytes.len());
            let part = bytes[at..end].repeat(*times);
            bytes.splice(at..at, part);
        }
        Damage::Number(at, number) => {
            let digit = |b: &u8| b.is_ascii_digit() || matches!(b, b'-' | b'.');
            let starts: Vec<usize> = (0..bytes.len())
                .filter(|&n| digit(&bytes[n]) && (n == 0 || !digit(&bytes[n - 1])))
                .collect();
            if !starts.is_empty() {
                let start = starts[at.index(starts.len())];
                let length = bytes[start..].iter().take_while(|b| digit(b)).count();
                bytes.splice(start..start + length, NUMBERS[*number].bytes());
            }
        }
        Damage::Word(at, value) => {
            let at = at.index(bytes.len());
            for (b, v) in bytes[at..].iter_mut().zip(value.to_le_bytes()) {
                *b = v;
            }
        }
        Damage::Splice(at, from, other) => {
            let other = sample(SAMPLES[*other]);
            bytes.truncate(at.index(bytes.len()));
            bytes.extend_from_slice(&other[from.index(other.len())..]);
        }
    }
}

/// A GLB's lengths made to agree with the file, so that damage reaches what they contain.
fn mend(bytes: &mut [u8]) {
    if bytes.len() >= 12 && bytes.starts_with(b"glTF") {
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
    }
}

#[test]
fn the_samples_themselves_are_read() {
    for name in &SAMPLES[..9] {
        assert_eq!(survives(name, &sample(name)), (true, true), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_samples(damages in prop::collection::vec(damage(), 1..4)) {
        for name in SAMPLES {
            let mut bytes = sample(name);
            for damage in &damages {
                apply(&mut bytes, damage);
            }
            survives(name, &bytes);
            mend(&mut bytes);
            survives(name, &bytes);
        }
    }

    #[test]
    fn arbitrary_bytes(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        start in prop::sample::select(vec![
            "", "solid\n", "ply\nformat ascii 1.0\n", "ply\nformat binary_little_endian 1.0\nelement vertex 9\nproperty float x\n",
            "glTF\u{2}\0\0\0", "{\"asset\":{\"version\":\"2.0\"},\"meshes\":", "v 0 0 0\nf ",
        ]),
        name in prop::sample::select(vec!["", "a.stl", "a.ply", "a.obj", "a.glb", "a.gltf"]),
    ) {
        let whole = [start.as_bytes(), &bytes].concat();
        survives(name, &whole);
    }

    #[test]
    fn words_of_the_text_formats_in_any_order(
        words in prop::collection::vec(prop::sample::select(vec![
            "solid", "facet", "normal", "outer", "loop", "vertex", "endloop", "endfacet", "endsolid", "\n", "\n", "\\\n",
            "v", "vt", "vn", "f", "usemtl", "mtllib", "l", "1", "2", "-1", "0.5", "1/1/1", "-1//-1", "1e39", "nan",
            "ply\n", "format", "ascii", "binary_big_endian", "1.0\n", "element", "face", "property", "list", "uchar",
            "float", "double", "int", "x\n", "y\n", "z\n", "vertex_indices\n", "end_header\n", "3", "tristrips", "#", "cube.mtl",
        ]), 0..120),
        start in prop::sample::select(vec!["ply\nformat ascii 1.0\n", "solid\nfacet ", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"]),
        name in prop::sample::select(vec!["a.stl", "a.ply", "a.obj"]),
    ) {
        survives(name, format!("{start}{}", words.join(" ")).as_bytes());
    }
}

#[test]
fn long_polygons_take_no_longer_than_their_file() {
    // A star of 60,000 corners in one face would be 10^10 comparisons.
    let mut text = String::new();
    for n in 0..60_000 {
        let angle = n as f64 * 1e-4;
        let radius = if n % 2 == 0 { 1.0 } else { 2.0 };
        text += &format!("v {} {} 0\n", radius * angle.cos(), radius * angle.sin());
    }
    text += "f";
    for n in 1..=60_000 {
        text += &format!(" {n}");
    }
    assert_eq!(survives("a.obj", text.as_bytes()), (true, true));
    // Many of a size that is clipped.
    let mut text: String = text
        .lines()
        .take(1000)
        .map(|line| format!("{line}\n"))
        .collect();
    for _ in 0..600 {
        text += "f";
        for n in 1..=1000 {
            text += &format!(" {n}");
        }
        text += "\n";
    }
    assert_eq!(survives("a.obj", text.as_bytes()), (true, true));
}

#[test]
fn deep_and_wide_scenes_do_not_recurse() {
    let count = 50_000;
    let nodes: Vec<String> = (1..count)
        .map(|child| format!("{{\"children\":[{child}]}}"))
        .chain(["{\"mesh\":0}".to_owned()])
        .collect();
    let chain = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}}}}]}}],\
         \"accessors\":[{{\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}}]}}",
        nodes.join(",")
    );
    assert_eq!(survives("a.gltf", chain.as_bytes()), (true, true));
}

//! The energy of cloth that is stretched, sheared or bent is that of the sheet at every resolution.
#![cfg(not(target_arch = "wasm32"))]

mod cloth_support;

use cloth_support::{Point, distance, equilateral, irregular, made, points, sphere, tube};
use webgpu_softbody::cloth::{ClothElements, ClothMesh, MODULUS_FACTOR, NO_VERTEX};

/// Energy of the springs of one kind per unit of stiffness, J, of those whose middle at rest the window holds.
fn spring_energy(
    elements: &ClothElements,
    rest: &[Point],
    now: &[Point],
    shear: bool,
    window: &dyn Fn(Point) -> bool,
) -> f64 {
    elements
        .edges
        .iter()
        .filter(|edge| edge.shear == shear)
        .map(|edge| {
            let [a, b] = edge.vertices.map(|v| v as usize);
            let middle = [0, 1, 2].map(|i| 0.5 * (rest[a][i] + rest[b][i]));
            let longer = distance(now[a], now[b]) - f64::from(edge.length);
            if window(middle) {
                0.5 * longer * longer / f64::from(edge.factor)
            } else {
                0.0
            }
        })
        .sum()
}

/// Energy of the bends for B = 1 N·m, J, of those whose middle vertices' mean at rest the window holds.
fn bend_energy(
    elements: &ClothElements,
    rest: &[Point],
    now: &[Point],
    window: &dyn Fn(Point) -> bool,
) -> f64 {
    elements
        .bends
        .iter()
        .map(|bend| {
            let [wa, wb, wc] = bend.weights.map(f64::from);
            let [a, b, c, d] = bend.vertices;
            // Three stand in a row round the second, four round the edge of the first two.
            let middle = if d == NO_VERTEX { [b, b] } else { [a, b] }.map(|v| rest[v as usize]);
            if !window([0, 1, 2].map(|i| 0.5 * (middle[0][i] + middle[1][i]))) {
                return 0.0;
            }
            let [p, q, r] = [a, b, c].map(|v| now[v as usize]);
            let s = if d == NO_VERTEX { r } else { now[d as usize] };
            let wd = -(wa + wb + wc);
            let curvature = [0, 1, 2].map(|i| wa * p[i] + wb * q[i] + wc * r[i] + wd * s[i]);
            0.5 * (distance(curvature, [0.0; 3]) - f64::from(bend.rest)).powi(2)
        })
        .sum()
}

const ALL: &dyn Fn(Point) -> bool = &|_| true;

fn assert_near(found: f64, expected: f64, within: f64, what: &str) {
    assert!(
        (found / expected - 1.0).abs() < within,
        "{what}: {found} for {expected}"
    );
}

/// A sheet of 2 m × 1 m at three resolutions.
fn sheets() -> impl Iterator<Item = (ClothMesh, ClothElements, Vec<Point>)> {
    [(17, 9), (65, 33), (129, 65)]
        .into_iter()
        .map(|(columns, rows)| {
            let mesh = ClothMesh::grid(columns, rows, 2.0 / f64::from(columns - 1)).unwrap();
            let (elements, rest) = (ClothElements::new(&mesh), points(&mesh));
            (mesh, elements, rest)
        })
}

#[test]
fn a_stretched_grid_holds_the_sheets_energy() {
    let strain = 2e-3;
    for (_, elements, rest) in sheets() {
        for axis in 0..2 {
            let mut now = rest.clone();
            now.iter_mut().for_each(|p| p[axis] *= 1.0 + strain);
            let expected = 0.5 * strain * strain * 2.0;
            assert_near(
                spring_energy(&elements, &rest, &now, false, ALL),
                expected,
                0.01,
                "stretch",
            );
            // The diagonals add the shear modulus.
            assert_near(
                spring_energy(&elements, &rest, &now, true, ALL),
                expected,
                0.01,
                "diagonals",
            );
        }
    }
}

#[test]
fn a_sheared_grid_holds_the_sheets_energy() {
    let angle = 2e-3;
    for (_, elements, rest) in sheets() {
        let now: Vec<_> = rest
            .iter()
            .map(|p| [p[0] + angle * p[1], p[1], 0.0])
            .collect();
        let expected = 0.5 * angle * angle * 2.0;
        assert_near(
            spring_energy(&elements, &rest, &now, true, ALL),
            expected,
            0.01,
            "shear",
        );
        let along = spring_energy(&elements, &rest, &now, false, ALL);
        assert!(
            along < 1e-4 * expected,
            "threads are not stretched: {along} of {expected}"
        );
    }
}

/// Rolls the sheet, without stretching it, round an axis in its plane that lies across `direction`.
fn rolled(rest: &[Point], direction: f64, radius: f64) -> Vec<Point> {
    let (sin, cos) = direction.sin_cos();
    rest.iter()
        .map(|&[x, y, _]| {
            let (along, across) = (cos * x + sin * y, cos * y - sin * x);
            let turn = along / radius;
            let along = radius * turn.sin();
            [
                cos * along - sin * across,
                sin * along + cos * across,
                radius * (1.0 - turn.cos()),
            ]
        })
        .collect()
}

#[test]
fn a_bent_grid_holds_the_sheets_energy() {
    let radius = 1.5;
    for (mesh, elements, rest) in sheets() {
        let (_, _, spacing) = mesh.grid_size().unwrap();
        for (direction, length, width) in [(0.0, 2.0, 1.0), (std::f64::consts::FRAC_PI_2, 1.0, 2.0)]
        {
            // The last half cell at either end is free of moment.
            let area = (length - spacing) * width;
            let expected = 0.5 * area / (radius * radius);
            let now = rolled(&rest, direction, radius);
            assert_near(
                bend_energy(&elements, &rest, &now, ALL),
                expected,
                0.01,
                "cylinder",
            );
        }
        // Along the bias half as much, as twist is free.
        let inner: &dyn Fn(Point) -> bool = &|p| p[0].abs() < 0.5 && (p[1] - 0.5).abs() < 0.25;
        let flat = bend_energy(&elements, &rest, &rest, ALL);
        assert!(flat < 1e-9, "a flat sheet is without energy: {flat}");
        let bias = bend_energy(
            &elements,
            &rest,
            &rolled(&rest, std::f64::consts::FRAC_PI_4, radius),
            inner,
        );
        let along = bend_energy(&elements, &rest, &rolled(&rest, 0.0, radius), inner);
        assert_near(bias, 0.5 * along, 0.02, "bias");
    }
}

/// The moduli of a flat patch, in units of the material's: along x held across, along x free across, in shear.
fn moduli(
    elements: &ClothElements,
    rest: &[Point],
    shear: bool,
    window: &dyn Fn(Point) -> bool,
    area: f64,
) -> [f64; 3] {
    let strain = 1e-3;
    let energy = |xx: f64, xy: f64, yy: f64| {
        let now: Vec<_> = rest
            .iter()
            .map(|p| {
                [
                    p[0] + strain * (xx * p[0] + xy * p[1]),
                    p[1] + strain * (xy * p[0] + yy * p[1]),
                    0.0,
                ]
            })
            .collect();
        2.0 * spring_energy(elements, rest, &now, shear, window) / (strain * strain * area)
    };
    let (c11, c22) = (energy(1.0, 0.0, 0.0), energy(0.0, 0.0, 1.0));
    let c12 = 0.5 * (energy(1.0, 0.0, 1.0) - c11 - c22);
    [c11, c11 - c12 * c12 / c22, energy(0.0, 0.5, 0.0)]
}

#[test]
fn moduli_of_triangle_meshes_are_as_documented() {
    // Whole periods of the pattern, away from the border.
    let equal = made(equilateral(42));
    let row = 0.75f64.sqrt();
    let window: &dyn Fn(Point) -> bool =
        &|p| (9.9..29.9).contains(&p[0]) && (9.9 * row..29.9 * row).contains(&p[1]);
    let equal = (equal, window, 400.0 * row);
    let grid = ClothMesh::grid(43, 43, 1.0).unwrap();
    let right = made((grid.positions().to_vec(), grid.triangles().to_vec()));
    let window: &dyn Fn(Point) -> bool =
        &|p| (-10.1..9.9).contains(&p[0]) && (9.9..29.9).contains(&p[1]);
    let right = (right, window, 400.0);
    let uneven = made(irregular(43, 1.0, 0.28, 0.0, 7));
    let window: &dyn Fn(Point) -> bool =
        &|p| (4.0..38.0).contains(&p[0]) && (4.0..32.0).contains(&p[1]);
    let uneven = (uneven, window, 34.0 * 28.0);
    for ((mesh, window, area), expected, name) in [
        (equal, [1.01, 0.90, 0.34], "equilateral"),
        (right, [1.13, 1.08, 0.23], "right-angled, alternating"),
        (uneven, [1.02, 0.90, 0.34], "irregular"),
    ] {
        let (elements, rest) = (ClothElements::new(&mesh), points(&mesh));
        for shear in [false, true] {
            let found = moduli(&elements, &rest, shear, window, area);
            println!("{name}, shear springs {shear}: {found:.3?}");
            for (found, expected) in found.into_iter().zip(expected) {
                assert!(
                    (found - expected).abs() < 0.011,
                    "{name}, {shear}: {found} for {expected}"
                );
            }
        }
    }
}

#[test]
fn a_bent_mesh_holds_the_sheets_energy() {
    let spacing = 1.0 / 32.0;
    for (seed, jitter) in [(5, 0.15), (6, 0.28)] {
        let mesh = made(irregular(49, spacing, jitter, 0.0, seed));
        let (elements, rest) = (ClothElements::new(&mesh), points(&mesh));
        let window: &dyn Fn(Point) -> bool =
            &|p| (0.25..1.25).contains(&p[0]) && (0.15..1.15).contains(&p[1]);
        let radius = 1.2;
        let per_area = 0.5 / (radius * radius);
        for direction in [0.0, 0.5, 1.0, 1.5, 2.2, 2.9] {
            let energy = bend_energy(&elements, &rest, &rolled(&rest, direction, radius), window);
            println!(
                "jitter {jitter}, direction {direction}: {:.3}",
                energy / per_area
            );
            assert_near(energy, per_area, 0.15, "cylinder");
        }
        let flat = bend_energy(&elements, &rest, &rest, ALL);
        assert!(
            flat < 1e-8 * per_area,
            "a flat sheet is without energy: {flat}"
        );
    }
    // On equilateral triangles as documented, whatever the direction, and 4/3 of it on a sphere.
    let mesh = made(equilateral(42));
    let (elements, rest) = (ClothElements::new(&mesh), points(&mesh));
    let row = 0.75f64.sqrt();
    let window: &dyn Fn(Point) -> bool =
        &|p| (9.9..29.9).contains(&p[0]) && (9.9 * row..29.9 * row).contains(&p[1]);
    let radius = 300.0;
    let per_area = 0.5 / (radius * radius) * 400.0 * row;
    for direction in [0.0, 0.3, 0.7] {
        let energy = bend_energy(&elements, &rest, &rolled(&rest, direction, radius), window);
        assert_near(energy, MODULUS_FACTOR * per_area, 0.01, "cylinder");
    }
    // Right-angled ones bend half as stiffly again along the bias.
    let grid = ClothMesh::grid(43, 43, 1.0).unwrap();
    let right = made((grid.positions().to_vec(), grid.triangles().to_vec()));
    let (right, flat) = (ClothElements::new(&right), points(&right));
    let inside: &dyn Fn(Point) -> bool =
        &|p| (-10.1..9.9).contains(&p[0]) && (9.9..29.9).contains(&p[1]);
    let per_cell = 0.5 / (radius * radius) * 400.0;
    for (eighths, expected) in [(0.0, 1.0), (1.0, 1.5), (2.0, 1.0)] {
        let now = rolled(&flat, eighths * std::f64::consts::FRAC_PI_4, radius);
        let energy = bend_energy(&right, &flat, &now, inside);
        assert_near(
            energy,
            MODULUS_FACTOR * expected * per_cell,
            0.01,
            "right-angled",
        );
    }
    let bowl: Vec<_> = rest
        .iter()
        .map(|&[x, y, _]| [x, y, (x * x + y * y) / (2.0 * radius)])
        .collect();
    assert_near(
        bend_energy(&elements, &rest, &bowl, window),
        4.0 / 3.0 * MODULUS_FACTOR * per_area,
        0.01,
        "sphere",
    );
}

#[test]
fn a_shape_that_is_bent_at_rest_holds_no_energy() {
    for mesh in [
        made(tube(17, 9)),
        made(sphere(2)),
        made(irregular(12, 0.1, 0.28, 0.8, 9)),
    ] {
        let (elements, rest) = (ClothElements::new(&mesh), points(&mesh));
        let bent = elements.bends.iter().filter(|bend| bend.rest > 0.0).count();
        assert!(
            4 * bent > elements.bends.len(),
            "only {bent} of {} bends are bent at rest",
            elements.bends.len()
        );
        let mut doubled = rest.clone();
        doubled.iter_mut().for_each(|p| *p = p.map(|x| 2.0 * x));
        let (at_rest, scaled) = (
            bend_energy(&elements, &rest, &rest, ALL),
            bend_energy(&elements, &rest, &doubled, ALL),
        );
        assert!(at_rest < 1e-8 * scaled, "{at_rest} of {scaled}");
    }
    // A sheet that lies askew and far from the origin is flat all the same.
    let (positions, triangles) = irregular(12, 0.1, 0.28, 0.0, 9);
    let askew = positions
        .iter()
        .map(|p| {
            [
                p[0] + 40.0,
                p[1] - 0.3 * p[0],
                0.7 * p[0] + 0.2 * p[1] + 7.0,
            ]
        })
        .collect();
    let elements = ClothElements::new(&made((askew, triangles)));
    assert!(elements.bends.iter().all(|bend| bend.rest == 0.0));
}

//! The stencils on random insides and cut points: conforming, positive, and within the guaranteed angles.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec3, IVec3};

use super::cuts::{Side, Warped};
use super::lattice::{DIRECTIONS, NONE};
use super::stencil::{Vertex, shapes};
use crate::mesh::geometry::signed_volume;
use crate::meshing::stuffing::cuts::{ALPHA_LONG, ALPHA_SHORT, cut_edges};
use crate::meshing::stuffing::lattice::{Lattice, is_long};
use crate::meshing::stuffing::progress::Progress;
use crate::meshing::stuffing::quality::dihedral_degrees;

/// Splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A block of lattice whose inner points are inside at random.
fn random_lattice(size: i32, share_inside: f64, random: &mut Random) -> Lattice {
    let mut points = Vec::new();
    for z in 0..=size {
        for y in 0..=size {
            for x in (0..=size).filter(|x| (x - y) % 2 == 0 && (x - z) % 2 == 0) {
                points.push(IVec3::new(x, y, z));
            }
        }
    }
    let places: BTreeMap<[i32; 3], u32> = points.iter().map(|p| p.to_array()).zip(0..).collect();
    Lattice {
        origin: DVec3::ZERO,
        cell_size: 1.0,
        inside: points
            .iter()
            .map(|p| {
                p.min_element() >= 2
                    && p.max_element() <= size - 2
                    && random.fraction() < share_inside
            })
            .collect(),
        neighbours: points
            .iter()
            .map(|&p| DIRECTIONS.map(|d| places.get(&(p + d).to_array()).copied().unwrap_or(NONE)))
            .collect(),
        points,
    }
}

#[test]
fn any_cut_points_give_conforming_tets_within_the_guaranteed_angles() {
    let mut random = Random(7);
    let mut patterns = BTreeSet::new();
    let (mut least, mut most) = (180.0f64, 0.0f64);
    for round in 0..60 {
        let share = [0.2, 0.5, 0.8][round % 3];
        let lattice = random_lattice(12, share, &mut random);
        let edges = cut_edges(&lattice);
        // Anywhere on the edge, or just beside the thresholds, where the worst angles are.
        let fractions: Vec<f64> = edges
            .iter()
            .map(|&(_, direction)| {
                let threshold = if is_long(direction) {
                    ALPHA_LONG
                } else {
                    ALPHA_SHORT
                };
                let edge = if random.next().is_multiple_of(2) {
                    -1e-9
                } else {
                    1e-9
                };
                let fraction = match random.next() % 4 {
                    0 => random.fraction(),
                    1 => threshold + edge,
                    2 => 1.0 - threshold + edge,
                    _ => threshold + (1.0 - 2.0 * threshold) * random.fraction(),
                };
                // Every third round has less warping, or hardly a point would keep its place.
                if round % 2 == 0 {
                    fraction
                } else {
                    fraction.clamp(threshold, 1.0 - threshold)
                }
            })
            .collect();
        let mut warped = Warped::warp(lattice, &edges, fractions);
        // As it comes, and with points put back.
        if round % 4 > 1 {
            let no_report = &mut |_| std::ops::ControlFlow::Continue(());
            warped
                .put_back_pinched(&mut Progress::new(no_report))
                .unwrap();
        }
        warped.each_tet(&shapes(), |_, _, sides| {
            let of = |side| sides.iter().filter(|&&s| s == side).count();
            patterns.insert((of(Side::Positive), of(Side::Negative)));
        });

        let place = |vertex| match vertex {
            Vertex::Point(place) => warped.positions[place as usize],
            Vertex::Cut(cut) => warped.cuts[cut as usize],
        };
        let mut positions = Vec::new();
        let mut numbers = BTreeMap::new();
        let mut tets = Vec::new();
        warped.each_filled(|tet| {
            assert!(signed_volume(tet.map(place)) > 0.0, "{tet:?}");
            tets.push(tet.map(|vertex| {
                let key = match vertex {
                    Vertex::Point(place) => (0, place),
                    Vertex::Cut(cut) => (1, cut),
                };
                *numbers.entry(key).or_insert_with(|| {
                    positions.push(place(vertex).as_vec3().to_array());
                    positions.len() as u32 - 1
                })
            }));
        });
        assert_eq!(tets.len(), warped.count());
        let (low, high) = dihedral_degrees(&positions, &tets).unwrap();
        (least, most) = (least.min(low), most.max(high));

        // Each face occurs once, or twice in opposite windings; one that occurs once has no vertex inside.
        let mut faces: BTreeMap<[u32; 3], i32> = BTreeMap::new();
        for tet in &tets {
            for face in crate::mesh::geometry::FACES {
                let [a, b, c] = face.map(|corner| tet[corner]);
                let key = crate::sort::sorted3([a, b, c]);
                let even = [[a, b, c], [b, c, a], [c, a, b]].contains(&key);
                let sum = faces.entry(key).or_insert(10);
                // Once: 9 or 11 and 10 ± 1; twice in opposite windings: 20.
                *sum += if even { 1 } else { -1 };
                *sum += if *sum > 11 || *sum < 9 { 100 } else { 0 };
                if *sum == 10 {
                    *sum = 20;
                }
            }
        }
        let inside: BTreeSet<u32> = numbers
            .iter()
            .filter(|&(&(kind, place), _)| {
                kind == 0 && warped.sides[place as usize] == Side::Positive
            })
            .map(|(_, &number)| number)
            .collect();
        for (face, sum) in faces {
            assert!(
                sum == 20 || (sum - 10i32).abs() == 1 && !face.iter().any(|v| inside.contains(v)),
                "face {face:?}: {sum}"
            );
        }
    }
    // All ways a tet with a corner inside can look.
    let all: BTreeSet<_> = (1..=4)
        .flat_map(|p| (0..=4 - p).map(move |n| (p, n)))
        .collect();
    assert_eq!(patterns, all);
    assert!(least >= 10.7 && most <= 164.8, "{least} to {most}");
    // The bound is nearly reached, or the test would not look where it hurts.
    assert!(least < 11.0 && most > 164.0, "{least} to {most}");
    println!("dihedral angles {least:.2} to {most:.2}");
}

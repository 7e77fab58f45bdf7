//! A ray caster in double precision that knows where single precision may decide otherwise.

use super::common::{Random, relative_positions};
use glam::DVec3;
use webgpu_softbody::simulation::{Hit, Ray, Simulation};

/// A triangle that a ray meets, or comes near.
#[derive(Debug, Clone, Copy)]
pub struct Meeting {
    pub corners: [u32; 3],
    pub distance: f64,
    /// Smallest weight of a corner: negative beyond an edge.
    pub margin: f64,
    /// How squarely the ray meets it, 0 to 1.
    pub steepness: f64,
    /// Whether it comes from the side that the corners are counter-clockwise from.
    pub enters: bool,
}

/// A surface in the world.
pub struct Caster {
    pub points: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Caster {
    /// Of the body as it is now, without rounding its positions to world coordinates.
    pub fn new(simulation: &Simulation) -> Self {
        let body = simulation.body().expect("a body");
        let origin = DVec3::from(body.buffers().surface.origin.map(f64::from));
        Self {
            points: relative_positions(simulation)
                .iter()
                .map(|p| origin + DVec3::from(p.map(f64::from)))
                .collect(),
            triangles: body.topology().surface_triangles.clone(),
        }
    }

    pub fn corners(&self, triangle: [u32; 3]) -> [DVec3; 3] {
        triangle.map(|vertex| self.points[vertex as usize])
    }

    pub fn bounds(&self) -> (DVec3, DVec3) {
        let used = || self.triangles.iter().flatten();
        let all = |fold: fn(DVec3, DVec3) -> DVec3| {
            used()
                .map(|&v| self.points[v as usize])
                .reduce(fold)
                .expect("a surface")
        };
        (all(DVec3::min), all(DVec3::max))
    }

    /// Every triangle that the ray meets within `slack` of its edges, by Möller and Trumbore's test, nearest first.
    pub fn meetings(&self, ray: &Ray, slack: f64) -> Vec<Meeting> {
        let (origin, direction) = (
            DVec3::from(ray.origin),
            DVec3::from(ray.direction).normalize(),
        );
        let mut found: Vec<Meeting> = self
            .triangles
            .iter()
            .filter_map(|&corners| {
                let [a, b, c] = self.corners(corners);
                let (ab, ac) = (b - a, c - a);
                let across = direction.cross(ac);
                let determinant = ab.dot(across);
                if determinant == 0.0 {
                    return None;
                }
                let u = (origin - a).dot(across) / determinant;
                let q = (origin - a).cross(ab);
                let v = direction.dot(q) / determinant;
                let distance = ac.dot(q) / determinant;
                let margin = u.min(v).min(1.0 - u - v);
                (margin >= -slack && distance >= -1e-6).then(|| Meeting {
                    corners,
                    distance,
                    margin,
                    steepness: determinant.abs() / ab.cross(ac).length(),
                    enters: determinant > 0.0,
                })
            })
            .collect();
        found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        found
    }
}

/// What a comparison met.
#[derive(Debug, Default)]
pub struct Tally {
    pub hits: usize,
    pub misses: usize,
    /// Rays so near to a silhouette that either answer is right in single precision.
    pub either: usize,
    pub worst: f64,
}

/// How near to an edge single precision may see the other side of it, as a weight.
const EDGE: f64 = 2e-5;

/// How far a distance may be off, m: rounding of a metre, stretched where the ray grazes the triangle.
fn tolerance(meeting: &Meeting) -> f64 {
    (1e-6 / meeting.steepness.max(1e-3)).max(1e-5)
}

/// Compares the GPU's answers with the caster's.
pub fn compare(caster: &Caster, rays: &[Ray], hits: &[Option<Hit>]) -> Tally {
    assert_eq!(rays.len(), hits.len());
    let mut tally = Tally::default();
    for (ray, hit) in rays.iter().zip(hits) {
        let wide = caster.meetings(ray, EDGE);
        let sure = wide.iter().find(|meeting| meeting.margin > EDGE);
        let first = wide.first();
        let settled = match (sure, first) {
            (Some(sure), Some(first)) => sure.distance - first.distance <= 1e-5,
            _ => first.is_none(),
        };
        let Some(hit) = hit else {
            assert!(
                sure.is_none(),
                "{ray:?} missed {sure:?} of {} meetings",
                wide.len()
            );
            tally.misses += usize::from(settled);
            tally.either += usize::from(!settled);
            continue;
        };
        let same = |m: &&Meeting| m.corners == hit.triangle;
        let met = wide
            .iter()
            .find(same)
            .unwrap_or_else(|| panic!("{ray:?} does not meet {hit:?}, but {first:?}"));
        let error = (hit.distance - met.distance).abs();
        assert!(
            error <= tolerance(met),
            "{ray:?}: {error:.1e} m beside {met:?}"
        );
        if settled {
            let first = first.expect("a settled ray that hits meets something");
            let behind = hit.distance - first.distance;
            assert!(
                behind <= tolerance(met) + tolerance(first),
                "{ray:?}: {hit:?} is {behind:.1e} m behind {first:?}"
            );
            tally.worst = tally.worst.max(behind.abs());
            tally.hits += 1;
        } else {
            tally.either += 1;
        }
        consistent(caster, ray, hit);
    }
    tally
}

/// A hit's numbers belong together.
pub fn consistent(caster: &Caster, ray: &Ray, hit: &Hit) {
    let weights = hit.barycentric.map(f64::from);
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{hit:?}");
    assert!(weights.iter().all(|w| (0.0..=1.0).contains(w)), "{hit:?}");
    let largest = (0..3)
        .max_by(|&a, &b| weights[a].total_cmp(&weights[b]))
        .expect("three weights");
    let nearest = hit.triangle.iter().position(|&v| v == hit.vertex);
    assert!(
        nearest.is_some_and(|n| weights[n] == weights[largest]),
        "{hit:?}"
    );
    let corners = caster.corners(hit.triangle);
    let point = DVec3::from(hit.point);
    let [a, b, c] = corners;
    let blended = a + weights[1] * (b - a) + weights[2] * (c - a);
    assert!(blended.distance(point) < 1e-5, "{hit:?} {blended}");
    let along = DVec3::from(ray.origin) + hit.distance * DVec3::from(ray.direction).normalize();
    assert!(along.distance(point) < 3e-5, "{hit:?} {along}");
    assert_eq!(hit.body, 0);
}

/// Rays towards the body from around it, and every fifth from its inside.
pub fn random_rays(random: &mut Random, caster: &Caster, count: usize) -> Vec<Ray> {
    let (min, max) = caster.bounds();
    let (middle, half) = (0.5 * (min + max), 0.5 * (max - min));
    let mut within = |reach: f64| {
        DVec3::from_array([0; 3].map(|_| random.uniform(-1.0, 1.0))) * reach * half + middle
    };
    (0..count)
        .map(|number| {
            let target = within(1.1);
            let origin = match number % 5 {
                0 => within(0.4),
                _ => target + (within(1.0) - middle).normalize() * 4.0 * half.max_element(),
            };
            Ray {
                origin: origin.to_array(),
                // Of any length.
                direction: ((target - origin) * (0.1 + number as f64)).to_array(),
            }
        })
        .collect()
}

/// All answers, 64 rays at a time.
pub fn pick_all(simulation: &Simulation, rays: &[Ray]) -> Vec<Option<Hit>> {
    rays.chunks(64)
        .flat_map(|some| {
            let answer = simulation.pick_all(some).expect("rays in range");
            pollster::block_on(answer).expect("read-back")
        })
        .collect()
}

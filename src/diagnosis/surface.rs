//! What the doctor says about a triangle surface before it is filled with tets.

use serde::Serialize;

use super::placement::{Placement, scale, shift, surface_scale, translate};
use super::weld::representatives;
use super::{DoctorOptions, counted, finding_mut};
use crate::error::SurfaceError;
use crate::mesh::{Finding, note_size_and_place};
use crate::rest_state::Bounds;
use crate::sort::sorted3;
use crate::surface::{SurfaceMesh, SurfaceSurvey, oriented};
use crate::text::Number;

/// A surface's sizes and findings. Serialises to camel-case names.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SurfaceReport {
    /// Vertices as in the file, seams counted twice.
    pub vertices: u32,
    /// Triangles.
    pub triangles: u32,
    /// Parts that share no vertex.
    pub components: u32,
    /// Whether it bounds a volume: no holes, all triangles facing the same way.
    pub closed: bool,
    /// Enclosed volume, m³, negative if the surface faces inwards; only an estimate where it is not closed.
    pub volume: f64,
    /// Area, m².
    pub area: f64,
    /// The box around the vertices that triangles use, metres.
    pub bounds: Bounds,
    /// Everything worth saying.
    pub findings: Vec<Finding>,
}

/// Examines a surface in metres. Vertices at the same place count as one, as the seams of glTF and STL need it.
/// O(n log n) time.
pub fn diagnose_surface(surface: &SurfaceMesh) -> SurfaceReport {
    examine(surface, 1.0, None)
}

/// The same for a surface that was scaled by `scaled`, for advice on units, and was filled with so many `bodies` if it
/// was: what that has put right is mended, as the tets' own surface has none of it.
pub(crate) fn examine(surface: &SurfaceMesh, scaled: f64, bodies: Option<u32>) -> SurfaceReport {
    let survey = SurfaceSurvey::new(surface);
    let (min, max) = survey.bounds;
    let remedy = Remedy::new(surface, &survey, bodies.is_some());
    let mut findings = Places::new(surface).findings(surface, &survey, &remedy);
    if survey.inside_out {
        findings.push(Finding::new(
            Finding::INSIDE_OUT_SURFACE,
            1,
            &[],
            false,
            format!(
                "the surface encloses {} m³: its triangles face inwards. It is filled all the same; turn the triangles \
                 round in the program that made it to have it lit from outside",
                Number::from(survey.volume as f32)
            ),
        ));
    }
    if survey.components > 1 {
        let message = shells(survey.components, bodies);
        findings.push(Finding::new(
            Finding::MULTIPLE_SHELLS,
            survey.components,
            &[],
            false,
            message,
        ));
    }
    findings.extend(surface_scale(min, max, scaled));
    findings.extend(far_away(min, max));
    if bodies.is_some() {
        for (code, mended) in [
            (Finding::OPEN_SURFACE, true),
            (Finding::NON_MANIFOLD_SURFACE_EDGES, true),
            (Finding::INSIDE_OUT_SURFACE, true),
            (Finding::DEGENERATE_TRIANGLES, true),
            (Finding::INCONSISTENT_TRIANGLES, remedy.inconsistent == 0),
            (
                Finding::DUPLICATE_TRIANGLES,
                remedy.dropped == survey.duplicate_triangles,
            ),
        ] {
            if let Some(finding) = finding_mut(&mut findings, code) {
                finding.mended = mended;
            }
        }
    }
    SurfaceReport {
        vertices: surface.positions().len() as u32,
        triangles: surface.triangles().len() as u32,
        components: survey.components as u32,
        closed: survey.closed,
        volume: survey.volume,
        area: survey.area,
        bounds: Bounds { min, max },
        findings,
    }
}

/// What filling does about triangles that face the wrong way or are there twice.
struct Remedy {
    /// Triangles turned round.
    turned: usize,
    /// Copies left out.
    dropped: usize,
    /// Edges of triangles that face opposite ways all the same.
    inconsistent: usize,
    /// Whether it is done, or would be.
    filled: bool,
}

impl Remedy {
    fn new(surface: &SurfaceMesh, survey: &SurfaceSurvey, filled: bool) -> Self {
        let mut remedy = Self {
            turned: 0,
            dropped: 0,
            inconsistent: 0,
            filled,
        };
        if survey.inconsistent_edges + survey.duplicate_triangles > 0 {
            let oriented = oriented(surface);
            remedy.turned = oriented.turned;
            remedy.dropped = oriented.dropped;
            remedy.inconsistent = SurfaceSurvey::new(&oriented.surface).inconsistent_edges;
        }
        remedy
    }

    /// "12 triangles were turned round" or "12 triangles are turned round when it is filled".
    fn deed(&self, count: usize, done: &str) -> String {
        let triangles = counted(count, "triangle", "triangles");
        match (self.filled, count) {
            (true, 1) => format!("{triangles} was {done}"),
            (true, _) => format!("{triangles} were {done}"),
            (false, 1) => format!("{triangles} is {done} when the surface is filled"),
            (false, _) => format!("{triangles} are {done} when the surface is filled"),
        }
    }

    fn about_inconsistent(&self) -> String {
        let edges = counted(self.inconsistent, "edge", "edges");
        match (self.turned, self.inconsistent) {
            (0, _) => ": the surface has one side only there, like a Möbius strip, so that inside and outside cannot be \
                       told apart near them. Cut it open in the program that made it"
                .to_owned(),
            (turned, 0) => format!(": {}", self.deed(turned, "turned round to face as the others do")),
            (turned, _) => format!(
                ": {}, but {edges} stay as the surface has one side only there, like a Möbius \
                 strip, which spoils the difference between inside and outside near them",
                self.deed(turned, "turned round to face as the others do")
            ),
        }
    }

    fn about_duplicates(&self, found: usize) -> String {
        let left_out = self.deed(self.dropped, "left out, so that each counts once");
        match self.dropped {
            0 => " and stay, as walls between parts of the surface".to_owned(),
            dropped if dropped == found => format!("; {left_out}"),
            _ => {
                format!("; {left_out}, and the others stay, as walls between parts of the surface")
            }
        }
    }
}

/// What becomes of parts that share no vertex, or what has become of them.
fn shells(shells: usize, bodies: Option<u32>) -> String {
    let parts = format!("the surface has {shells} parts that share no vertex");
    match bodies {
        None => format!(
            "{parts}; where they overlap or touch they become one body when it is filled, one that faces inwards inside \
             another is a cavity, and the others are bodies that move independently"
        ),
        Some(1) => format!(
            "{parts} and is filled as one body: parts that overlap or touch were joined, one that lies inside another is \
             part of it or a cavity, and one thinner than a cell is lost"
        ),
        Some(bodies) if (bodies as usize) < shells => format!(
            "{parts} and is filled as {bodies} bodies that move independently: parts that overlap or touch were joined, \
             one that lies inside another is part of it or a cavity, and one thinner than a cell is lost"
        ),
        Some(bodies) => {
            format!("{parts} and is filled as {bodies} bodies that move independently")
        }
    }
}

/// The warning of loading a mesh, for a surface.
fn far_away(min: [f32; 3], max: [f32; 3]) -> Option<Finding> {
    let mut findings = Vec::new();
    note_size_and_place((min, max), &mut findings);
    let mut finding = findings
        .into_iter()
        .find(|finding| finding.code == Finding::FAR_FROM_ORIGIN)?;
    finding.message = finding.message.replace("the mesh", "the surface") + " (`center` moves it)";
    Some(finding)
}

/// The surface scaled, then shifted; everything else about it stays. The scale must be positive and finite.
pub(crate) fn moved(surface: SurfaceMesh, to: Placement) -> Result<SurfaceMesh, SurfaceError> {
    if to.scale == 1.0 && to.shift == [0.0; 3] {
        return Ok(surface);
    }
    let mut positions = surface.positions().to_vec();
    scale(&mut positions, to.scale);
    translate(&mut positions, to.shift);
    SurfaceMesh::new(
        positions,
        surface.triangles().to_vec(),
        surface.look().clone(),
    )
}

/// The surface as the options place it, by its own box; welding does not concern it.
pub(crate) fn placed(
    surface: SurfaceMesh,
    options: &DoctorOptions,
) -> Result<SurfaceMesh, SurfaceError> {
    let scale = options.scale;
    let surface = moved(
        surface,
        Placement {
            scale,
            shift: [0.0; 3],
        },
    )?;
    if !(options.center || options.drop_to_floor) {
        return Ok(surface);
    }
    let shift = shift(SurfaceSurvey::new(&surface).bounds, options);
    moved(surface, Placement { scale: 1.0, shift })
}

/// Where the survey's counts come from: edges as pairs of vertices, and triangles.
#[derive(Default)]
struct Places {
    boundary: Vec<[u32; 2]>,
    non_manifold: Vec<[u32; 2]>,
    inconsistent: Vec<[u32; 2]>,
    degenerate: Vec<u32>,
    duplicate: Vec<u32>,
}

impl Places {
    fn new(surface: &SurfaceMesh) -> Self {
        let indices = surface.triangles().as_flattened();
        let target = representatives(surface.positions(), indices, 0.0);
        let mut places = Self::default();
        let mut sides: Vec<(u32, u32, bool)> = Vec::new();
        let mut sorted: Vec<([u32; 3], u32)> = Vec::new();
        for (number, triangle) in (0u32..).zip(surface.triangles()) {
            let corners = triangle.map(|vertex| target[vertex as usize]);
            let [a, b, c] = corners;
            sorted.push((sorted3(corners), number));
            if is_flat(corners.map(|vertex| surface.positions()[vertex as usize])) {
                places.degenerate.push(number);
            }
            if a != b && b != c && c != a {
                let side = |from: u32, to: u32| (from.min(to), from.max(to), from < to);
                sides.extend([side(a, b), side(b, c), side(c, a)]);
            }
        }
        crate::sort::sort(&mut sides);
        for edge in sides.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
            let ends = [edge[0].0, edge[0].1];
            match edge {
                [_] => places.boundary.push(ends),
                [one, other] if one.2 == other.2 => places.inconsistent.push(ends),
                [_, _] => {}
                _ => places.non_manifold.push(ends),
            }
        }
        crate::sort::sort(&mut sorted);
        let later = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        places.duplicate = later.map(|pair| pair[1].1).collect();
        crate::sort::sort(&mut places.duplicate);
        places
    }

    fn findings(
        &self,
        surface: &SurfaceMesh,
        survey: &SurfaceSurvey,
        remedy: &Remedy,
    ) -> Vec<Finding> {
        let total = surface.triangles().len();
        let edges = |code,
                     count: usize,
                     edges: &[[u32; 2]],
                     one: &str,
                     many: &str,
                     advice: &str| {
            let &[a, b] = edges.first()?;
            let what = counted(count, one, many);
            let message = format!(
                "{what} in a surface of {total} triangles{advice}; the first joins vertices {a} and {b} (examples are pairs \
                 of vertices)"
            );
            Some(Finding::new(
                code,
                count,
                edges.as_flattened(),
                false,
                message,
            ))
        };
        let triangles = |code, count: usize, found: &[u32], one: &str, many: &str, advice: &str| {
            let first = found.first()?;
            let what = counted(count, one, many);
            let message = format!("{what}{advice}; the first of {total} is triangle {first}");
            Some(Finding::new(code, count, found, false, message))
        };
        [
            edges(
                Finding::OPEN_SURFACE,
                survey.boundary_edges,
                &self.boundary,
                "edge has one triangle only",
                "edges have one triangle only",
                ": it has holes. Filling it closes them by winding number, a hole by about the flattest cover; check the \
                 place of a large one",
            ),
            edges(
                Finding::NON_MANIFOLD_SURFACE_EDGES,
                survey.non_manifold_edges,
                &self.non_manifold,
                "edge has more than two triangles",
                "edges have more than two triangles",
                ": sheets meet there. Filling it keeps what they enclose; walls of no thickness vanish",
            ),
            edges(
                Finding::INCONSISTENT_TRIANGLES,
                survey.inconsistent_edges,
                &self.inconsistent,
                "edge joins triangles that face opposite ways",
                "edges join triangles that face opposite ways",
                &remedy.about_inconsistent(),
            ),
            triangles(
                Finding::DEGENERATE_TRIANGLES,
                survey.degenerate_triangles,
                &self.degenerate,
                "triangle has no area",
                "triangles have no area",
                " and enclose nothing; filling ignores them",
            ),
            triangles(
                Finding::DUPLICATE_TRIANGLES,
                survey.duplicate_triangles,
                &self.duplicate,
                "triangle has the three vertices of an earlier one",
                "triangles have the three vertices of an earlier one",
                &remedy.about_duplicates(survey.duplicate_triangles),
            ),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Whether a triangle has no area, not even a rounded one.
fn is_flat(corners: [[f32; 3]; 3]) -> bool {
    let [a, b, c] = corners.map(crate::mesh::geometry::point);
    (b - a).cross(c - a) == glam::DVec3::ZERO
}

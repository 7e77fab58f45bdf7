//! What is measured: the presets where they start, Kuhn boxes of 1 m that fall on an edge from 0.3 m, curtains, picking.

use crate::Failure;
use crate::arguments::Arguments;
use crate::cloth::Sheet;
use glam::{DQuat, DVec3};
use webgpu_softbody::mesh::TetMesh;
use webgpu_softbody::meshing::{Preset, box_mesh, figures, presets};
use webgpu_softbody::settings::{Material, Transform};
use webgpu_softbody::simulation::BodyOptions;

/// Height that a box falls, m.
const DROP: f64 = 0.3;
/// How far a box is turned round z, so that an edge lands first.
const TILT: f64 = 0.35;
/// Cells a side of the named boxes: 4,374, 10,368, 105,456, 998,250 and 3,072,000 tets.
const BOXES: [(&str, u32); 5] = [
    ("box-4k", 9),
    ("box-10k", 12),
    ("box-100k", 26),
    ("box-1m", 55),
    ("box-3m", 80),
];
/// Where the search for the largest box begins: 12 million tets. Only for who asks: making it takes gigabytes and minutes.
const LARGEST_CELLS: u32 = 126;

/// Particles a side of the named cloths.
const CLOTHS: [u32; 3] = [64, 256, 1024];

/// Everything that is asked for.
#[derive(Default)]
pub struct Chosen {
    pub meshes: Vec<Mesh>,
    pub cloths: Vec<Sheet>,
    /// How long an answer to a ray takes.
    pub pick: bool,
}

/// A mesh, where it starts, and the moduli it is measured at.
pub struct Mesh {
    pub name: String,
    shape: Shape,
    pub options: BodyOptions,
    pub moduli: Vec<f64>,
    /// Cells a side to begin with where the largest that fits is wanted.
    pub largest: Option<u32>,
}

enum Shape {
    Preset(Preset),
    Box(u32),
}

/// One mesh at one modulus.
pub struct Case<'a> {
    pub mesh: &'a TetMesh,
    pub options: BodyOptions,
}

impl Mesh {
    pub fn make(&self) -> Result<TetMesh, Failure> {
        match &self.shape {
            Shape::Preset(preset) => Ok(preset.mesh()),
            Shape::Box(cells) => kuhn_box(*cells),
        }
    }
}

/// A box of 1 m in n³ cells of six tets, its centre at the origin.
pub fn kuhn_box(cells: u32) -> Result<TetMesh, Failure> {
    Ok(box_mesh([cells; 3], [1.0; 3], [-0.5; 3])?)
}

/// The same material as everywhere in the bench: ν = 0.3, 1000 kg/m³, damping 1/s, friction 0.5.
pub fn with_modulus(options: &BodyOptions, youngs_modulus: f64) -> BodyOptions {
    BodyOptions {
        material: Material {
            youngs_modulus,
            ..Material::STIFF
        },
        ..options.clone()
    }
}

/// Where a vertex of the mesh starts, m.
pub fn placed(options: &BodyOptions, [x, y, z]: [f32; 3]) -> [f32; 3] {
    let Transform {
        translation,
        rotation,
        scale,
    } = options.transform;
    let turned = DQuat::from_array(rotation) * DVec3::new(x.into(), y.into(), z.into());
    (turned * scale + DVec3::from_array(translation))
        .as_vec3()
        .to_array()
}

/// The cases that are asked for.
pub fn choose(arguments: &Arguments, software: bool) -> Result<Chosen, Failure> {
    let usual: &[&str] = match software {
        true => &["presets", "box-4k", "cloth-64", "pick"],
        false => &["all"],
    };
    let asked: Vec<&str> = match arguments.cases.is_empty() {
        true => usual.to_vec(),
        false => arguments.cases.iter().map(String::as_str).collect(),
    };
    let mut chosen = Chosen::default();
    for name in asked {
        let before = chosen.count();
        chosen.pick |= matches!(name, "pick" | "all");
        if matches!(name, "cloths" | "all") {
            chosen.cloths.extend(CLOTHS.map(Sheet::new));
        }
        let named = CLOTHS.map(Sheet::new).into_iter();
        chosen
            .cloths
            .extend(named.filter(|sheet| sheet.name == name));
        if let Some(side) = name.strip_prefix("cloth:") {
            let side = side.parse().ok().filter(|side| (3..=4096).contains(side));
            let side = side.ok_or_else(|| {
                format!("{name}: particles a side are a whole number from 3 to 4096")
            })?;
            chosen.cloths.push(Sheet::new(side));
        }
        add_meshes(name, &mut chosen.meshes)?;
        if chosen.count() == before && name != "pick" {
            return Err(format!("no case is called {name}; --help lists them").into());
        }
    }
    if let Some(moduli) = &arguments.moduli {
        for mesh in &mut chosen.meshes {
            mesh.moduli.clone_from(moduli);
        }
    }
    Ok(chosen)
}

impl Chosen {
    fn count(&self) -> usize {
        self.meshes.len() + self.cloths.len()
    }
}

/// The solids of this name or group, if there are any.
fn add_meshes(name: &str, meshes: &mut Vec<Mesh>) -> Result<(), Failure> {
    if matches!(name, "presets" | "all") {
        meshes.extend(figures().into_iter().chain(presets()).map(of_preset));
    }
    if matches!(name, "boxes" | "all") {
        meshes.extend(BOXES.map(|(name, cells)| of_box(name, cells)));
    }
    if name == "largest" {
        meshes.push(Mesh {
            largest: Some(LARGEST_CELLS),
            moduli: vec![1e5],
            ..of_box("largest", LARGEST_CELLS)
        });
    }
    let preset = figures()
        .into_iter()
        .chain(presets())
        .find(|p| p.slug == name);
    meshes.extend(preset.map(of_preset));
    let named = BOXES.iter().find(|(slug, _)| *slug == name);
    meshes.extend(named.map(|&(name, cells)| of_box(name, cells)));
    if let Some(cells) = name.strip_prefix("box:") {
        let cells = cells.parse().ok().filter(|cells| (1..=400).contains(cells));
        let cells = cells
            .ok_or_else(|| format!("{name}: cells a side are a whole number from 1 to 400"))?;
        meshes.push(of_box(name, cells));
    }
    Ok(())
}

fn of_preset(preset: Preset) -> Mesh {
    Mesh {
        name: preset.slug.to_owned(),
        options: BodyOptions::from(&preset),
        shape: Shape::Preset(preset),
        moduli: vec![1e5, 1e6],
        largest: None,
    }
}

fn of_box(name: &str, cells: u32) -> Mesh {
    // The lowest corner of a square of 1 m that is turned by an angle lies this far below its centre.
    let reach = 0.5 * (TILT.sin() + TILT.cos());
    Mesh {
        name: name.to_owned(),
        shape: Shape::Box(cells),
        options: BodyOptions {
            transform: Transform {
                translation: [0.0, DROP + reach, 0.0],
                rotation: DQuat::from_rotation_z(TILT).to_array(),
                scale: 1.0,
            },
            ..BodyOptions::default()
        },
        moduli: vec![1e5, 1e6, 1e7],
        largest: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Task, parse};

    fn all(cases: &str) -> Result<Chosen, Failure> {
        let line = ["bench", "--cases", cases].map(Into::into);
        let Ok(Task::Run(arguments)) = parse(line) else {
            panic!("{cases} is refused")
        };
        choose(&arguments, true)
    }

    fn chosen(cases: &str) -> Result<Vec<Mesh>, Failure> {
        Ok(all(cases)?.meshes)
    }

    #[test]
    fn boxes_have_the_tets_they_are_known_by() {
        let tets = BOXES.map(|(_, cells)| 6 * u64::from(cells).pow(3));
        assert_eq!(tets, [4374, 10368, 105_456, 998_250, 3_072_000]);
        let mesh = chosen("box-4k").expect("a case")[0].make().expect("a mesh");
        assert_eq!(mesh.tets().len(), 4374);
    }

    #[test]
    fn a_box_starts_with_its_lowest_corner_at_the_height_of_the_drop() {
        let case = &chosen("box:2").expect("a case")[0];
        let mesh = case.make().expect("a mesh");
        let heights = mesh
            .positions()
            .iter()
            .map(|&p| placed(&case.options, p)[1]);
        let lowest = heights.fold(f32::INFINITY, f32::min);
        assert!((lowest - DROP as f32).abs() < 1e-6, "{lowest}");
    }

    #[test]
    fn groups_and_names_are_found_and_others_named() {
        assert_eq!(chosen("presets").expect("presets").len(), 5);
        assert_eq!(chosen("boxes,cube").expect("cases").len(), 6);
        let wrong = chosen("teapot").err().expect("an error").to_string();
        assert!(wrong.contains("teapot"), "{wrong}");
        assert!(chosen("box:0").is_err());
        let soft = all("cloths,cloth:5,pick").expect("cases");
        let sides: Vec<u32> = soft.cloths.iter().map(|sheet| sheet.side).collect();
        assert_eq!(sides, [64, 256, 1024, 5]);
        assert!(soft.pick && soft.meshes.is_empty());
        assert_eq!(all("cloth-256").expect("a case").cloths[0].side, 256);
        assert!(!all("cloth-256").expect("a case").pick);
        assert!(all("cloth:2").is_err());
    }
}

//! glTF 2.0 and GLB: the triangles of the default scene where its nodes put them, with base colours and textures.
//!
//! Extensions that only change the look beyond that are passed over; one that the file says is needed to read its
//! geometry is refused by name.

mod accessor;
mod container;
mod json;
mod material;
mod primitive;
mod skin;
mod transform;

use std::rc::Rc;

use super::super::{ImportError, Location, NamedFile};
use super::builder::Builder;
use super::counted;
use super::recognise::contains;
use super::scan::shown;
use crate::surface::SurfaceMesh;
use accessor::Accessor;
use container::Buffers;
use json::Object;
use material::Look;
use skin::Skin;
use transform::Placement;

const FORMAT: &str = "glTF";

/// Vertices and triangles that any file may have, and that it may have more for each of its bytes: instances and
/// shared arrays repeat what is stored once.
const FREE_ELEMENTS: usize = 1_000_000;

/// Extensions that a file may require without a loss of geometry.
const HARMLESS: [&str; 10] = [
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_texture_basisu",
    "EXT_texture_webp",
    "EXT_texture_avif",
    "KHR_lights_punctual",
    "KHR_animation_pointer",
    "KHR_audio_emitter",
    "KHR_xmp_json_ld",
    "GODOT_single_root",
];

#[cold]
#[inline(never)]
fn malformed(message: String) -> ImportError {
    ImportError::Malformed {
        format: FORMAT,
        location: Location::File,
        message,
    }
}

#[cold]
#[inline(never)]
fn unsupported(message: String) -> ImportError {
    ImportError::Unsupported {
        format: FORMAT,
        location: Location::File,
        message,
    }
}

/// What was met and left out, counted over the file.
#[derive(Default)]
struct Seen {
    skinned: usize,
    unposed: usize,
    morphed: usize,
    lines_and_points: usize,
    without_positions: usize,
    instanced: usize,
}

struct Reader<'a> {
    root: Object<'a>,
    buffers: Buffers<'a>,
    // What was read of each array of the file, so that it is read once.
    accessors: Vec<Option<Rc<Accessor>>>,
    looks: Vec<Option<Look>>,
    images: Vec<Option<Option<u32>>>,
    skins: Vec<Option<Option<Rc<Skin>>>>,
    /// Where the scene puts each of its nodes.
    placements: Vec<Option<Placement>>,
    builder: Builder,
    /// Per vertex of an array: in which primitive it was last used, and as what vertex.
    used: Vec<[u32; 2]>,
    primitive: u32,
    elements: usize,
    most_elements: usize,
    seen: Seen,
    notes: Vec<String>,
}

/// Reads the file; buffers and images are taken from the other files where it does not hold them.
pub(super) fn read(
    files: &[NamedFile],
    index: usize,
    notes: &mut Vec<String>,
) -> Result<(&'static str, SurfaceMesh), ImportError> {
    let (json, bin) = container::open(files[index].bytes, notes)?;
    let root = Object::root(&json)?;
    check_version(&root)?;
    check_extensions(&root)?;
    let bytes = files
        .iter()
        .fold(0usize, |sum, file| sum.saturating_add(file.bytes.len()));
    let mut reader = Reader {
        buffers: Buffers::new(files, index, root.clone(), bin)?,
        accessors: vec![None; root.array("accessors")?.len()],
        looks: vec![None; root.array("materials")?.len()],
        images: vec![None; root.array("images")?.len()],
        skins: vec![None; root.array("skins")?.len()],
        root,
        placements: Vec::new(),
        builder: Builder::default(),
        used: Vec::new(),
        primitive: 0,
        elements: 0,
        most_elements: bytes.saturating_add(FREE_ELEMENTS).min(i32::MAX as usize),
        seen: Seen::default(),
        notes: Vec::new(),
    };
    reader.scene()?;
    reader.note_seen();
    if reader.builder.triangle_count() == 0 {
        return Err(ImportError::NoTets {
            format: FORMAT,
            message: format!(
                "{} and {} in the file, but no triangle in its scene ({} of lines or points)",
                counted(reader.root.array("nodes")?.len(), "node", "nodes"),
                counted(reader.root.array("meshes")?.len(), "mesh", "meshes"),
                counted(reader.seen.lines_and_points, "primitive", "primitives"),
            ),
        });
    }
    notes.append(&mut reader.notes);
    let name = if files[index].bytes.starts_with(b"glTF") {
        "glTF 2.0 binary (GLB)"
    } else {
        "glTF 2.0"
    };
    Ok((name, reader.builder.finish(FORMAT)?))
}

#[inline(never)]
fn check_version(root: &Object) -> Result<(), ImportError> {
    let asset = root.object("asset")?.ok_or_else(|| root.missing("asset"))?;
    let version = asset
        .text("version")?
        .ok_or_else(|| asset.missing("version"))?;
    let needed = asset.text("minVersion")?.unwrap_or("2.0");
    if !(version == "2" || version.starts_with("2.")) || needed != "2.0" {
        return Err(unsupported(format!(
            "version {} (at least {}): convert the file to glTF 2.0",
            shown(version.as_bytes()),
            shown(needed.as_bytes())
        )));
    }
    Ok(())
}

#[inline(never)]
fn check_extensions(root: &Object) -> Result<(), ImportError> {
    for name in root.array("extensionsRequired")? {
        let name = name.as_str().unwrap_or_default();
        if contains(name.as_bytes(), b"draco") || contains(name.as_bytes(), b"meshopt") {
            return Err(compressed(name));
        }
        if !HARMLESS.contains(&name) && !name.starts_with("KHR_materials_") {
            return Err(unsupported(format!(
                "the file requires the extension {}: export without it",
                shown(name.as_bytes())
            )));
        }
    }
    Ok(())
}

#[cold]
#[inline(never)]
fn compressed(extension: &str) -> ImportError {
    unsupported(format!(
        "the geometry is compressed ({}): export without compression, or undo it, for example with gltf-transform",
        shown(extension.as_bytes())
    ))
}

impl Reader<'_> {
    /// Walks the nodes of the default scene, of the first one if none is the default, or of the whole file.
    #[inline(never)]
    fn scene(&mut self) -> Result<(), ImportError> {
        let root = self.root.clone();
        let nodes = root.array("nodes")?.len();
        let scene = match root.index("scene")? {
            Some(scene) => Some(root.item("scenes", scene)?),
            None if root.array("scenes")?.is_empty() => None,
            None => Some(root.item("scenes", 0)?),
        };
        let whole_file = scene.is_none();
        let roots = match scene {
            Some(scene) => scene.indices("nodes")?,
            None => {
                let mut child = vec![false; nodes];
                for node in 0..nodes {
                    for index in root.item("nodes", node)?.indices("children")? {
                        root.item("nodes", index)?;
                        child[index] = true;
                    }
                }
                (0..nodes).filter(|&node| !child[node]).collect()
            }
        };
        self.placements = vec![None; nodes];
        let mut order = Vec::new();
        let mut waiting: Vec<(usize, Placement)> = Vec::new();
        waiting.extend(roots.iter().rev().map(|&node| (node, Placement::default())));
        while let Some((index, parent)) = waiting.pop() {
            let node = root.item("nodes", index)?;
            if self.placements[index].is_some() {
                return Err(malformed(format!(
                    "{} is met twice: the nodes are no tree",
                    node.here()
                )));
            }
            let placement = parent.then(&node)?;
            self.placements[index] = Some(placement);
            order.push((index, placement));
            let children = node.indices("children")?;
            waiting.extend(children.iter().rev().map(|&child| (child, placement)));
        }
        if whole_file && let Some(node) = self.placements.iter().position(Option::is_none) {
            return Err(malformed(format!("nodes[{node}] is its own ancestor")));
        }
        // Meshes after all nodes: skins need the places of their joints.
        for (index, placement) in order {
            self.node(&root.item("nodes", index)?, &placement)?;
        }
        if nodes == 0 {
            for mesh in 0..root.array("meshes")?.len() {
                self.mesh(mesh, &Placement::default(), None)?;
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn node(&mut self, node: &Object, placement: &Placement) -> Result<(), ImportError> {
        let Some(mesh) = node.index("mesh")? else {
            return Ok(());
        };
        if node.extension("EXT_mesh_gpu_instancing")?.is_some() {
            self.seen.instanced += 1;
        }
        // The joints place a skinned mesh, and not its node.
        let Some(skin) = node.index("skin")? else {
            return self.mesh(mesh, placement, None);
        };
        match self.skin(skin)? {
            Some(skin) => {
                self.seen.skinned += 1;
                self.mesh(mesh, placement, Some(&skin))
            }
            None => {
                self.seen.unposed += 1;
                self.mesh(mesh, &Placement::default(), None)
            }
        }
    }

    #[inline(never)]
    fn mesh(
        &mut self,
        index: usize,
        placement: &Placement,
        skin: Option<&Skin>,
    ) -> Result<(), ImportError> {
        let mesh = self.root.item("meshes", index)?;
        for primitive in 0..mesh.array("primitives")?.len() {
            self.primitive(&mesh.item("primitives", primitive)?, placement, skin)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn accessor(&mut self, index: usize) -> Result<Rc<Accessor>, ImportError> {
        if let Some(Some(accessor)) = self.accessors.get(index) {
            return Ok(accessor.clone());
        }
        let accessor = Rc::new(Accessor::open(
            &self.root,
            &mut self.buffers,
            index,
            self.most_elements,
        )?);
        self.accessors[index] = Some(accessor.clone());
        Ok(accessor)
    }

    /// Counts vertices and triangles before they are made.
    fn charge(&mut self, elements: usize) -> Result<(), ImportError> {
        self.elements = self.elements.saturating_add(elements);
        if self.elements <= self.most_elements {
            return Ok(());
        }
        Err(unsupported(format!(
            "the scene repeats its meshes into more than {} vertices and triangles: export fewer instances",
            self.most_elements
        )))
    }

    #[inline(never)]
    fn note_seen(&mut self) {
        let Seen {
            skinned,
            unposed,
            morphed,
            lines_and_points,
            without_positions,
            instanced,
        } = self.seen;
        for (count, one, many, what) in [
            (
                skinned,
                "skinned mesh is",
                "skinned meshes are",
                "in the pose that the joints have in the file: animation is left out",
            ),
            (
                unposed,
                "skinned mesh is",
                "skinned meshes are",
                "in bind pose: the scene lacks joints of it",
            ),
            (
                morphed,
                "primitive has",
                "primitives have",
                "morph targets, which are left out",
            ),
            (
                lines_and_points,
                "primitive",
                "primitives",
                "of lines or points skipped",
            ),
            (
                without_positions,
                "primitive",
                "primitives",
                "without positions skipped",
            ),
            (
                instanced,
                "node has",
                "nodes have",
                "GPU instances, of which one is read",
            ),
        ] {
            if count > 0 {
                self.notes
                    .push(format!("{} {what}", counted(count, one, many)));
            }
        }
    }
}

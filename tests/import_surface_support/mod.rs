//! What the tests of the surface importers share: reading files, an independent GLB writer, and checks of results.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::PathBuf;

use serde_json::{Value, json};
use webgpu_softbody::import::surface::{read, recognise};
use webgpu_softbody::import::{Content, ImportError, Imported, NamedFile};
use webgpu_softbody::surface::SurfaceMesh;

/// A surface and what was said about it.
#[derive(Debug)]
pub struct Read {
    pub format: String,
    pub notes: Vec<String>,
    pub surface: SurfaceMesh,
}

/// A sample file of the repository.
pub fn sample(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/surfaces_import")
        .join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub const SAMPLES: [&str; 10] = [
    "cube.obj",
    "tetrahedron_ascii.stl",
    "tetrahedron_binary.stl",
    "tetrahedron_ascii.ply",
    "tetrahedron_little_endian.ply",
    "tetrahedron_big_endian.ply",
    "picture.glb",
    "picture.gltf",
    "picture_embedded.gltf",
    "cube.mtl",
];

fn surface(imported: Imported) -> Read {
    let Content::Surface(surface) = imported.content else {
        panic!("a surface reader gave tets");
    };
    Read {
        format: imported.format,
        notes: imported.notes,
        surface,
    }
}

/// Reads the files as `import()` does: the surface is looked for by content.
pub fn try_read(files: &[(&str, &[u8])]) -> Result<Read, ImportError> {
    let files: Vec<NamedFile> = files
        .iter()
        .map(|&(name, bytes)| NamedFile { name, bytes })
        .collect();
    let index = recognise(&files).expect("a surface should be recognised");
    read(&files, index).map(surface)
}

pub fn read_ok(files: &[(&str, &[u8])]) -> Read {
    try_read(files).unwrap_or_else(|error| panic!("{error}"))
}

/// The error's message; the test fails if there is none.
pub fn message(files: &[(&str, &[u8])]) -> String {
    match try_read(files) {
        Ok(read) => panic!("this was read: {read:?}"),
        Err(error) => error.to_string(),
    }
}

/// Twice the area vector of all triangles, and six times the volume they enclose.
pub fn area_and_volume(surface: &SurfaceMesh) -> ([f64; 3], f64, f64) {
    let (mut vector, mut area, mut volume) = ([0.0; 3], 0.0, 0.0);
    for corners in surface.triangles() {
        let [a, b, c] = corners.map(|corner| surface.positions()[corner as usize].map(f64::from));
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [
                a[1] * b[2] - a[2] * b[1],
                a[2] * b[0] - a[0] * b[2],
                a[0] * b[1] - a[1] * b[0],
            ]
        };
        let sub = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let n = cross(sub(b, a), sub(c, a));
        let bc = cross(b, c);
        volume += a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
        area += (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt() / 2.0;
        for (sum, x) in vector.iter_mut().zip(n) {
            *sum += x / 2.0;
        }
    }
    (vector, area, volume / 6.0)
}

pub fn assert_close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-6 * expected.abs().max(1.0),
        "{found} is not {expected}"
    );
}

/// A glTF file under construction: what tests leave alone is one mesh of one primitive in one node.
pub struct Gltf {
    pub json: Value,
    pub bin: Vec<u8>,
}

pub const F32: u32 = 5126;

impl Default for Gltf {
    fn default() -> Self {
        Self {
            json: json!({
                "asset": {"version": "2.0"},
                "scene": 0,
                "scenes": [{"nodes": [0]}],
                "nodes": [{"mesh": 0}],
                "meshes": [{"primitives": [{"attributes": {}}]}],
                "accessors": [],
                "bufferViews": [],
                "buffers": [{"byteLength": 0}],
            }),
            bin: Vec::new(),
        }
    }
}

impl Gltf {
    /// The right triangle at the origin in the xy plane.
    pub fn triangle() -> Self {
        let mut gltf = Self::default();
        gltf.attribute(
            "POSITION",
            "VEC3",
            &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        );
        gltf
    }

    pub fn view(&mut self, bytes: &[u8]) -> usize {
        while !self.bin.len().is_multiple_of(4) {
            self.bin.push(0);
        }
        let views = self.json["bufferViews"].as_array_mut().unwrap();
        views.push(json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()}));
        self.bin.extend_from_slice(bytes);
        self.json["buffers"][0]["byteLength"] = json!(self.bin.len());
        views_len(&self.json) - 1
    }

    /// Adds an accessor over bytes of its own.
    pub fn accessor(&mut self, component: u32, kind: &str, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        let accessors = self.json["accessors"].as_array_mut().unwrap();
        accessors.push(json!({
            "bufferView": view, "componentType": component, "type": kind, "count": count,
        }));
        accessors.len() - 1
    }

    pub fn primitive(&mut self) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]
    }

    /// Gives the primitive an attribute of floats.
    pub fn attribute(&mut self, name: &str, kind: &str, values: &[f32]) -> usize {
        let width = kind.trim_start_matches("VEC").parse().unwrap_or(1);
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let accessor = self.accessor(F32, kind, values.len() / width, &bytes);
        self.primitive()["attributes"][name] = json!(accessor);
        accessor
    }

    pub fn indices(&mut self, indices: &[u16]) -> usize {
        let bytes: Vec<u8> = indices.iter().flat_map(|x| x.to_le_bytes()).collect();
        let accessor = self.accessor(5123, "SCALAR", indices.len(), &bytes);
        self.primitive()["indices"] = json!(accessor);
        accessor
    }

    pub fn glb(&self) -> Vec<u8> {
        glb(self.json.to_string().as_bytes(), Some(&self.bin))
    }

    pub fn read(&self) -> Read {
        read_ok(&[("model.glb", &self.glb())])
    }

    pub fn message(&self) -> String {
        message(&[("model.glb", &self.glb())])
    }
}

fn views_len(json: &Value) -> usize {
    json["bufferViews"].as_array().unwrap().len()
}

/// A GLB container round any JSON text.
pub fn glb(json: &[u8], bin: Option<&[u8]>) -> Vec<u8> {
    let mut chunks = Vec::new();
    let mut chunk = |kind: &[u8; 4], content: &[u8], padding: u8| {
        let length = content.len().next_multiple_of(4);
        chunks.extend_from_slice(&(length as u32).to_le_bytes());
        chunks.extend_from_slice(kind);
        chunks.extend_from_slice(content);
        chunks.resize(chunks.len() + length - content.len(), padding);
    };
    chunk(b"JSON", json, b' ');
    if let Some(bin) = bin {
        chunk(b"BIN\0", bin, 0);
    }
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend_from_slice(&(chunks.len() as u32 + 12).to_le_bytes());
    file.extend_from_slice(&chunks);
    file
}

//! What the worker of `webgpu-softbody/mesh` calls: files in, arrays and a report out. No logic of its own.
//!
//! Options arrive checked by `js/mesh-input.js`. Errors leave as plain objects `{ kind, message }`, which pass from the
//! worker to the page; there they become the package's error class.

mod arrays;

use arrays::{floats, get, indices, read_surface, set, surface_object, to_object};
use js_sys::{Array, Function, Object, Uint8Array};
use std::ops::ControlFlow;
use wasm_bindgen::prelude::*;

use crate::conversion::{ConvertError, Converted, Job, convert, convert_imported, read};
use crate::diagnosis::DoctorOptions;
use crate::import::{Content, Imported, NamedFile};
use crate::meshing::Resolution;

/// Names and bytes of the files a job was given.
struct Files(Vec<(String, Vec<u8>)>);

impl Files {
    fn read(files: &Array) -> Self {
        let one = |file: JsValue| {
            let name = get(&file, "name").as_string().unwrap_or_default();
            (name, Uint8Array::new(&get(&file, "bytes")).to_vec())
        };
        Self(files.iter().map(one).collect())
    }

    fn named(&self) -> Vec<NamedFile<'_>> {
        self.0
            .iter()
            .map(|(name, bytes)| NamedFile { name, bytes })
            .collect()
    }
}

fn error(kind: &str, message: &str) -> JsValue {
    let object = Object::new();
    set(&object, "kind", kind);
    set(&object, "message", message);
    object.into()
}

fn refused(thrown: &ConvertError) -> JsValue {
    error(thrown.kind(), &thrown.to_string())
}

fn resolution(options: &JsValue) -> Option<Resolution> {
    let cell_size = get(options, "cellSize").as_f64().map(Resolution::CellSize);
    let tets = get(options, "tets").as_f64();
    cell_size.or(tets.map(|tets| Resolution::Tets(tets as u32)))
}

fn doctor_options(options: &JsValue) -> DoctorOptions {
    DoctorOptions {
        scale: get(options, "scale").as_f64().unwrap_or(1.0),
        weld: get(options, "weld").as_f64(),
        center: get(options, "center").is_truthy(),
        drop_to_floor: get(options, "dropToFloor").is_truthy(),
    }
}

/// Hands the fraction on. Only the worker's own callback comes here, and what it throws stays in JavaScript.
fn teller(on_progress: &Function) -> impl FnMut(f64) -> ControlFlow<()> + '_ {
    move |fraction| {
        let _ = on_progress.call1(&JsValue::UNDEFINED, &fraction.into());
        ControlFlow::Continue(())
    }
}

fn result(converted: &Converted) -> JsValue {
    let mesh = Object::new();
    set(&mesh, "positions", floats(&converted.positions));
    set(&mesh, "tets", indices(&converted.tets));
    let object = Object::new();
    set(&object, "mesh", mesh);
    if let Some(surface) = &converted.surface {
        set(&object, "surface", surface_object(surface));
    }
    set(&object, "report", to_object(&converted.report));
    set(&object, "format", converted.format.as_str());
    set(&object, "notes", to_object(&converted.notes));
    object.into()
}

/// Makes a tetrahedral mesh of files `{ name, bytes }`.
#[wasm_bindgen(js_name = convertFiles, skip_typescript)]
pub fn convert_files(
    files: Array,
    options: JsValue,
    on_progress: Function,
) -> Result<JsValue, JsValue> {
    let files = Files::read(&files);
    let job = Job {
        files: &files.named(),
        resolution: resolution(&options),
        options: doctor_options(&options),
    };
    convert(&job, &mut teller(&on_progress))
        .map(|converted| result(&converted))
        .map_err(|thrown| refused(&thrown))
}

/// Makes a tetrahedral mesh of a surface given as arrays.
#[wasm_bindgen(js_name = fillSurface, skip_typescript)]
pub fn fill_surface(
    surface: JsValue,
    options: JsValue,
    on_progress: Function,
) -> Result<JsValue, JsValue> {
    let surface =
        read_surface(&surface).map_err(|thrown| error("invalid-mesh", &thrown.to_string()))?;
    let imported = Imported {
        format: "arrays".to_owned(),
        notes: Vec::new(),
        content: Content::Surface(surface),
    };
    convert_imported(
        "surface",
        imported,
        resolution(&options),
        &doctor_options(&options),
        &mut teller(&on_progress),
    )
    .map(|converted| result(&converted))
    .map_err(|thrown| refused(&thrown))
}

/// Reads the surface in files `{ name, bytes }`: `{ format, notes, surface }`, without `surface` for a volume mesh.
#[wasm_bindgen(js_name = readSurface, skip_typescript)]
pub fn surface_of(files: Array) -> Result<JsValue, JsValue> {
    let files = Files::read(&files);
    let imported = read(&files.named()).map_err(|thrown| refused(&thrown))?;
    let object = Object::new();
    if let Content::Surface(surface) = &imported.content {
        set(&object, "surface", surface_object(surface));
    }
    set(&object, "format", imported.format.as_str());
    set(&object, "notes", to_object(&imported.notes));
    Ok(object.into())
}

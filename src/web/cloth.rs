//! Cloth and wind in the exported class: sources, materials, and the members that are theirs.

use super::options::{BodyOptions, placed};
use super::reader::{Reader, invalid, vector};
use super::{SoftBody, future_to_promise, host, options, session, to_object};
use crate::cloth::ClothMesh;
use crate::settings::{ClothMaterial, Wind};
use crate::simulation::{ClothOptions, SimulationError};
use js_sys::{Array, Promise, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

const MATERIALS: &str = "\"silk\", \"cotton\", \"rubber\" or an object of numbers";

/// What a cloth is made from, read at once.
pub enum Source {
    Grid {
        columns: u32,
        rows: u32,
        spacing: f64,
    },
    /// A promise of the two files.
    Files(Promise),
}

impl Source {
    /// Reads `{ grid }` or `{ positions, triangles }` and begins to download files.
    pub fn new(value: &JsValue, signal: &JsValue, on_progress: &JsValue) -> Result<Self, JsValue> {
        let expected = "an object with grid, or with positions and triangles";
        if value.is_undefined() || value.is_null() {
            return Err(invalid("cloth", value, expected));
        }
        let reader = Reader::new(value, "cloth", expected)?;
        reader.only(&["grid", "positions", "triangles"])?;
        let files = [reader.get("positions")?, reader.get("triangles")?];
        match (
            reader.child("grid", "an object with columns, rows and spacing")?,
            files,
        ) {
            (Some(grid), [None, None]) => {
                grid.only(&["columns", "rows", "spacing"])?;
                let missing = |key: &str, expected: &str| {
                    invalid(&format!("cloth.grid.{key}"), &JsValue::UNDEFINED, expected)
                };
                let side = |key: &str| {
                    let expected = "an integer from 2 to 4096";
                    grid.integer(key, expected)?
                        .ok_or_else(|| missing(key, expected))
                };
                Ok(Self::Grid {
                    columns: side("columns")?,
                    rows: side("rows")?,
                    spacing: grid
                        .number("spacing")?
                        .ok_or_else(|| missing("spacing", "a length in metres"))?,
                })
            }
            (None, [Some(positions), Some(triangles)]) => {
                let labels = Array::of2(&"cloth.positions".into(), &"cloth.triangles".into());
                let sources = Array::of2(&positions, &triangles);
                Ok(Self::Files(host::read_all(
                    &sources,
                    &labels,
                    signal,
                    on_progress,
                )))
            }
            _ => Err(invalid("cloth", value, expected)),
        }
    }

    /// The checked mesh.
    pub async fn mesh(self) -> Result<ClothMesh, JsValue> {
        let mesh = match self {
            Self::Grid {
                columns,
                rows,
                spacing,
            } => ClothMesh::grid(columns, rows, spacing),
            Self::Files(files) => {
                let files: Array = JsFuture::from(files).await?.unchecked_into();
                let file = |index| files.get(index).unchecked_into::<Uint8Array>().to_vec();
                ClothMesh::from_bytes(&file(0), &file(1))
            }
        };
        mesh.map_err(|error| session::simulation_error(SimulationError::Cloth(error)))
    }
}

/// A material by preset name or by numbers; numbers left out keep those of `base`.
pub fn material(value: Option<&JsValue>, base: ClothMaterial) -> Result<ClothMaterial, JsValue> {
    let Some(value) = value else { return Ok(base) };
    if let Some(name) = value.as_string() {
        let preset = ClothMaterial::PRESETS
            .iter()
            .find(|(preset, _)| *preset == name);
        return preset
            .map(|(_, material)| *material)
            .ok_or_else(|| invalid("material", value, MATERIALS));
    }
    let reader = Reader::new(value, "material", MATERIALS)?;
    reader.only(&[
        "stretch",
        "shear",
        "bend",
        "strainLimit",
        "arealDensity",
        "damping",
        "friction",
        "normalDrag",
        "tangentialDrag",
    ])?;
    let number = |key: &str, base: f64| Ok::<_, JsValue>(reader.number(key)?.unwrap_or(base));
    let material = ClothMaterial {
        stretch: number("stretch", base.stretch)?,
        shear: number("shear", base.shear)?,
        bend: number("bend", base.bend)?,
        // Infinity is how JavaScript says "no limit".
        strain_limit: match reader.number("strainLimit")? {
            None => base.strain_limit,
            Some(limit) if limit == f64::INFINITY => None,
            limit => limit,
        },
        areal_density: number("arealDensity", base.areal_density)?,
        damping: number("damping", base.damping)?,
        friction: number("friction", base.friction)?,
        normal_drag: number("normalDrag", base.normal_drag)?,
        tangential_drag: number("tangentialDrag", base.tangential_drag)?,
    };
    material
        .validate()
        .map_err(|error| host::error("invalid-option", &error.to_string()))?;
    Ok(material)
}

/// How a cloth enters the world, from the options of `create` or `loadCloth`. `extra` names options the caller reads.
pub fn cloth_options(reader: &Reader, extra: &[&str]) -> Result<ClothOptions, JsValue> {
    if let Some(surface) = reader.get("surface")? {
        return Err(invalid("surface", &surface, "left out for a cloth"));
    }
    let BodyOptions {
        transform,
        center,
        drop_to_floor,
        pinned,
        ..
    } = placed(reader, extra)?;
    Ok(ClothOptions {
        material: material(reader.get("material")?.as_ref(), ClothMaterial::default())?,
        transform,
        center,
        drop_to_floor,
        pinned,
        velocity: [0.0; 3],
    })
}

/// Wind as a velocity or as an object; what is left out of the object keeps `base`.
pub fn wind(value: &JsValue, base: Wind) -> Result<Wind, JsValue> {
    let wind = if Array::is_array(value) || js_sys::ArrayBuffer::is_view(value) {
        Wind {
            velocity: vector(value, "wind")?,
            ..base
        }
    } else {
        let expected = "three numbers or an object with velocity, gusts, seed and airDensity";
        if value.is_undefined() || value.is_null() {
            return Err(invalid("wind", value, expected));
        }
        let reader = Reader::new(value, "wind", expected)?;
        reader.only(&["velocity", "gusts", "seed", "airDensity"])?;
        Wind {
            velocity: reader.vector("velocity")?.unwrap_or(base.velocity),
            gusts: reader.number("gusts")?.unwrap_or(base.gusts),
            seed: reader
                .integer("seed", "an integer from 0 to 1e9")?
                .unwrap_or(base.seed),
            air_density: reader.number("airDensity")?.unwrap_or(base.air_density),
        }
    };
    wind.validate()
        .map_err(|error| host::error("invalid-option", &error.to_string()))?;
    Ok(wind)
}

#[wasm_bindgen]
impl SoftBody {
    /// Replaces what is loaded by a cloth; a failed load leaves the present one alone. Resolves to its report.
    #[wasm_bindgen(js_name = loadCloth, skip_typescript)]
    pub fn load_cloth(&self, cloth: JsValue, body_options: JsValue) -> Result<Promise, JsValue> {
        // Options are read and arrays copied before this returns: the caller may change them at once.
        let shared = Rc::clone(&self.shared);
        shared.with(|_| Ok(()))?;
        let reader = Reader::new(&body_options, "options", "an object of options")?;
        let names = ["camera", "signal", "onProgress", "onPrepare"];
        let options = cloth_options(&reader, &names)?;
        let request = super::Request::new(&reader, &body_options, Default::default(), "loadCloth")?;
        let undefined = JsValue::UNDEFINED;
        let looks = options::appearance(&reader.get("appearance")?.unwrap_or(undefined.clone()))?;
        let view = match reader.get("camera")? {
            None => None,
            Some(value) => Some(options::camera(&value)?),
        };
        let on_progress = reader.get("onProgress")?.unwrap_or(undefined);
        let source = Source::new(&cloth, &request.signal, &on_progress)?;
        let number = shared.begin_load();
        Ok(future_to_promise(async move {
            let mesh = source.mesh().await?;
            request.check()?;
            shared.check_load(number)?;
            let report = shared.with(|session| {
                // Refused before anything is replaced.
                if let Some(view) = &view {
                    session.check_camera(view)?;
                }
                let report = session.load_cloth(mesh, &options)?;
                session.apply_appearance(&looks);
                match &view {
                    Some(view) => session.apply_camera(view).map(|()| report),
                    None => Ok(report),
                }
            })?;
            shared.show();
            request.tell(1.0);
            to_object(&report)
        }))
    }

    /// Changes the air at once.
    #[wasm_bindgen(js_name = setWind, skip_typescript)]
    pub fn set_wind(&self, air: JsValue) -> Result<(), JsValue> {
        let base = self.shared.with(|session| Ok(session.simulation.wind()))?;
        let air = wind(&air, base)?;
        self.shared.with(|session| {
            let set = session.simulation.set_wind(air);
            set.map_err(session::simulation_error)
        })
    }
}

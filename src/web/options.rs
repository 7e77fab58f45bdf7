//! JavaScript options to settings.

use super::host;
use super::reader::{Reader, invalid};
use crate::render::Appearance;
use crate::settings::{Environment, Material, Scheme, SolverSettings, Transform};
pub use crate::simulation::BodyOptions;
use crate::simulation::Pinned;
use js_sys::{Array, Float32Array, Uint32Array};
use wasm_bindgen::prelude::*;

/// Options that say what a body is and where it starts.
const BODY_OPTIONS: [&str; 8] = [
    "material",
    "transform",
    "units",
    "center",
    "dropToFloor",
    "pinned",
    "appearance",
    "surface",
];
/// Further options of `create`.
const CREATE_OPTIONS: [&str; 15] = [
    "mesh",
    "cloth",
    "wind",
    "gravity",
    "floor",
    "scheme",
    "substeps",
    "iterations",
    "camera",
    "wasm",
    "autoResize",
    "interactive",
    "signal",
    "onProgress",
    "onPrepare",
];

/// A material by preset name or by numbers; numbers left out keep those of `base`.
pub fn material(value: Option<&JsValue>, base: Material) -> Result<Material, JsValue> {
    let Some(value) = value else { return Ok(base) };
    if let Some(name) = value.as_string() {
        return Material::PRESETS
            .iter()
            .find(|(preset, _)| *preset == name)
            .map(|(_, preset)| Material {
                damping: base.damping,
                friction: base.friction,
                ..*preset
            })
            .ok_or_else(|| {
                invalid(
                    "material",
                    value,
                    "\"soft\", \"medium\", \"stiff\" or an object of numbers",
                )
            });
    }
    let reader = Reader::new(
        value,
        "material",
        "\"soft\", \"medium\", \"stiff\" or an object of numbers",
    )?;
    reader.only(&[
        "youngsModulus",
        "poissonRatio",
        "density",
        "damping",
        "friction",
    ])?;
    let material = Material {
        youngs_modulus: reader
            .number("youngsModulus")?
            .unwrap_or(base.youngs_modulus),
        poisson_ratio: reader.number("poissonRatio")?.unwrap_or(base.poisson_ratio),
        density: reader.number("density")?.unwrap_or(base.density),
        damping: reader.number("damping")?.unwrap_or(base.damping),
        friction: reader.number("friction")?.unwrap_or(base.friction),
    };
    material
        .validate()
        .map_err(|error| host::error("invalid-option", &error.to_string()))?;
    Ok(material)
}

/// Scheme, substeps and iterations; what is left out keeps `base`.
pub fn solver(reader: &Reader, base: SolverSettings) -> Result<SolverSettings, JsValue> {
    let scheme = match reader.get("scheme")? {
        None => base.scheme,
        Some(value) => match value.as_string().as_deref() {
            Some("auto") => Scheme::default(),
            Some("explicit") => Scheme::Explicit,
            Some("xpbd") => Scheme::Xpbd,
            _ => {
                let expected = "\"auto\", \"explicit\" or \"xpbd\"";
                return Err(invalid("scheme", &value, expected));
            }
        },
    };
    let substeps = match reader.get("substeps")? {
        None => base.substeps,
        Some(value) if value.as_string().is_some_and(|word| word == "auto") => None,
        Some(_) => reader.integer("substeps", "\"auto\" or an integer from 1 to 200")?,
    };
    let settings = SolverSettings {
        scheme,
        substeps,
        iterations: reader
            .integer("iterations", "an integer from 1 to 100")?
            .unwrap_or(base.iterations),
    };
    settings
        .validate()
        .map_err(|error| host::error("invalid-option", &error.to_string()))?;
    Ok(settings)
}

/// Gravity and floor of `create`.
pub fn environment(reader: &Reader) -> Result<Environment, JsValue> {
    let base = Environment::default();
    let floor = match reader.get("floor")? {
        None => base.floor,
        Some(value) => match (value.as_bool(), value.as_f64()) {
            (Some(false), _) => None,
            (Some(true), _) => base.floor,
            (_, Some(height)) => Some(height),
            _ => {
                return Err(invalid(
                    "floor",
                    &value,
                    "true, false or a height in metres",
                ));
            }
        },
    };
    let environment = Environment {
        gravity: reader.vector("gravity")?.unwrap_or(base.gravity),
        floor,
    };
    environment
        .validate()
        .map_err(|error| host::error("invalid-option", &error.to_string()))?;
    Ok(environment)
}

/// What a body is and where it starts, without its surface. `extra` names further options the caller reads itself.
pub fn body(reader: &Reader, extra: &[&str]) -> Result<BodyOptions, JsValue> {
    Ok(BodyOptions {
        material: material(reader.get("material")?.as_ref(), Material::default())?,
        ..placed(reader, extra)?
    })
}

/// Where a body of either kind starts, and what of it is held.
pub fn placed(reader: &Reader, extra: &[&str]) -> Result<BodyOptions, JsValue> {
    let known: Vec<&str> = BODY_OPTIONS.iter().chain(extra).copied().collect();
    reader.only(&known)?;
    let units = match reader.get("units")?.map(|value| (value.as_string(), value)) {
        None => 1.0,
        Some((Some(name), _)) if name == "m" => 1.0,
        Some((Some(name), _)) if name == "cm" => 0.01,
        Some((Some(name), _)) if name == "mm" => 0.001,
        Some((Some(name), _)) if name == "in" => 0.0254,
        Some((_, value)) => {
            return Err(invalid("units", &value, "\"m\", \"cm\", \"mm\" or \"in\""));
        }
    };
    let mut transform = Transform::default();
    if let Some(child) = reader.child(
        "transform",
        "an object with translation, rotation and scale",
    )? {
        child.only(&["translation", "rotation", "scale"])?;
        transform.translation = child
            .vector("translation")?
            .unwrap_or(transform.translation);
        transform.rotation = child.vector("rotation")?.unwrap_or(transform.rotation);
        transform.scale = child.number("scale")?.unwrap_or(transform.scale);
    }
    transform
        .validate()
        .map_err(|error| host::error("invalid-option", &error.to_string()))?;
    transform.scale *= units;
    // The product again, before anything is downloaded.
    transform
        .validate()
        .map_err(|error| host::error("invalid-option", &format!("{error} (units included)")))?;
    Ok(BodyOptions {
        transform,
        center: reader.boolean("center")?.unwrap_or(false),
        drop_to_floor: reader.boolean("dropToFloor")?.unwrap_or(false),
        pinned: pinned(reader)?,
        ..BodyOptions::default()
    })
}

/// Names that `create` accepts besides those of a body.
pub fn create_names() -> &'static [&'static str] {
    &CREATE_OPTIONS
}

fn pinned(reader: &Reader) -> Result<Pinned, JsValue> {
    let expected = "a Uint32Array of vertex numbers or { box: { min, max } }";
    let Some(value) = reader.get("pinned")? else {
        return Ok(Pinned::None);
    };
    if value.is_instance_of::<Uint32Array>() || Array::is_array(&value) {
        return Ok(Pinned::Vertices(vertices(&value, "pinned")?));
    }
    let object = Reader::new(&value, "pinned", expected)?;
    object.only(&["box"])?;
    let Some(bounds) = object.child("box", "an object with min and max")? else {
        return Err(invalid("pinned", &value, expected));
    };
    bounds.only(&["min", "max"])?;
    let corner = |key: &str| -> Result<[f32; 3], JsValue> {
        let missing = || {
            invalid(
                &format!("pinned.box.{key}"),
                &JsValue::UNDEFINED,
                "an array of 3 finite numbers",
            )
        };
        Ok(bounds
            .vector::<3>(key)?
            .ok_or_else(missing)?
            .map(|number| number as f32))
    };
    Ok(Pinned::Box {
        min: corner("min")?,
        max: corner("max")?,
    })
}

/// Vertex numbers from a `Uint32Array` or an array of non-negative integers.
pub fn vertices(value: &JsValue, path: &str) -> Result<Vec<u32>, JsValue> {
    if let Some(list) = value.dyn_ref::<Uint32Array>() {
        return Ok(list.to_vec());
    }
    if !Array::is_array(value) {
        return Err(invalid(path, value, "a Uint32Array of vertex numbers"));
    }
    let number = |(index, entry): (usize, JsValue)| match entry.as_f64() {
        Some(number) if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) => {
            Ok(number as u32)
        }
        _ => Err(invalid(
            &format!("{path}[{index}]"),
            &entry,
            "a vertex number",
        )),
    };
    Array::from(value).iter().enumerate().map(number).collect()
}

/// Where pins go: three numbers for each of `count` vertices in a `Float32Array`, or nowhere.
pub fn targets(value: &JsValue, count: usize) -> Result<Option<Vec<[f64; 3]>>, JsValue> {
    if value.is_undefined() {
        return Ok(None);
    }
    match value.dyn_ref::<Float32Array>() {
        Some(array) if array.length() as usize == 3 * count => {
            let mut numbers = vec![[0.0f32; 3]; count];
            array.copy_to(numbers.as_flattened_mut());
            Ok(Some(
                numbers.into_iter().map(|p| p.map(f64::from)).collect(),
            ))
        }
        Some(array) => Err(host::error(
            "invalid-option",
            &format!(
                "targets has {} numbers, but must have 3 for each of {count} vertices",
                array.length()
            ),
        )),
        None => Err(invalid(
            "targets",
            value,
            "a Float32Array of 3 numbers per vertex",
        )),
    }
}

/// Reads `{ point, radius }`: where an impulse acts, or everywhere.
pub fn region(value: &JsValue) -> Result<Option<([f64; 3], f64)>, JsValue> {
    if value.is_undefined() {
        return Ok(None);
    }
    let expected = "an object with point and radius";
    let reader = Reader::new(value, "at", expected)?;
    reader.only(&["point", "radius"])?;
    match (reader.vector::<3>("point")?, reader.number("radius")?) {
        (Some(point), Some(radius)) => Ok(Some((point, radius))),
        (None, _) => Err(invalid(
            "at.point",
            &JsValue::UNDEFINED,
            "an array of 3 finite numbers",
        )),
        (_, None) => Err(invalid("at.radius", &JsValue::UNDEFINED, "a number")),
    }
}

/// Numbers of a camera; what is left out stays.
#[derive(Default)]
pub struct CameraOptions {
    /// World position, m.
    pub position: Option<[f64; 3]>,
    /// Point looked at, m.
    pub target: Option<[f64; 3]>,
    /// Vertical field of view, degrees.
    pub fov_y_degrees: Option<f64>,
}

/// Reads `{ position, target, fovYDegrees }`.
pub fn camera(value: &JsValue) -> Result<CameraOptions, JsValue> {
    let reader = Reader::new(
        value,
        "camera",
        "an object with position, target and fovYDegrees",
    )?;
    reader.only(&["position", "target", "fovYDegrees"])?;
    let fov = reader.number("fovYDegrees")?;
    if let Some(degrees) = fov
        && !(5.0..=120.0).contains(&degrees)
    {
        return Err(invalid(
            "camera.fovYDegrees",
            &JsValue::from_f64(degrees),
            "a number from 5 to 120 degrees",
        ));
    }
    for (key, point) in [
        ("camera.position", reader.vector::<3>("position")?),
        ("camera.target", reader.vector::<3>("target")?),
    ] {
        if let Some(far) = point.into_iter().flatten().find(|c| c.abs() > 1e7) {
            let expected = "three numbers within ±1e7 m";
            return Err(invalid(key, &JsValue::from_f64(far), expected));
        }
    }
    let options = CameraOptions {
        position: reader.vector("position")?,
        target: reader.vector("target")?,
        fov_y_degrees: fov,
    };
    Ok(options)
}

/// Changes of a body's looks; what is left out stays.
#[derive(Default)]
pub struct AppearanceOptions {
    /// Linear RGB.
    pub color: Option<[f32; 3]>,
    /// 0 mirror to 1 chalk.
    pub roughness: Option<f32>,
    /// 0 dielectric to 1 metal.
    pub metallic: Option<f32>,
    /// Cloth: −1 along the weft to 1 along the warp.
    pub anisotropy: Option<f32>,
    /// Cloth: 0 to 1.
    pub sheen: Option<f32>,
    /// Surface edges drawn on top.
    pub wireframe: Option<bool>,
}

/// Reads `{ color, roughness, metallic, anisotropy, sheen, wireframe }`.
pub fn appearance(value: &JsValue) -> Result<AppearanceOptions, JsValue> {
    let reader = Reader::new(
        value,
        "appearance",
        "an object with color, roughness, metallic, anisotropy, sheen and wireframe",
    )?;
    reader.only(&[
        "color",
        "roughness",
        "metallic",
        "anisotropy",
        "sheen",
        "wireframe",
    ])?;
    let share = |key: &str, least: f64, expected: &str| -> Result<Option<f32>, JsValue> {
        match reader.number(key)? {
            Some(number) if !(least..=1.0).contains(&number) => Err(invalid(
                &format!("appearance.{key}"),
                &JsValue::from_f64(number),
                expected,
            )),
            number => Ok(number.map(|number| number as f32)),
        }
    };
    let unit = |key: &str| share(key, 0.0, "a number from 0 to 1");
    let color = match reader.get("color")? {
        None => None,
        Some(value) => {
            let text = value
                .as_string()
                .ok_or_else(|| invalid("appearance.color", &value, "a colour like \"#4fb3a5\""))?;
            let parsed = Appearance::parse_color(&text);
            Some(parsed.map_err(|error| {
                host::error("invalid-option", &format!("appearance.color: {error}"))
            })?)
        }
    };
    Ok(AppearanceOptions {
        color,
        roughness: unit("roughness")?,
        metallic: unit("metallic")?,
        anisotropy: share("anisotropy", -1.0, "a number from -1 to 1")?,
        sheen: unit("sheen")?,
        wireframe: reader.boolean("wireframe")?,
    })
}

/// The two byte sources of a mesh.
pub fn mesh_sources(value: &JsValue) -> Result<[JsValue; 2], JsValue> {
    let expected = "an object with positions and tets";
    if value.is_undefined() || value.is_null() {
        return Err(invalid("mesh", value, expected));
    }
    let reader = Reader::new(value, "mesh", expected)?;
    reader.only(&["positions", "tets"])?;
    let source = |key: &str| {
        let missing = "a URL, a Response, an ArrayBuffer or a typed array";
        reader
            .get(key)?
            .ok_or_else(|| invalid(&format!("mesh.{key}"), &JsValue::UNDEFINED, missing))
    };
    Ok([source("positions")?, source("tets")?])
}

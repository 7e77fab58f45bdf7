//! JavaScript options to settings: every wrong value is named by its path, every unknown name gets a suggestion.

use super::host;
use crate::render::Appearance;
use crate::settings::{Environment, Material, SolverSettings, Transform};
use crate::simulation::{BodyOptions, Pinned};
use crate::text::{Number, Quoted};
use js_sys::{Array, Object, Reflect, Uint32Array};
use wasm_bindgen::prelude::*;

/// Options that say what a body is and where it starts.
const BODY_OPTIONS: [&str; 7] = [
    "material",
    "transform",
    "units",
    "center",
    "dropToFloor",
    "pinned",
    "appearance",
];
/// Further options of `create`.
const CREATE_OPTIONS: [&str; 11] = [
    "mesh",
    "gravity",
    "floor",
    "substeps",
    "iterations",
    "camera",
    "wasm",
    "autoResize",
    "interactive",
    "signal",
    "onProgress",
];

fn invalid(path: &str, value: &JsValue, expected: &str) -> JsValue {
    host::error(
        "invalid-option",
        &format!("{path} is {}, but must be {expected}", describe(value)),
    )
}

/// A short account of a value, never its whole contents.
fn describe(value: &JsValue) -> String {
    if let Some(text) = value.as_string() {
        return Quoted(&text.chars().take(60).collect::<String>()).to_string();
    }
    if let Some(number) = value.as_f64() {
        return Number::from(number).to_string();
    }
    let literals = [
        (JsValue::NULL, "null"),
        (JsValue::UNDEFINED, "undefined"),
        (JsValue::TRUE, "true"),
        (JsValue::FALSE, "false"),
    ];
    if let Some((_, name)) = literals.iter().find(|(literal, _)| literal == value) {
        return (*name).to_owned();
    }
    if Array::is_array(value) {
        return format!("an array of {} entries", Array::from(value).length());
    }
    format!(
        "of type {}",
        value.js_typeof().as_string().unwrap_or_default()
    )
}

/// An object with the path it was found at.
pub struct Reader {
    object: Object,
    path: String,
}

impl Reader {
    /// `value` as an object; `undefined` reads as an empty one.
    pub fn new(value: &JsValue, path: &str, expected: &str) -> Result<Self, JsValue> {
        if value.is_undefined() {
            return Ok(Self {
                object: Object::new(),
                path: path.to_owned(),
            });
        }
        if !value.is_object() || Array::is_array(value) {
            return Err(invalid(path, value, expected));
        }
        Ok(Self {
            object: value.clone().unchecked_into(),
            path: path.to_owned(),
        })
    }

    fn path_of(&self, key: &str) -> String {
        if self.path == "options" {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// The value under `key`, `None` where it is undefined.
    pub fn get(&self, key: &str) -> Result<Option<JsValue>, JsValue> {
        let value = Reflect::get(&self.object, &JsValue::from_str(key)).map_err(|thrown| {
            host::error(
                "invalid-option",
                &format!("reading {} threw {}", self.path_of(key), describe(&thrown)),
            )
        })?;
        Ok(if value.is_undefined() {
            None
        } else {
            Some(value)
        })
    }

    /// Refuses names outside `known`, with the nearest known one.
    pub fn only(&self, known: &[&str]) -> Result<(), JsValue> {
        for key in Object::keys(&self.object)
            .iter()
            .filter_map(|key| key.as_string())
        {
            if !known.contains(&key.as_str()) {
                let nearest = known.iter().min_by_key(|name| edit_distance(name, &key));
                let hint = match nearest {
                    Some(name) if edit_distance(name, &key) <= 3 => {
                        format!("; did you mean {name}?")
                    }
                    _ => format!("; known here: {}", known.join(", ")),
                };
                return Err(host::error(
                    "invalid-option",
                    &format!("{} is not an option{hint}", self.path_of(&key)),
                ));
            }
        }
        Ok(())
    }

    fn number(&self, key: &str) -> Result<Option<f64>, JsValue> {
        let Some(value) = self.get(key)? else {
            return Ok(None);
        };
        match value.as_f64() {
            Some(number) => Ok(Some(number)),
            None => Err(invalid(&self.path_of(key), &value, "a number")),
        }
    }

    fn integer(&self, key: &str, expected: &str) -> Result<Option<u32>, JsValue> {
        let Some(value) = self.get(key)? else {
            return Ok(None);
        };
        match value.as_f64() {
            Some(number) if number.fract() == 0.0 && (0.0..=1e9).contains(&number) => {
                Ok(Some(number as u32))
            }
            _ => Err(invalid(&self.path_of(key), &value, expected)),
        }
    }

    /// `true` or `false` under `key`.
    pub fn boolean(&self, key: &str) -> Result<Option<bool>, JsValue> {
        let Some(value) = self.get(key)? else {
            return Ok(None);
        };
        match value.as_bool() {
            Some(flag) => Ok(Some(flag)),
            None => Err(invalid(&self.path_of(key), &value, "true or false")),
        }
    }

    fn vector<const N: usize>(&self, key: &str) -> Result<Option<[f64; N]>, JsValue> {
        let Some(value) = self.get(key)? else {
            return Ok(None);
        };
        vector(&value, &self.path_of(key)).map(Some)
    }

    fn child(&self, key: &str, expected: &str) -> Result<Option<Reader>, JsValue> {
        let Some(value) = self.get(key)? else {
            return Ok(None);
        };
        Reader::new(&value, &self.path_of(key), expected).map(Some)
    }
}

/// N finite numbers from an array or typed array.
pub fn vector<const N: usize>(value: &JsValue, path: &str) -> Result<[f64; N], JsValue> {
    let expected = format!("an array of {N} finite numbers");
    let list = if Array::is_array(value) || js_sys::ArrayBuffer::is_view(value) {
        Array::from(value)
    } else {
        Array::new()
    };
    let mut numbers = [0.0; N];
    if list.length() as usize != N {
        return Err(invalid(path, value, &expected));
    }
    for (index, slot) in (0..).zip(&mut numbers) {
        let entry = list.get(index);
        match entry.as_f64() {
            Some(number) if number.is_finite() => *slot = number,
            _ => {
                return Err(invalid(
                    &format!("{path}[{index}]"),
                    &entry,
                    "a finite number",
                ));
            }
        }
    }
    Ok(numbers)
}

/// Levenshtein distance, for suggestions.
fn edit_distance(a: &str, b: &str) -> usize {
    let b = b.as_bytes();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &cb) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// A material by preset name or by numbers; numbers left out keep those of `base`.
pub fn material(value: Option<&JsValue>, base: Material) -> Result<Material, JsValue> {
    let Some(value) = value else { return Ok(base) };
    if let Some(name) = value.as_string() {
        return Material::PRESETS
            .iter()
            .find(|(preset, _)| *preset == name)
            .map(|(_, material)| *material)
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

/// Substeps and iterations; what is left out keeps `base`.
pub fn solver(reader: &Reader, base: SolverSettings) -> Result<SolverSettings, JsValue> {
    let settings = SolverSettings {
        substeps: reader
            .integer("substeps", "an integer from 1 to 200")?
            .unwrap_or(base.substeps),
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

/// What a body is and where it starts. `extra` names further options the caller reads itself.
pub fn body(reader: &Reader, extra: &[&str]) -> Result<BodyOptions, JsValue> {
    let known: Vec<&str> = BODY_OPTIONS.iter().chain(extra).copied().collect();
    reader.only(&known)?;
    let units = match reader.get("units")?.map(|value| (value.as_string(), value)) {
        None => 1.0,
        Some((Some(name), _)) if name == "m" => 1.0,
        Some((Some(name), _)) if name == "cm" => 0.01,
        Some((Some(name), _)) if name == "mm" => 0.001,
        Some((_, value)) => return Err(invalid("units", &value, "\"m\", \"cm\" or \"mm\"")),
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
    Ok(BodyOptions {
        material: material(reader.get("material")?.as_ref(), Material::default())?,
        transform,
        center: reader.boolean("center")?.unwrap_or(false),
        drop_to_floor: reader.boolean("dropToFloor")?.unwrap_or(false),
        pinned: pinned(reader)?,
        velocity: [0.0; 3],
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
    let options = CameraOptions {
        position: reader.vector("position")?,
        target: reader.vector("target")?,
        fov_y_degrees: fov,
    };
    if let (Some(position), Some(target)) = (options.position, options.target)
        && position == target
    {
        return Err(host::error(
            "invalid-option",
            "camera.position and camera.target are the same point",
        ));
    }
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
    /// Surface edges drawn on top.
    pub wireframe: Option<bool>,
}

/// Reads `{ color, roughness, metallic, wireframe }`.
pub fn appearance(value: &JsValue) -> Result<AppearanceOptions, JsValue> {
    let reader = Reader::new(
        value,
        "appearance",
        "an object with color, roughness, metallic and wireframe",
    )?;
    reader.only(&["color", "roughness", "metallic", "wireframe"])?;
    let unit = |key: &str| -> Result<Option<f32>, JsValue> {
        match reader.number(key)? {
            Some(number) if !(0.0..=1.0).contains(&number) => Err(invalid(
                &format!("appearance.{key}"),
                &JsValue::from_f64(number),
                "a number from 0 to 1",
            )),
            number => Ok(number.map(|number| number as f32)),
        }
    };
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

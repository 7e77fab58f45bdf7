//! Reading JavaScript values: every wrong one is named by its path, every unknown name gets a suggestion.

use super::host;
use crate::text::{Number, Quoted};
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::*;

/// The error for a value that is not `expected`.
pub fn invalid(path: &str, value: &JsValue, expected: &str) -> JsValue {
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
    // Its class where it has one; asking a bigint or symbol throws.
    let class = Reflect::get(value, &JsValue::from_str("constructor"))
        .and_then(|class| Reflect::get(&class, &JsValue::from_str("name")));
    let class = class.ok().and_then(|name| name.as_string());
    let class = class.or_else(|| value.js_typeof().as_string());
    format!("of type {}", class.unwrap_or_default())
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

    pub fn number(&self, key: &str) -> Result<Option<f64>, JsValue> {
        let Some(value) = self.get(key)? else {
            return Ok(None);
        };
        match value.as_f64() {
            Some(number) => Ok(Some(number)),
            None => Err(invalid(&self.path_of(key), &value, "a number")),
        }
    }

    pub fn integer(&self, key: &str, expected: &str) -> Result<Option<u32>, JsValue> {
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

    pub fn vector<const N: usize>(&self, key: &str) -> Result<Option<[f64; N]>, JsValue> {
        let Some(value) = self.get(key)? else {
            return Ok(None);
        };
        vector(&value, &self.path_of(key)).map(Some)
    }

    pub fn child(&self, key: &str, expected: &str) -> Result<Option<Reader>, JsValue> {
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

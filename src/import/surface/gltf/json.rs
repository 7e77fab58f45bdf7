//! JSON values that know their place in the file, so that every error names it: "meshes[2].primitives[0].indices".

use serde_json::{Map, Value};

use super::super::super::{ImportError, Location};
use super::super::scan::shown;
use super::{FORMAT, malformed};
use crate::text::Number;

/// An object of the file.
#[derive(Clone)]
pub(super) struct Object<'a> {
    map: &'a Map<String, Value>,
    path: String,
}

/// Parses the text. `start` is where it begins in the file if that is binary.
pub(super) fn parse(text: &[u8], start: Option<usize>) -> Result<Value, ImportError> {
    serde_json::from_slice(text).map_err(|error| {
        let location = match start {
            None => Location::Text {
                line: error.line(),
                column: error.column(),
            },
            Some(start) => {
                let before: usize = text
                    .split_inclusive(|&b| b == b'\n')
                    .take(error.line().saturating_sub(1))
                    .map(<[u8]>::len)
                    .sum();
                Location::Byte(start + before + error.column().saturating_sub(1))
            }
        };
        ImportError::Malformed {
            format: FORMAT,
            location,
            message: format!("the JSON is damaged: {}", reason(&error)),
        }
    })
}

/// The message without its place, which is given in our own way.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = b" at line ";
    let end = text
        .as_bytes()
        .windows(place.len())
        .rposition(|window| window == place);
    text[..end.unwrap_or(text.len())].to_owned()
}

/// What a value is, for messages.
fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "true or false".to_owned(),
        Value::Number(number) => match number.as_f64() {
            Some(number) => Number::from(number).to_string(),
            None => "a number out of range".to_owned(),
        },
        Value::String(text) => shown(text.as_bytes()),
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

impl<'a> Object<'a> {
    /// The whole file.
    pub fn root(value: &'a Value) -> Result<Self, ImportError> {
        Self::of(value, String::new())
    }

    fn of(value: &'a Value, path: String) -> Result<Self, ImportError> {
        match value {
            Value::Object(map) => Ok(Self { map, path }),
            _ => Err(expected(&path, "an object", value)),
        }
    }

    /// The path of a member.
    #[inline(never)]
    pub fn path(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// The path of the object itself.
    pub fn here(&self) -> &str {
        &self.path
    }

    pub fn has(&self, key: &str) -> bool {
        self.map.contains_key(key)
    }

    #[cold]
    #[inline(never)]
    fn wrong(&self, key: &str, what: &str, found: &Value) -> ImportError {
        expected(&self.path(key), what, found)
    }

    #[cold]
    #[inline(never)]
    pub fn missing(&self, key: &str) -> ImportError {
        malformed(format!("expected {}, which is missing", self.path(key)))
    }

    #[inline(never)]
    pub fn object(&self, key: &str) -> Result<Option<Self>, ImportError> {
        self.map
            .get(key)
            .map(|value| Self::of(value, self.path(key)))
            .transpose()
    }

    /// An extension of the object.
    #[inline(never)]
    pub fn extension(&self, name: &str) -> Result<Option<Self>, ImportError> {
        match self.object("extensions")? {
            Some(extensions) => extensions.object(name),
            None => Ok(None),
        }
    }

    /// The elements of an array, none if it is missing.
    #[inline(never)]
    pub fn array(&self, key: &str) -> Result<&'a [Value], ImportError> {
        match self.map.get(key) {
            None => Ok(&[]),
            Some(Value::Array(items)) => Ok(items),
            Some(other) => Err(self.wrong(key, "an array", other)),
        }
    }

    /// An object of an array.
    #[inline(never)]
    pub fn item(&self, key: &str, index: usize) -> Result<Self, ImportError> {
        let items = self.array(key)?;
        match items.get(index) {
            Some(value) => Self::of(value, format!("{}[{index}]", self.path(key))),
            None => Err(malformed(format!(
                "{}[{index}] is referred to, but there are {}",
                self.path(key),
                items.len()
            ))),
        }
    }

    #[inline(never)]
    pub fn text(&self, key: &str) -> Result<Option<&'a str>, ImportError> {
        match self.map.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(key, "a string", other)),
        }
    }

    /// A whole number from 0 on.
    #[inline(never)]
    pub fn index(&self, key: &str) -> Result<Option<usize>, ImportError> {
        let Some(value) = self.map.get(key) else {
            return Ok(None);
        };
        whole(value)
            .map(Some)
            .ok_or_else(|| self.wrong(key, "a whole number from 0 on", value))
    }

    #[inline(never)]
    pub fn required_index(&self, key: &str) -> Result<usize, ImportError> {
        self.index(key)?.ok_or_else(|| self.missing(key))
    }

    /// The indices of an array.
    #[inline(never)]
    pub fn indices(&self, key: &str) -> Result<Vec<usize>, ImportError> {
        self.array(key)?
            .iter()
            .map(|value| {
                whole(value).ok_or_else(|| self.wrong(key, "whole numbers from 0 on", value))
            })
            .collect()
    }

    /// A finite number.
    #[inline(never)]
    pub fn number(&self, key: &str) -> Result<Option<f64>, ImportError> {
        self.map
            .get(key)
            .map(|value| {
                value
                    .as_f64()
                    .filter(|x| x.is_finite())
                    .ok_or_else(|| self.wrong(key, "a number", value))
            })
            .transpose()
    }

    /// An array of as many numbers.
    pub fn numbers<const N: usize>(&self, key: &str) -> Result<Option<[f64; N]>, ImportError> {
        let mut numbers = [0.0; N];
        Ok(self.fill(key, &mut numbers)?.then_some(numbers))
    }

    /// Reads numbers into a slice of the right length; false if there are none.
    #[inline(never)]
    fn fill(&self, key: &str, numbers: &mut [f64]) -> Result<bool, ImportError> {
        let Some(value) = self.map.get(key) else {
            return Ok(false);
        };
        let items = self.array(key)?;
        let wrong = |found| self.wrong(key, &format!("{} numbers", numbers.len()), found);
        if items.len() != numbers.len() {
            return Err(wrong(value));
        }
        let is_number = |item: &Value| item.as_f64().is_some_and(f64::is_finite);
        if let Some(item) = items.iter().find(|item| !is_number(item)) {
            return Err(wrong(item));
        }
        for (number, item) in numbers.iter_mut().zip(items) {
            *number = item.as_f64().unwrap_or_default();
        }
        Ok(true)
    }

    #[inline(never)]
    pub fn flag(&self, key: &str) -> Result<bool, ImportError> {
        match self.map.get(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.wrong(key, "true or false", other)),
        }
    }
}

/// Writers without whole numbers give 3.0 for 3.
fn whole(value: &Value) -> Option<usize> {
    value
        .as_u64()
        .and_then(|number| usize::try_from(number).ok())
        .or_else(|| {
            let number = value.as_f64()?;
            (number.fract() == 0.0 && (0.0..9e15).contains(&number))
                .then(|| usize::try_from(number as u64).ok())
                .flatten()
        })
}

#[cold]
#[inline(never)]
fn expected(path: &str, what: &str, found: &Value) -> ImportError {
    let place = if path.is_empty() { "the file" } else { path };
    malformed(format!("expected {what} as {place}, found {}", kind(found)))
}

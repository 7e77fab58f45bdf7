//! Rust structs to plain JavaScript objects: the part of serde that reports and statistics need. The general crate for it
//! brings a hash table of property names along, which is worth it for many small objects only.

use js_sys::{Array, Object, Reflect};
use serde::Serialize;
use serde::ser::{Error, Impossible, SerializeSeq, SerializeStruct, SerializeTuple, Serializer};
use std::fmt::{self, Display, Formatter};
use wasm_bindgen::prelude::*;

/// A type that no result of this package has.
#[derive(Debug)]
pub struct Unsupported;

impl Display for Unsupported {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a type that has no place in a report")
    }
}

impl std::error::Error for Unsupported {}

impl Error for Unsupported {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

/// Numbers, flags, texts, lists and structs.
pub struct ToJs;

/// Entries so far.
pub struct List(Array);

/// Properties so far.
pub struct Properties(Object);

type Out = Result<JsValue, Unsupported>;
type Nothing = Impossible<JsValue, Unsupported>;

macro_rules! refused {
    ($($name:ident($($argument:ident: $type:ty),*) -> $out:ty;)+) => {$(
        fn $name(self, $($argument: $type),*) -> Result<$out, Unsupported> {
            Err(Unsupported)
        }
    )+};
}

macro_rules! numbers {
    ($($name:ident($type:ty))+) => {$(
        fn $name(self, number: $type) -> Out {
            Ok(JsValue::from_f64(number as f64))
        }
    )+};
}

impl Serializer for ToJs {
    type Ok = JsValue;
    type Error = Unsupported;
    type SerializeSeq = List;
    type SerializeTuple = List;
    type SerializeTupleStruct = Nothing;
    type SerializeTupleVariant = Nothing;
    type SerializeMap = Nothing;
    type SerializeStruct = Properties;
    type SerializeStructVariant = Nothing;

    numbers! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
        serialize_f32(f32) serialize_f64(f64)
    }
    refused! {
        serialize_char(_value: char) -> JsValue;
        serialize_bytes(_value: &[u8]) -> JsValue;
        serialize_unit() -> JsValue;
        serialize_unit_struct(_name: &'static str) -> JsValue;
        serialize_unit_variant(_name: &'static str, _index: u32, _variant: &'static str) -> JsValue;
        serialize_tuple_struct(_name: &'static str, _length: usize) -> Nothing;
        serialize_tuple_variant(_name: &'static str, _index: u32, _variant: &'static str, _length: usize) -> Nothing;
        serialize_map(_length: Option<usize>) -> Nothing;
        serialize_struct_variant(_name: &'static str, _index: u32, _variant: &'static str, _length: usize) -> Nothing;
    }

    fn serialize_bool(self, flag: bool) -> Out {
        Ok(JsValue::from_bool(flag))
    }

    fn serialize_str(self, text: &str) -> Out {
        Ok(JsValue::from_str(text))
    }

    fn serialize_none(self) -> Out {
        Ok(JsValue::UNDEFINED)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Out {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Out {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Out {
        Err(Unsupported)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List, Unsupported> {
        Ok(List(Array::new()))
    }

    fn serialize_tuple(self, _: usize) -> Result<List, Unsupported> {
        Ok(List(Array::new()))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Properties, Unsupported> {
        Ok(Properties(Object::new()))
    }
}

impl SerializeSeq for List {
    type Ok = JsValue;
    type Error = Unsupported;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unsupported> {
        self.0.push(&value.serialize(ToJs)?);
        Ok(())
    }

    fn end(self) -> Out {
        Ok(self.0.into())
    }
}

impl SerializeTuple for List {
    type Ok = JsValue;
    type Error = Unsupported;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unsupported> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Out {
        SerializeSeq::end(self)
    }
}

impl SerializeStruct for Properties {
    type Ok = JsValue;
    type Error = Unsupported;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Unsupported> {
        let value = value.serialize(ToJs)?;
        set(&self.0, name, &value);
        Ok(())
    }

    fn end(self) -> Out {
        Ok(self.0.into())
    }
}

#[inline(never)]
fn set(object: &Object, name: &str, value: &JsValue) {
    // Setting a property of a fresh plain object cannot fail.
    let _ = Reflect::set(object, &JsValue::from_str(name), value);
}

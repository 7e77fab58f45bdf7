//! What is under a point of the canvas.

use super::reader::invalid;
use super::session::simulation_error;
use super::shared::Shared;
use crate::gpu::GpuError;
use crate::math;
use crate::simulation::{Hit, Ray};
use std::pin::Pin;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlCanvasElement, OffscreenCanvas};

/// A hit on its way back from the GPU.
pub type PickRead = Pin<Box<dyn Future<Output = Result<Option<Hit>, GpuError>>>>;

/// Width and height of the canvas on the page in CSS pixels; those of its picture where it has no place there.
fn css_size(canvas: &JsValue) -> [f64; 2] {
    if let Some(canvas) = canvas.dyn_ref::<OffscreenCanvas>() {
        return [canvas.width(), canvas.height()].map(f64::from);
    }
    let element: &Element = canvas.unchecked_ref();
    let [width, height] = [element.client_width(), element.client_height()];
    if width > 0 && height > 0 {
        return [width, height].map(f64::from);
    }
    let canvas: &HtmlCanvasElement = canvas.unchecked_ref();
    [canvas.width(), canvas.height()].map(f64::from)
}

/// Points that are asked where one is to be found nearby.
const NEARBY: usize = 64;
/// The angle between one of them and the next, radians: the golden one, which spreads them evenly.
const GOLDEN_ANGLE: f64 = 2.399_963;
/// Farthest from the middle that a point of the picture is looked for, in half heights of the picture.
const FARTHEST: f64 = 100.0;

impl Shared {
    /// The camera's ray through a point of the canvas, CSS pixels from its upper left corner.
    pub fn ray(&self, x: f64, y: f64) -> Result<Ray, JsValue> {
        for (name, number) in [("x", x), ("y", y)] {
            if !number.is_finite() {
                let expected = "a finite number of CSS pixels";
                return Err(invalid(name, &JsValue::from_f64(number), expected));
            }
        }
        let [width, height] = css_size(self.canvas());
        let ndc = [2.0 * x / width - 1.0, 1.0 - 2.0 * y / height];
        self.with(|session| {
            let (width, height) = session.viewport.size();
            let aspect = width as f32 / height as f32;
            let ndc = ndc.map(|number| number.clamp(-FARTHEST, FARTHEST) as f32);
            let (origin, direction) = session.viewport.camera().ray(ndc, aspect);
            Ok(Ray {
                origin: origin.as_dvec3().to_array(),
                direction: direction.as_dvec3().to_array(),
            })
        })
    }

    /// What is there, or else within `spread` CSS pixels, asked of the GPU at once.
    pub fn pick(&self, x: f64, y: f64, spread: f64) -> Result<PickRead, JsValue> {
        let count = if spread > 0.0 { NEARBY } else { 1 };
        let mut rays = Vec::new();
        for number in 0..count {
            // From the middle outwards, evenly.
            let radius = match number {
                0 => 0.0,
                _ => spread * (number as f64 / count as f64).sqrt(),
            };
            let angle = GOLDEN_ANGLE * number as f64;
            rays.push(self.ray(x + radius * math::cos(angle), y + radius * math::sin(angle))?);
        }
        self.with(|session| {
            let read = session.simulation.pick_all(&rays);
            let read = read.map_err(simulation_error)?;
            let nearest = async move { Ok(read.await?.into_iter().flatten().next()) };
            Ok(Box::pin(nearest) as PickRead)
        })
    }
}

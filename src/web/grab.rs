//! Hands: pointers of the canvas that hold the body, and those that ask what is under them.

use super::reader::{Reader, invalid};
use super::session::{Session, simulation_error};
use super::shared::Shared;
use super::{future_to_promise, host, to_object};
use crate::simulation::GrabOptions;
use glam::DVec3;
use js_sys::Promise;
use serde::Serialize;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Of a caller who names none: browsers give this number to no pointer.
const NO_POINTER: i32 = -1;

/// A pointer that holds something, or waits to.
struct Hand {
    pointer: u32,
    /// The number of what it asked; 0 where it holds something.
    asked: u32,
    /// Where it wants what it holds, world, m.
    point: DVec3,
}

/// What pointers hold, and which of them wait to hold something.
#[derive(Default)]
pub struct Hands {
    hands: Vec<Hand>,
    asked: u32,
}

impl Hands {
    fn add(&mut self, pointer: u32, asked: u32, point: DVec3) {
        self.hands.push(Hand {
            pointer,
            asked,
            point,
        });
    }

    /// A pointer asks what is under it; what it asked before no longer counts.
    fn ask(&mut self, pointer: u32) -> u32 {
        self.remove(&|hand| hand.pointer == pointer && hand.asked != 0);
        self.asked += 1;
        self.add(pointer, self.asked, DVec3::ZERO);
        self.asked
    }

    /// Whether somebody still waits for this answer, which is then given.
    fn answer(&mut self, number: u32) -> bool {
        let before = self.hands.len();
        self.remove(&|hand| hand.asked == number);
        self.hands.len() < before
    }

    /// The point of a pointer that holds something.
    fn point(&mut self, pointer: u32) -> Option<&mut DVec3> {
        let mut hands = self.hands.iter_mut();
        let hand = hands.find(|hand| hand.pointer == pointer && hand.asked == 0)?;
        Some(&mut hand.point)
    }

    /// A pointer lets go, or all of them; how many held something.
    fn forget(&mut self, pointer: Option<u32>) -> usize {
        self.remove(&|hand| pointer.is_none_or(|pointer| pointer == hand.pointer))
    }

    /// Removes those that are `gone`; how many of them held something.
    fn remove(&mut self, gone: &dyn Fn(&Hand) -> bool) -> usize {
        let mut held = 0;
        self.hands.retain(|hand| {
            let gone = gone(hand);
            held += usize::from(gone && hand.asked == 0);
            !gone
        });
        held
    }
}

/// What the `grab` event tells.
#[derive(Serialize)]
struct Grabbed {
    body: u32,
    vertex: u32,
}

/// What the `release` event tells.
#[derive(Serialize)]
struct Released {
    body: u32,
}

/// A pointer's number, negative ones included.
pub fn pointer_number(value: f64) -> u32 {
    value as i32 as u32
}

/// A `pointerId`, `None` where it is left out.
pub fn pointer(value: &JsValue) -> Result<Option<u32>, JsValue> {
    if value.is_undefined() {
        return Ok(None);
    }
    match value.as_f64() {
        Some(number) if f64::from(number as i32) == number => Ok(Some(pointer_number(number))),
        _ => Err(invalid("pointerId", value, "an integer of 32 bits")),
    }
}

/// The same with a number for a caller who names none.
pub fn pointer_or_none(value: &JsValue) -> Result<u32, JsValue> {
    Ok(pointer(value)?.unwrap_or(NO_POINTER as u32))
}

/// Reads `{ pointerId, stiffness, radius }`.
pub fn options(value: &JsValue) -> Result<(u32, GrabOptions), JsValue> {
    let expected = "an object with pointerId, stiffness and radius";
    let reader = Reader::new(value, "options", expected)?;
    reader.only(&["pointerId", "stiffness", "radius"])?;
    let options = GrabOptions {
        stiffness: reader.number("stiffness")?,
        radius: reader.number("radius")?,
    };
    options
        .validate()
        .map_err(|error| simulation_error(error.into()))?;
    let id = reader.get("pointerId")?.unwrap_or(JsValue::UNDEFINED);
    Ok((pointer_or_none(&id)?, options))
}

impl Shared {
    /// Asks the GPU at once what is at a point of the canvas, or else within `spread` CSS pixels of it; the future takes
    /// hold of it. `Some(false)` where nothing is there, `None` where the pointer has let go meanwhile.
    pub fn grab(
        self: &Rc<Self>,
        (x, y): (f64, f64),
        spread: f64,
        pointer: u32,
        options: GrabOptions,
    ) -> Result<impl Future<Output = Result<Option<bool>, JsValue>> + use<>, JsValue> {
        let read = self.pick(x, y, spread)?;
        let number = self.hands().ask(pointer);
        let shared = Rc::clone(self);
        Ok(async move {
            let hit = read.await;
            let wanted = shared.hands().answer(number);
            shared.with(|_| Ok(()))?;
            let hit = hit.map_err(|error| host::error("device-lost", &error.to_string()))?;
            let Some(hit) = hit else {
                return Ok(Some(false));
            };
            if !wanted {
                return Ok(None);
            }
            shared.with(|session| {
                let grabbed = session.simulation.grab(pointer, &hit, &options);
                grabbed.map_err(simulation_error)
            })?;
            // What the pointer held before it has let go without being asked to.
            let before = shared.hands().forget(Some(pointer));
            shared.hands().add(pointer, 0, DVec3::from(hit.point));
            shared.tell_released(before)?;
            let (body, vertex) = (hit.body, hit.vertex);
            let grabbed = to_object(&Grabbed { body, vertex })?;
            shared.emitter().emit("grab", &grabbed);
            Ok(Some(true))
        })
    }

    /// The same for gestures: nobody waits for its failure.
    pub fn grab_by_hand(self: &Rc<Self>, [x, y, pointer, spread]: [f64; 4]) -> Promise {
        let grabbing = self.grab(
            (x, y),
            spread,
            pointer_number(pointer),
            GrabOptions::default(),
        );
        // There is no body, or no device any more.
        let Ok(grabbing) = grabbing else {
            return Promise::resolve(&JsValue::FALSE);
        };
        let shared = Rc::clone(self);
        future_to_promise(async move {
            Ok(match grabbing.await {
                Ok(Some(holds)) => holds.into(),
                Ok(None) => JsValue::UNDEFINED,
                Err(error) => {
                    // Otherwise whoever disposed, or the event of the loss, has said so.
                    if shared.with(|_| Ok(())).is_ok() {
                        shared.emitter().emit("error", &error);
                    }
                    JsValue::UNDEFINED
                }
            })
        })
    }

    /// Draws what a pointer holds to where its ray meets the plane through it that faces the camera. Nothing happens
    /// where it holds nothing.
    pub fn drag(&self, x: f64, y: f64, pointer: u32) -> Result<(), JsValue> {
        let direction = DVec3::from(self.ray(x, y)?.direction);
        self.carry(pointer, &|session, point| {
            let camera = session.viewport.camera();
            let eye = camera.position.as_dvec3();
            let back = camera.axes().back.as_dvec3();
            let distance = (point - eye).dot(back) / direction.dot(back);
            // What is behind the eye stays there.
            match distance > 0.0 {
                true => eye + distance * direction,
                false => point,
            }
        })
    }

    /// The same for gestures, of which some go on after what they held is gone.
    pub fn drag_by_hand(&self, x: f64, y: f64, pointer: f64) -> Result<(), JsValue> {
        let pointer = pointer_number(pointer);
        let holds = self.hands().point(pointer).is_some();
        if holds {
            self.drag(x, y, pointer)
        } else {
            Ok(())
        }
    }

    /// Moves what a pointer holds along the camera's axes, by fractions of the picture's height there.
    pub fn pull(&self, [right, up, away, pointer]: [f64; 4]) -> Result<(), JsValue> {
        self.carry(pointer_number(pointer), &|session, point| {
            let camera = session.viewport.camera();
            let axes = camera.axes();
            let depth = (camera.position.as_dvec3() - point).dot(axes.back.as_dvec3());
            let along = right * axes.right.as_dvec3() + up * axes.up.as_dvec3()
                - away * axes.back.as_dvec3();
            point + 2.0 * f64::from(camera.half_height()) * depth * along
        })
    }

    fn carry(
        &self,
        pointer: u32,
        target: &dyn Fn(&Session, DVec3) -> DVec3,
    ) -> Result<(), JsValue> {
        let mut hands = self.hands();
        let Some(point) = hands.point(pointer) else {
            return Ok(());
        };
        self.with(|session| {
            let target = target(session, *point);
            if session.simulation.drag(pointer, target.to_array()) {
                *point = target;
            }
            Ok(())
        })
    }

    /// A pointer lets go, or all of them; also of what it has asked for.
    pub fn release(&self, pointer: Option<u32>) -> Result<(), JsValue> {
        self.with(|session| {
            session.simulation.release(pointer);
            Ok(())
        })?;
        let gone = self.hands().forget(pointer);
        self.tell_released(gone)
    }

    /// The same for gestures: a pointer that has nothing to let go goes unheard, whatever became of the device.
    pub fn release_by_hand(&self, pointer: f64) -> Result<(), JsValue> {
        let pointer = Some(pointer_number(pointer));
        let gone = self.hands().forget(pointer);
        if gone == 0 {
            return Ok(());
        }
        self.with(|session| {
            session.simulation.release(pointer);
            Ok(())
        })?;
        self.tell_released(gone)
    }

    /// What was held is no longer there.
    pub fn drop_hands(&self) {
        let gone = self.hands().forget(None);
        if let Err(error) = self.tell_released(gone) {
            self.emitter().emit("error", &error);
        }
    }

    fn tell_released(&self, count: usize) -> Result<(), JsValue> {
        for _ in 0..count {
            let released = to_object(&Released { body: 0 })?;
            self.emitter().emit("release", &released);
        }
        Ok(())
    }
}

// View: frames and sizes, with small stand-ins for the parts of the DOM it touches; gestures switched on and off.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Gestures } from "../gestures.js";
import { View, useGestures } from "../view.js";
import { Canvas } from "./canvas.mjs";

useGestures(Gestures);

/** Records calls as ["name", ...args]. */
function recorder() {
  const calls = [];
  const handlers = {};
  for (const name of ["frame", "resize"]) handlers[name] = (...args) => void calls.push([name, ...args]);
  return { calls, handlers };
}

let observers;
let queries;
let frames;
beforeEach(() => {
  observers = [];
  queries = [];
  frames = new Map();
  let next = 1;
  globalThis.requestAnimationFrame = (callback) => (frames.set(next, callback), next++);
  globalThis.cancelAnimationFrame = (id) => void frames.delete(id);
  globalThis.devicePixelRatio = 2;
  globalThis.matchMedia = (query) => {
    const list = Object.assign(new EventTarget(), { query });
    queries.push(list);
    return list;
  };
  globalThis.ResizeObserver = class {
    constructor(callback) {
      this.callback = callback;
      this.observed = [];
      observers.push(this);
    }
    observe(_, options) {
      this.observed.push(options?.box ?? "content-box");
    }
    unobserve() {
      this.observed.push("unobserve");
    }
    disconnect() {
      this.disconnected = true;
    }
    tell(width, height, device) {
      const box = device && [{ inlineSize: device[0], blockSize: device[1] }];
      this.callback([{ contentRect: { width, height }, devicePixelContentBoxSize: box }]);
    }
  };
});
afterEach(() => {
  for (const name of ["requestAnimationFrame", "cancelAnimationFrame", "devicePixelRatio", "matchMedia", "ResizeObserver"]) {
    delete globalThis[name];
  }
});
/** Runs the animation frames that are waiting. */
function nextFrame(now) {
  const waiting = [...frames.values()];
  frames.clear();
  for (const callback of waiting) callback(now);
}

test("frames run from start to stop, one at a time", () => {
  const { calls, handlers } = recorder();
  const view = new View(new Canvas(), handlers);
  view.start();
  view.start();
  assert.equal(frames.size, 1);
  nextFrame(16);
  nextFrame(32);
  assert.deepEqual(calls, [["frame", 16], ["frame", 32]]);
  view.stop();
  assert.equal(frames.size, 0);
  assert.equal(view.running, false);
  view.start();
  nextFrame(48);
  assert.equal(calls.length, 3);
});

test("stop and start inside a frame leave exactly one frame waiting", () => {
  const { handlers } = recorder();
  const view = new View(new Canvas(), { ...handlers, frame: () => (view.stop(), view.start()) });
  view.start();
  nextFrame(0);
  assert.equal(frames.size, 1);
  const stopping = new View(new Canvas(), { ...handlers, frame: () => stopping.stop() });
  frames.clear();
  stopping.start();
  nextFrame(0);
  assert.equal(frames.size, 0);
});

test("a frame that throws ends the loop instead of throwing 60 times a second", () => {
  const { handlers } = recorder();
  const view = new View(new Canvas(), {
    ...handlers,
    frame: () => {
      throw new Error("trap");
    },
  });
  view.start();
  assert.throws(() => nextFrame(0), /trap/);
  assert.equal(view.running, false);
  assert.equal(frames.size, 0);
});

test("without requestAnimationFrame a timer drives the frames", async () => {
  delete globalThis.requestAnimationFrame;
  const { calls, handlers } = recorder();
  const view = new View({ width: 10, height: 10 }, handlers);
  view.start();
  await new Promise((resolve) => setTimeout(resolve, 80));
  view.stop();
  const count = calls.length;
  assert.ok(count >= 2, `${count} frames`);
  assert.ok(calls[1][1] > calls[0][1]);
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.equal(calls.length, count);
});

test("sizes are device pixels: measured, or content box times pixel ratio", () => {
  const { calls, handlers } = recorder();
  const view = new View(new Canvas(), handlers);
  view.setAutoResize(true);
  view.setAutoResize(true);
  assert.equal(observers.length, 1);
  observers[0].tell(300.4, 150.2, [601, 301]);
  observers[0].tell(300.4, 150.2, [601, 301]);
  observers[0].tell(100.3, 50.3, undefined);
  // Emulated device metrics: the measured box leaves the pixel ratio out.
  observers[0].tell(500, 400, [500, 400]);
  assert.deepEqual(calls, [["resize", 601, 301], ["resize", 201, 101], ["resize", 1000, 800]]);
});

test("a hidden canvas is one pixel, a huge one keeps its shape below the texture limit", () => {
  const { calls, handlers } = recorder();
  const view = new View(new Canvas(), handlers);
  view.setAutoResize(true);
  observers[0].tell(0, 0, [0, 0]);
  observers[0].tell(10000, 5000, [20000, 10000]);
  observers[0].tell(20000, 1, [20000, 1]);
  assert.deepEqual(calls, [["resize", 1, 1], ["resize", 8192, 4096], ["resize", 8192, 1]]);
});

test("a canvas whose layout follows its attributes does not grow for ever", () => {
  const { calls, handlers } = recorder();
  const canvas = new Canvas();
  const view = new View(canvas, handlers);
  view.setAutoResize(true);
  observers[0].tell(300, 150, [600, 300]);
  // The attributes are now 600 × 300, and so is the layout of a canvas without a CSS size.
  observers[0].tell(600, 300, [1200, 600]);
  assert.deepEqual([canvas.style.width, canvas.style.height], ["300px", "150px"]);
  observers[0].tell(300, 150, [600, 300]);
  assert.deepEqual(calls, [["resize", 600, 300]]);
  view.dispose();
  assert.deepEqual([canvas.style.width, canvas.style.height], ["", ""]);
});

test("a change of the pixel ratio measures anew, as often as it changes, until switched off", () => {
  const { handlers } = recorder();
  const view = new View(new Canvas(), handlers);
  view.setAutoResize(true);
  assert.equal(queries[0].query, "(resolution: 2dppx)");
  globalThis.devicePixelRatio = 1;
  queries[0].dispatchEvent(new Event("change"));
  assert.equal(queries[1].query, "(resolution: 1dppx)");
  queries[1].dispatchEvent(new Event("change"));
  const box = "device-pixel-content-box";
  assert.deepEqual(observers[0].observed, [box, "unobserve", box, "unobserve", box]);
  view.setAutoResize(false);
  queries[2].dispatchEvent(new Event("change"));
  assert.equal(observers[0].observed.length, 5);
  assert.ok(observers[0].disconnected);
});

test("a browser that cannot measure device pixels falls back to the content box", () => {
  const Base = globalThis.ResizeObserver;
  globalThis.ResizeObserver = class extends Base {
    observe(target, options) {
      if (options?.box === "device-pixel-content-box") throw new TypeError("unknown box");
      super.observe(target, options);
    }
  };
  const view = new View(new Canvas(), recorder().handlers);
  view.setAutoResize(true);
  assert.deepEqual(observers[0].observed, ["content-box"]);
});

test("dispose removes every listener and gives the canvas back as it was, twice without harm", () => {
  const { calls, handlers } = recorder();
  const canvas = new Canvas();
  const view = new View(canvas, handlers);
  view.setInteractive(true);
  view.setInteractive(true);
  view.setAutoResize(true);
  view.start();
  assert.ok(canvas.listeners >= 8 && canvas.listeners < 16, "one set of gestures");
  view.dispose();
  view.dispose();
  assert.equal(canvas.listeners, 0);
  assert.equal(frames.size, 0);
  view.start();
  view.setInteractive(true);
  view.setAutoResize(true);
  canvas.drag({}, [0, 0], [1, 1]);
  assert.equal(canvas.listeners, 0);
  assert.deepEqual(calls, []);
  assert.equal(observers.length, 1);
});

test("an OffscreenCanvas has neither layout nor gestures, and no error", () => {
  const { calls, handlers } = recorder();
  const view = new View({ width: 10, height: 10 }, handlers);
  view.setAutoResize(true);
  view.setInteractive(true);
  view.dispose();
  assert.deepEqual(calls, []);
  assert.equal(observers.length, 0);
});

// View: frames, sizes and gestures, with small stand-ins for the parts of the DOM it touches.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { View } from "../view.js";

/** A canvas as far as View knows one; counts its listeners, so that a leak shows. */
class Canvas extends EventTarget {
  style = { touchAction: "pan-y", width: "", height: "" };
  clientHeight = 300;
  attributes = new Map();
  captured = new Set();
  focused = 0;
  listeners = 0;
  addEventListener(type, listener, options) {
    this.listeners++;
    options.signal.addEventListener("abort", () => this.listeners--, { once: true });
    super.addEventListener(type, listener, options);
  }
  hasAttribute(name) {
    return this.attributes.has(name);
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  set tabIndex(value) {
    this.attributes.set("tabindex", String(value));
  }
  setPointerCapture(id) {
    if (id === 99) throw new DOMException("gone", "NotFoundError");
    this.captured.add(id);
  }
  hasPointerCapture(id) {
    return this.captured.has(id);
  }
  releasePointerCapture(id) {
    this.captured.delete(id);
  }
  focus() {
    this.focused++;
  }
  send(type, fields = {}) {
    const event = Object.assign(new Event(type, { cancelable: true }), { button: 0, pointerId: 1 }, fields);
    this.dispatchEvent(event);
    return event;
  }
  drag(fields, ...points) {
    const [[x, y], ...rest] = points;
    this.send("pointerdown", { ...fields, clientX: x, clientY: y });
    for (const [clientX, clientY] of rest) this.send("pointermove", { ...fields, clientX, clientY });
    this.send("pointerup", fields);
  }
}

/** Records calls as ["name", ...args]. */
function recorder() {
  const calls = [];
  const handlers = {};
  for (const name of ["frame", "resize", "orbit", "pan", "zoom"]) handlers[name] = (...args) => void calls.push([name, ...args]);
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

/** The stand-in canvas is 300 pixels high; a drag over its height turns by half a circle. */
const TURN = Math.PI / 300;
function near(calls, expected) {
  assert.deepEqual(calls.map(([name]) => name), expected.map(([name]) => name));
  calls.forEach(([name, ...numbers], i) =>
    numbers.forEach((number, j) => {
      const wanted = expected[i][j + 1];
      assert.ok(Math.abs(number - wanted) < 1e-12, `${name} ${i}: ${numbers} instead of ${expected[i].slice(1)}`);
    }),
  );
}

test("the left button orbits; right, middle and Shift pan; moves without a button do nothing", () => {
  const { calls, handlers } = recorder();
  const canvas = new Canvas();
  new View(canvas, handlers).setInteractive(true);
  canvas.send("pointermove", { clientX: 5, clientY: 5 });
  canvas.drag({}, [10, 10], [13, 8], [13, 8], [14, 8]);
  canvas.drag({ button: 2 }, [0, 0], [1, 2]);
  canvas.drag({ button: 1 }, [0, 0], [3, 4]);
  canvas.drag({ shiftKey: true }, [0, 0], [5, 6]);
  canvas.drag({ button: 3 }, [0, 0], [9, 9]);
  canvas.send("pointermove", { clientX: 5, clientY: 5 });
  // The eye goes left when the pointer goes right, and down when it goes up: the scene follows the pointer.
  near(calls, [
    ["orbit", -3 * TURN, -2 * TURN],
    ["orbit", -1 * TURN, 0],
    ["pan", -1 / 300, 2 / 300],
    ["pan", -3 / 300, 4 / 300],
    ["pan", -5 / 300, 6 / 300],
  ]);
  assert.equal(canvas.focused, 4);
  assert.ok(canvas.captured.has(1));
});

test("a pointer that cannot be captured still orbits; one that is cancelled no longer does", () => {
  const { calls, handlers } = recorder();
  const canvas = new Canvas();
  new View(canvas, handlers).setInteractive(true);
  canvas.drag({ pointerId: 99 }, [0, 0], [1, 1]);
  near(calls, [["orbit", -TURN, TURN]]);
  for (const end of ["pointercancel", "lostpointercapture"]) {
    canvas.send("pointerdown", { clientX: 0, clientY: 0 });
    canvas.send(end);
    canvas.send("pointermove", { clientX: 9, clientY: 9 });
  }
  assert.equal(calls.length, 1);
});

test("two fingers pan by their middle and zoom by their distance; the last one orbits again", () => {
  const { calls, handlers } = recorder();
  const canvas = new Canvas();
  new View(canvas, handlers).setInteractive(true);
  canvas.send("pointerdown", { pointerId: 1, clientX: 0, clientY: 0 });
  canvas.send("pointerdown", { pointerId: 2, clientX: 100, clientY: 0 });
  canvas.send("pointermove", { pointerId: 2, clientX: 200, clientY: 0 });
  near(calls.splice(0), [["pan", -50 / 300, 0], ["zoom", 0.5]]);
  // Fingers on one spot must not zoom to infinity.
  canvas.send("pointermove", { pointerId: 2, clientX: 0, clientY: 0 });
  canvas.send("pointermove", { pointerId: 2, clientX: 100, clientY: 0 });
  assert.ok(calls.splice(0).every(([name]) => name === "pan"));
  canvas.send("pointerup", { pointerId: 1 });
  canvas.send("pointermove", { pointerId: 2, clientX: 101, clientY: 2 });
  near(calls, [["orbit", -TURN, 2 * TURN]]);
});

test("the wheel zooms in whatever unit it counts, bounded, and does not scroll the page", () => {
  const { calls, handlers } = recorder();
  const canvas = new Canvas();
  new View(canvas, handlers).setInteractive(true);
  const zoom = (fields) => {
    const event = canvas.send("wheel", { deltaMode: 0, ctrlKey: false, ...fields });
    assert.ok(event.defaultPrevented);
    return calls.pop()?.[1];
  };
  assert.ok(zoom({ deltaY: -100 }) < 0.9);
  assert.ok(zoom({ deltaY: 100 }) > 1.1);
  assert.equal(zoom({ deltaY: 3, deltaMode: 1 }), zoom({ deltaY: 48 }));
  assert.equal(zoom({ deltaY: 0.5, deltaMode: 2 }), zoom({ deltaY: 150 }));
  assert.equal(zoom({ deltaY: -1e9 }), 0.5);
  assert.equal(zoom({ deltaY: 1e9 }), 2);
  assert.ok(zoom({ deltaY: -2, ctrlKey: true }) < zoom({ deltaY: -2 }));
  assert.equal(zoom({ deltaY: 0, deltaX: 50 }), undefined);
});

test("keys orbit, pan with Shift and zoom; shortcuts and other keys are left alone", () => {
  const { calls, handlers } = recorder();
  const canvas = new Canvas();
  new View(canvas, handlers).setInteractive(true);
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) assert.ok(canvas.send("keydown", { key }).defaultPrevented);
  const step = Math.PI / 24;
  near(calls.splice(0), [["orbit", -step, 0], ["orbit", step, 0], ["orbit", 0, step], ["orbit", 0, -step]]);
  canvas.send("keydown", { key: "ArrowUp", shiftKey: true });
  canvas.send("keydown", { key: "+" });
  canvas.send("keydown", { key: "-" });
  near(calls.splice(0), [["pan", 0, 0.05], ["zoom", 1 / 1.1], ["zoom", 1.1]]);
  for (const fields of [{ key: "a" }, { key: " " }, { key: "+", ctrlKey: true }, { key: "ArrowLeft", altKey: true }]) {
    assert.equal(canvas.send("keydown", fields).defaultPrevented, false);
  }
  assert.deepEqual(calls, []);
});

test("the handlers may be methods: they keep their this", () => {
  const canvas = new Canvas();
  class Camera {
    moved = [];
    orbit(...args) {
      this.moved.push(args);
    }
  }
  const camera = new Camera();
  new View(canvas, camera).setInteractive(true);
  canvas.send("keydown", { key: "ArrowLeft" });
  canvas.drag({}, [0, 0], [1, 1]);
  assert.equal(camera.moved.length, 2);
});

test("dispose removes every listener and gives the canvas back as it was, twice without harm", () => {
  const { calls, handlers } = recorder();
  const canvas = new Canvas();
  const view = new View(canvas, handlers);
  view.setInteractive(true);
  view.setInteractive(true);
  view.setAutoResize(true);
  view.start();
  assert.equal(canvas.style.touchAction, "none");
  assert.equal(canvas.attributes.get("tabindex"), "0");
  assert.ok(canvas.listeners >= 8);
  canvas.send("pointerdown", { clientX: 0, clientY: 0 });
  view.dispose();
  view.dispose();
  assert.equal(canvas.listeners, 0);
  assert.equal(canvas.style.touchAction, "pan-y");
  assert.ok(!canvas.hasAttribute("tabindex"));
  assert.equal(canvas.captured.size, 0);
  assert.equal(frames.size, 0);
  view.start();
  view.setInteractive(true);
  view.setAutoResize(true);
  canvas.drag({}, [0, 0], [1, 1]);
  assert.deepEqual(calls, []);
  assert.equal(observers.length, 1);
});

test("a tabindex of the page's own is kept", () => {
  const canvas = new Canvas();
  canvas.tabIndex = -1;
  const view = new View(canvas, recorder().handlers);
  view.setInteractive(true);
  assert.equal(canvas.attributes.get("tabindex"), "-1");
  view.setInteractive(false);
  assert.equal(canvas.attributes.get("tabindex"), "-1");
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

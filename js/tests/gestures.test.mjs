// Gestures: what is under a pointer is held and pulled, the background turns the camera, and everything is let go.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Gestures } from "../gestures.js";
import { Canvas } from "./canvas.mjs";

/** Lets promises that are resolved go on. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * Gestures on a canvas, and the calls of their handlers as ["name", ...args]. What `grab` answers is decided by `answer`:
 * nothing is under any pointer unless it says so.
 */
function gestures(answer = async () => false) {
  const calls = [];
  const handlers = {};
  for (const name of ["orbit", "pan", "zoom", "drag", "release", "pull"]) handlers[name] = (...args) => void calls.push([name, ...args]);
  handlers.grab = (...args) => {
    calls.push(["grab", ...args]);
    return answer(...args);
  };
  const canvas = new Canvas();
  return { calls, canvas, made: new Gestures(canvas, handlers), camera: () => calls.splice(0).filter(([name]) => ["orbit", "pan", "zoom"].includes(name)) };
}

/** Answers that are given when the test says so. */
function later() {
  const waiting = [];
  return { answer: () => new Promise((resolve) => waiting.push(resolve)), give: (value) => (waiting.shift()(value), turn()) };
}

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

test("on the background the left button orbits; right, middle and Shift pan without asking what is there", async () => {
  const { calls, canvas, camera } = gestures();
  canvas.send("pointermove", { clientX: 5, clientY: 5 });
  canvas.press({}, [30, 30]);
  await turn();
  canvas.move({}, [33, 28], [33, 28], [34, 28]);
  canvas.send("pointerup", {});
  assert.deepEqual(calls[0], ["grab", 10, 20, 1, 0]);
  // The eye goes left when the pointer goes right, and down when it goes up: the scene follows the pointer.
  near(camera(), [["orbit", -3 * TURN, -2 * TURN], ["orbit", -1 * TURN, 0]]);
  canvas.drag({ button: 2 }, [0, 0], [1, 2]);
  canvas.drag({ button: 1 }, [0, 0], [3, 4]);
  canvas.drag({ shiftKey: true }, [0, 0], [5, 6]);
  canvas.drag({ button: 3 }, [0, 0], [9, 9]);
  canvas.send("pointermove", { clientX: 5, clientY: 5 });
  near(calls, [["pan", -1 / 300, 2 / 300], ["pan", -3 / 300, 4 / 300], ["pan", -5 / 300, 6 / 300]]);
  assert.equal(canvas.focused, 4);
  assert.ok(canvas.captured.has(1));
});

test("the view waits for the answer and then catches up, even with a drag that is over", async () => {
  const { answer, give } = later();
  const { calls, canvas, camera } = gestures(answer);
  canvas.press({}, [30, 30], [40, 30], [50, 30]);
  await turn();
  assert.deepEqual(calls.map(([name]) => name), ["grab"]);
  await give(false);
  near(camera(), [["orbit", -20 * TURN, 0]]);
  canvas.move({}, [51, 30]);
  near(camera(), [["orbit", -TURN, 0]]);
  canvas.send("pointerup", {});
  canvas.drag({}, [30, 30], [37, 30]);
  assert.deepEqual(calls.splice(0).map(([name]) => name), ["grab", "release"]);
  await give(false);
  near(camera(), [["orbit", -7 * TURN, 0]]);
});

test("what is under the pointer follows it from where it is when the answer comes, and is let go", async () => {
  const { answer, give } = later();
  const { calls, canvas } = gestures(answer);
  canvas.press({}, [30, 30], [35, 31]);
  await give(true);
  assert.equal(canvas.style.cursor, "grabbing");
  canvas.move({}, [60, 40], [500, -200]);
  canvas.send("pointerup", {});
  assert.deepEqual(calls, [["grab", 10, 20, 1, 0], ["drag", 15, 21, 1], ["drag", 40, 30, 1], ["drag", 480, -210, 1], ["release", 1]]);
  assert.equal(canvas.style.cursor, "crosshair");
  canvas.send("lostpointercapture", {});
  canvas.move({}, [70, 40]);
  assert.equal(calls.length, 5);
});

test("a release that comes before the answer ends the question; nothing is dragged or turned", async () => {
  for (const late of [undefined, true]) {
    const { answer, give } = later();
    const { calls, canvas } = gestures(answer);
    canvas.drag({}, [30, 30], [35, 31]);
    await give(late);
    assert.deepEqual(calls.map(([name]) => name), ["grab", "release"]);
    assert.equal(canvas.style.cursor, "crosshair");
    // Pressed again while the first question is open: each has its own answer.
    canvas.drag({}, [30, 30], [35, 31]);
    canvas.press({}, [50, 30]);
    calls.length = 0;
    await give(late);
    canvas.move({}, [51, 30]);
    assert.deepEqual(calls, []);
    await give(true);
    assert.deepEqual(calls, [["drag", 31, 20, 1]]);
  }
});

test("every end of a pointer lets go: up, cancel, lost capture, leaving uncaptured", async () => {
  for (const [end, pointerId] of [["pointerup", 1], ["pointercancel", 1], ["lostpointercapture", 1], ["pointerleave", 99]]) {
    const { calls, canvas } = gestures(async () => true);
    canvas.press({ pointerId }, [30, 30]);
    await turn();
    canvas.send(end, { pointerId });
    assert.deepEqual(calls.at(-1), ["release", pointerId], end);
    canvas.send(end, { pointerId });
    canvas.move({ pointerId }, [50, 50]);
    assert.equal(calls.filter(([name]) => name === "release").length, 1, end);
    assert.equal(calls.at(-1)[0], "release", end);
  }
  const { calls, canvas } = gestures(async () => true);
  canvas.press({}, [30, 30]);
  await turn();
  canvas.send("pointerleave", {});
  canvas.move({}, [-50, 30]);
  assert.deepEqual(calls.at(-1), ["drag", -70, 20, 1], "a captured pointer may leave");
  // One whose end was never told goes down again.
  canvas.press({}, [30, 30]);
  assert.deepEqual(calls.slice(-2).map(([name]) => name), ["release", "grab"]);
});

test("a pointer that cannot be captured still orbits", async () => {
  const { canvas, camera } = gestures();
  canvas.press({ pointerId: 99 }, [0, 0]);
  await turn();
  canvas.move({ pointerId: 99 }, [1, 1]);
  near(camera(), [["orbit", -TURN, TURN]]);
});

test("two fingers on the background pan by their middle and zoom by their distance; the last one orbits again", async () => {
  const { calls, canvas, camera } = gestures();
  canvas.press({ pointerId: 1 }, [0, 0]);
  await turn();
  canvas.press({ pointerId: 2 }, [100, 0]);
  assert.equal(calls.filter(([name]) => name === "grab").length, 1, "the second finger does not ask");
  canvas.move({ pointerId: 2 }, [200, 0]);
  near(camera(), [["pan", -50 / 300, 0], ["zoom", 0.5]]);
  // Fingers on one spot must not zoom to infinity.
  canvas.move({ pointerId: 2 }, [0, 0], [100, 0]);
  assert.ok(calls.splice(0).every(([name]) => name === "pan"));
  canvas.send("pointerup", { pointerId: 1 });
  canvas.move({ pointerId: 2 }, [101, 2]);
  near(calls, [["orbit", -TURN, 2 * TURN]]);
});

test("two fingers that come down at once on the background pinch as well", async () => {
  const { answer, give } = later();
  const { canvas, camera } = gestures(answer);
  canvas.press({ pointerId: 1 }, [0, 0]);
  canvas.press({ pointerId: 2 }, [100, 0]);
  await give(false);
  await give(false);
  canvas.move({ pointerId: 2 }, [200, 0]);
  near(camera(), [["pan", -50 / 300, 0], ["zoom", 0.5]]);
});

test("several fingers hold several points, and one beside them turns the camera", async () => {
  const { calls, canvas } = gestures(async (x) => x < 200);
  canvas.press({ pointerId: 1 }, [30, 30]);
  canvas.press({ pointerId: 2 }, [60, 30]);
  await turn();
  canvas.press({ pointerId: 3 }, [320, 30]);
  await turn();
  calls.length = 0;
  canvas.move({ pointerId: 1 }, [31, 30]);
  canvas.move({ pointerId: 2 }, [61, 30]);
  canvas.move({ pointerId: 3 }, [321, 30]);
  canvas.send("pointerup", { pointerId: 1 });
  assert.equal(canvas.style.cursor, "grabbing");
  canvas.send("pointercancel", { pointerId: 2 });
  near(calls, [["drag", 11, 20, 1], ["drag", 41, 20, 2], ["orbit", -TURN, 0], ["release", 1], ["release", 2]]);
  assert.equal(canvas.style.cursor, "crosshair");
});

test("the wheel zooms in whatever unit it counts, bounded, and does not scroll the page", () => {
  const { calls, canvas } = gestures();
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
  const { calls, canvas } = gestures();
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) assert.ok(canvas.send("keydown", { key }).defaultPrevented);
  const step = Math.PI / 24;
  near(calls.splice(0), [["orbit", -step, 0], ["orbit", step, 0], ["orbit", 0, step], ["orbit", 0, -step]]);
  canvas.send("keydown", { key: "ArrowUp", shiftKey: true });
  canvas.send("keydown", { key: "+" });
  canvas.send("keydown", { key: "-" });
  near(calls.splice(0), [["pan", 0, 0.05], ["zoom", 1 / 1.1], ["zoom", 1.1]]);
  for (const fields of [{ key: "a" }, { key: " " }, { key: "Tab" }, { key: "Escape" }, { key: "+", ctrlKey: true }, { key: "g", metaKey: true }, { key: "ArrowLeft", altKey: true }]) {
    assert.equal(canvas.send("keydown", fields).defaultPrevented, false, JSON.stringify(fields));
  }
  assert.deepEqual(calls, []);
});

test("G takes hold of what is nearest to the middle, arrows pull it, and G, Escape or the loss of the focus let go", async () => {
  const { calls, canvas } = gestures(async () => true);
  const key = (key, fields) => canvas.send("keydown", { key, ...fields });
  for (const end of [() => key("g"), () => key("G"), () => assert.ok(key("Escape").defaultPrevented), () => canvas.send("blur")]) {
    assert.ok(key("g").defaultPrevented);
    key("g", { repeat: true });
    await turn();
    assert.deepEqual(calls.splice(0), [["grab", 200, 150, -2, 90]]);
    assert.equal(canvas.style.cursor, "grabbing");
    key("ArrowLeft");
    key("ArrowUp");
    key("ArrowUp", { shiftKey: true });
    key("ArrowDown", { shiftKey: true });
    near(calls.splice(0), [["pull", -0.025, 0, 0, -2], ["pull", 0, 0.025, 0, -2], ["pull", 0, 0, 0.025, -2], ["pull", 0, 0, -0.025, -2]]);
    end();
    assert.deepEqual(calls.splice(0), [["release", -2]]);
    assert.equal(canvas.style.cursor, "crosshair");
    canvas.send("blur");
    assert.deepEqual(calls, []);
  }
});

test("G with nothing near the middle leaves the arrows to the camera; G before the answer ends the question", async () => {
  const { answer, give } = later();
  const { calls, canvas, camera } = gestures(answer);
  canvas.send("keydown", { key: "g" });
  await give(false);
  canvas.send("keydown", { key: "ArrowLeft" });
  assert.equal(camera().length, 1);
  canvas.send("keydown", { key: "g" });
  canvas.send("keydown", { key: "g" });
  assert.deepEqual(calls.map(([name]) => name), ["grab", "release"]);
  await give(undefined);
  assert.equal(canvas.style.cursor, "crosshair");
  canvas.send("keydown", { key: "ArrowLeft" });
  assert.equal(camera().length, 1);
});

test("the handlers may be methods: they keep their this", async () => {
  class Camera {
    moved = [];
    orbit(...args) {
      this.moved.push(args);
    }
    async grab() {
      return this.moved.length > 1e9;
    }
  }
  const camera = new Camera();
  const canvas = new Canvas();
  new Gestures(canvas, camera);
  canvas.send("keydown", { key: "ArrowLeft" });
  canvas.press({}, [0, 0]);
  await turn();
  canvas.move({}, [1, 1]);
  assert.equal(camera.moved.length, 2);
});

test("dispose lets everything go, removes every listener and gives the canvas back as it was", async () => {
  const { answer, give } = later();
  const { calls, canvas, made } = gestures(answer);
  assert.deepEqual({ ...canvas.style }, { touchAction: "none", cursor: "crosshair", width: "", height: "" });
  assert.equal(canvas.attributes.get("tabindex"), "0");
  assert.ok(canvas.listeners >= 8);
  canvas.press({ pointerId: 1 }, [30, 30]);
  await give(true);
  canvas.press({ pointerId: 2 }, [30, 30]);
  canvas.send("keydown", { key: "g" });
  calls.length = 0;
  made.dispose();
  assert.deepEqual(calls, [["release", 1], ["release", 2], ["release", -2]]);
  assert.equal(canvas.listeners, 0);
  assert.deepEqual({ ...canvas.style }, { touchAction: "pan-y", cursor: "crosshair", width: "", height: "" });
  assert.ok(!canvas.hasAttribute("tabindex"));
  assert.equal(canvas.captured.size, 0);
  // Answers that come now move nothing.
  await give(false);
  await give(true);
  canvas.drag({}, [0, 0], [1, 1]);
  assert.equal(calls.length, 3);
  assert.equal(canvas.style.cursor, "crosshair");
});

test("a tabindex of the page's own is kept", () => {
  const canvas = new Canvas();
  canvas.tabIndex = -1;
  const made = new Gestures(canvas, {});
  assert.equal(canvas.attributes.get("tabindex"), "-1");
  made.dispose();
  assert.equal(canvas.attributes.get("tabindex"), "-1");
});

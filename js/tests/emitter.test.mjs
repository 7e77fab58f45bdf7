// Events: order, unsubscribing, unknown names, listeners that throw.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../report.js";

/** Runs `work` with console.error collected. */
function withConsole(work) {
  const original = console.error;
  const told = [];
  console.error = (...args) => told.push(args[0]);
  try {
    work();
  } finally {
    console.error = original;
  }
  return told;
}

test("listeners are called in the order of registration, with the data itself", () => {
  const emitter = new Emitter();
  const calls = [];
  emitter.on("frame", (data) => calls.push(["a", data]));
  emitter.on("frame", (data) => calls.push(["b", data]));
  emitter.on("resize", () => calls.push("never"));
  const data = { frame: 1 };
  emitter.emit("frame", data);
  assert.deepEqual(calls, [["a", data], ["b", data]]);
  assert.equal(calls[0][1], data);
});

test("each registration of one function counts and is removed on its own, twice without harm", () => {
  const emitter = new Emitter();
  let calls = 0;
  const listener = () => calls++;
  const first = emitter.on("frame", listener);
  const second = emitter.on("frame", listener);
  emitter.emit("frame");
  assert.equal(calls, 2);
  first();
  first();
  emitter.emit("frame");
  assert.equal(calls, 3);
  second();
  emitter.emit("frame");
  assert.equal(calls, 3);
});

test("a listener removed during the event is not called, one added waits for the next", () => {
  const emitter = new Emitter();
  const calls = [];
  emitter.on("frame", () => {
    calls.push("first");
    remove();
    if (calls.length === 1) emitter.on("frame", () => calls.push("added"));
  });
  const remove = emitter.on("frame", () => calls.push("removed"));
  emitter.emit("frame");
  assert.deepEqual(calls, ["first"]);
  emitter.emit("frame");
  assert.deepEqual(calls, ["first", "first", "added"]);
});

test("a listener that throws is reported and stops neither the others nor the caller", () => {
  const emitter = new Emitter();
  const fault = new Error("mine");
  let reached = false;
  emitter.on("frame", () => {
    throw fault;
  });
  emitter.on("frame", () => {
    reached = true;
  });
  const told = withConsole(() => emitter.emit("frame"));
  assert.deepEqual(told, [fault]);
  assert.ok(reached);
});

test("reportError is preferred where it exists", () => {
  const told = [];
  globalThis.reportError = (thrown) => told.push(thrown);
  try {
    const emitter = new Emitter();
    const fault = new Error("mine");
    emitter.on("frame", () => {
      throw fault;
    });
    emitter.emit("frame");
    assert.deepEqual(told, [fault]);
  } finally {
    delete globalThis.reportError;
  }
});

test("an error without a listener is written to the console, with one it is not", () => {
  const emitter = new Emitter();
  const fault = new Error("lost");
  assert.deepEqual(withConsole(() => emitter.emit("error", fault)), [fault]);
  const heard = [];
  emitter.on("error", (error) => heard.push(error));
  assert.deepEqual(withConsole(() => emitter.emit("error", fault)), []);
  assert.deepEqual(heard, [fault]);
});

test("an unknown event lists the names; a listener that is none is refused", () => {
  const emitter = new Emitter();
  const invalid = { code: "invalid-option", message: /"tick" is none of "frame", "error", "resize", "grab", "release"/ };
  assert.throws(() => emitter.on("tick", () => {}), invalid);
  assert.throws(() => emitter.emit("tick"), invalid);
  // Names of Object.prototype are not events.
  assert.throws(() => emitter.on("toString", () => {}), { code: "invalid-option" });
  assert.throws(() => emitter.on(undefined, () => {}), { code: "invalid-option" });
  assert.throws(() => emitter.on("frame", undefined), { code: "invalid-option", message: /undefined, not a function/ });
});

test("clear removes every listener and keeps the names", () => {
  const emitter = new Emitter();
  let calls = 0;
  emitter.on("frame", () => calls++);
  emitter.on("resize", () => calls++);
  emitter.clear();
  emitter.emit("frame");
  emitter.emit("resize");
  assert.equal(calls, 0);
  emitter.on("frame", () => calls++);
  emitter.emit("frame");
  assert.equal(calls, 1);
});

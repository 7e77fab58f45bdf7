// SoftBodyError and the mapping of foreign errors onto it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SoftBodyError, abortedError, toSoftBodyError } from "../report.js";

test("an error carries its code, message and details", () => {
  const error = new SoftBodyError("invalid-mesh", "tet 17 corner 2 = 27, vertex count 27", { tet: 17 });
  assert.ok(error instanceof Error);
  assert.equal(error.name, "SoftBodyError");
  assert.equal(error.code, "invalid-mesh");
  assert.equal(error.message, "tet 17 corner 2 = 27, vertex count 27");
  assert.deepEqual(error.details, { tet: 17 });
  assert.equal(error.cause, undefined);
  assert.match(String(error), /^SoftBodyError: tet 17/);
});

test("code and details cannot be changed, and null details are none", () => {
  const error = new SoftBodyError("limits", "too large", null);
  assert.throws(() => {
    error.code = "internal";
  }, TypeError);
  assert.equal(error.code, "limits");
  assert.equal(error.details, undefined);
});

test("our own errors pass through as the same object", () => {
  const error = new SoftBodyError("mesh-load", "404");
  assert.equal(toSoftBodyError(error), error);
});

test("a real wasm trap becomes internal, with the trap as its cause", () => {
  // (module (func (export "f") unreachable))
  const bytes = new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 0x66, 0, 0, 10, 5, 1, 3, 0, 0, 11,
  ]);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  let trap;
  try {
    exports.f();
  } catch (thrown) {
    trap = thrown;
  }
  assert.ok(trap instanceof WebAssembly.RuntimeError);
  const error = toSoftBodyError(trap);
  assert.equal(error.code, "internal");
  assert.match(error.message, /unreachable/);
  assert.equal(error.cause, trap);
});

test("the glue's words for a freed object become disposed; an abort becomes aborted; the rest internal", () => {
  assert.equal(toSoftBodyError(new Error("null pointer passed to rust")).code, "disposed");
  assert.equal(toSoftBodyError(new Error("attempt to use a moved value")).code, "disposed");
  assert.equal(toSoftBodyError(new DOMException("stop", "AbortError")).code, "aborted");
  for (const thrown of ["text", 7, null, undefined, new TypeError("x"), { name: 3 }, ""]) {
    const error = toSoftBodyError(thrown);
    assert.equal(error.code, "internal");
    assert.notEqual(error.message, "");
  }
});

test("an aborted signal's reason is named and kept", () => {
  const reason = new Error("user left");
  const error = abortedError(AbortSignal.abort(reason), "mesh.tets");
  assert.equal(error.code, "aborted");
  assert.match(error.message, /mesh\.tets: aborted \(user left\)/);
  assert.equal(error.details, reason);
});

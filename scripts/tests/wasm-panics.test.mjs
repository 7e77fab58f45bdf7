// Tests that panics become traps and nothing else changes, on a module small enough to read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { trapPanics } from "../wasm-panics.mjs";

const text = (value) => [value.length, ...Buffer.from(value)];
const section = (id, body) => [id, body.length, ...body];
const word = (value) => [value & 255, value >> 8, 0, 0];
const FILE = "src/a.rs";
const LOCATION = [...word(1024), ...word(FILE.length), ...word(12), ...word(5)];
const NUMBERS = [...word(1024), ...word(3), ...word(12), ...word(5)];

/** Imports a function, which is number 0; function 1, called `name`, returns 7, and function 2 returns 9. */
const module = (name) =>
  Buffer.from([
    0, 97, 115, 109, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 0, 1, 0x7f]),
    ...section(2, [1, ...text("m"), ...text("f"), 0, 0]),
    ...section(3, [2, 0, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [3, ...text("a"), 0, 1, ...text("b"), 0, 2, ...text("memory"), 2, 0]),
    ...section(10, [2, 4, 0, 0x41, 7, 0x0b, 4, 0, 0x41, 9, 0x0b]),
    // At address 1024, whose encoding takes two bytes.
    ...section(11, [1, 0, 0x41, 0x80, 0x08, 0x0b, FILE.length + 32, ...Buffer.from(FILE), ...LOCATION, ...NUMBERS]),
    ...section(0, [...text("name"), ...section(1, [2, 1, ...text(name), 2, ...text("mine::panicking::b")])]),
  ]);

const run = (bytes) => new WebAssembly.Instance(new WebAssembly.Module(bytes), { m: { f: () => 0 } }).exports;

test("a panic becomes a trap, and its place is forgotten", () => {
  const before = module("core[0123456789abcdef]::panicking::panic_bounds_check");
  assert.equal(run(before).a(), 7);
  const after = run(trapPanics(before));
  assert.throws(() => after.a(), WebAssembly.RuntimeError);
  assert.equal(after.b(), 9);
  const data = [...new Uint8Array(after.memory.buffer, 1024, FILE.length + 32)];
  assert.deepEqual(data, [...new Array(FILE.length + 16).fill(0), ...NUMBERS]);
});

test("a module without the names that are looked for is an error", () => {
  assert.throws(() => trapPanics(module("other::panicking::panic_bounds_check")), /panic_bounds_check/);
});

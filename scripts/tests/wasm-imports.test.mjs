// Tests of the import shortener, on modules small enough to read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { shortName, shortenImports } from "../wasm-imports.mjs";

const text = (value) => [value.length, ...Buffer.from(value)];
const section = (id, body) => [id, body.length, ...body];
const GLUE_MODULE = "./x_bg.js";
const HASHED = "__wbg_add_0123456789abcdef";

// Imports a function of the glue, a memory, a table, a global, and a function of another module; exports their sum.
const WASM = Uint8Array.from([
  0, 97, 115, 109, 1, 0, 0, 0,
  ...section(1, [1, 0x60, 0, 1, 0x7f]),
  ...section(2, [
    5,
    ...text(GLUE_MODULE), ...text(HASHED), 0, 0,
    ...text(GLUE_MODULE), ...text("memory"), 2, 1, 1, 2,
    ...text(GLUE_MODULE), ...text("table"), 1, 0x70, 0, 1,
    ...text(GLUE_MODULE), ...text("start"), 3, 0x7f, 0,
    ...text("./other.js"), ...text("readAll"), 0, 0,
  ]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...text("sum"), 0, 2]),
  ...section(10, [1, 10, 0, 0x10, 0, 0x10, 1, 0x6a, 0x23, 0, 0x6a, 0x0b]),
]);

const GLUE = `    const import0 = {
        __proto__: null,
        ${HASHED}: function() {
            return 30;
        },
        memory: new WebAssembly.Memory({ initial: 1, maximum: 2 }),
        table: new WebAssembly.Table({ initial: 1, element: "anyfunc" }),
        start: new WebAssembly.Global({ value: "i32" }, 2),
    };
    const import1 = { readAll: () => 10 };
    return {
        __proto__: null,
        "./x_bg.js": import0,
        "./other.js": import1,
    };
`;

const run = (wasm, glue) => new WebAssembly.Instance(new WebAssembly.Module(wasm), new Function(glue)()).exports.sum();

test("a shortened module runs with the glue shortened alike", () => {
  assert.equal(run(WASM, GLUE), 42);
  const { wasm, glue } = shortenImports(WASM, GLUE, GLUE_MODULE);
  assert.equal(run(wasm, glue), 42);
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm)).map(({ module, name }) => `${module} ${name}`);
  assert.deepEqual(imports, ["a a", "a b", "a c", "a d", "b readAll"]);
});

test("a name that the glue lacks is an error that names it", () => {
  assert.throws(() => shortenImports(WASM, GLUE.replace(HASHED, "another"), GLUE_MODULE), new RegExp(HASHED));
});

test("short names are distinct words", () => {
  const names = Array.from({ length: 2000 }, (_, index) => shortName(index));
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.every((name) => /^[a-z]+$/.test(name)));
  assert.deepEqual([names[0], names[25], names[26], names[701], names[702]], ["a", "z", "aa", "zz", "aaa"]);
});

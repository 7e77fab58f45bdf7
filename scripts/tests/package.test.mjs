// Tests of the package build's text work: module specifiers, the manifest template, the TOML reader, wasm sections.

import assert from "node:assert/strict";
import { test } from "node:test";
import { customSections, fillManifest, relativeSpecifiers, rewriteSpecifiers, specifierBetween, withoutAddress } from "../package-files.mjs";
import { parseToml } from "../toml.mjs";

const SOURCE = `// from "./comment.js"
import "./side-effect.js";
import init, { run } from "./glue.js";
import {
  a,
  b,
} from '../b.js';
export * from "./c.js";
export const from = "./not-a-module.js";
/** @typedef {import("./types.js").T} T */
  // import("./commented.js")
const lazy = () => import("./lazy.js");
const work = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  // new URL("./commented.js", import.meta.url)
const file = new URL("./file.wasm", import.meta.url);
import bare from "three";
`;

test("relative specifiers are found in statements, not in comments, strings or bare imports", () => {
  assert.deepEqual(
    relativeSpecifiers(SOURCE).map(({ specifier }) => specifier),
    ["./side-effect.js", "./glue.js", "../b.js", "./c.js", "./lazy.js", "./worker.js"],
  );
  assert.deepEqual(relativeSpecifiers(SOURCE).map(({ lazy }) => lazy), [false, false, false, false, true, true]);
});

test("rewriting changes the specifiers and nothing else", () => {
  const rewritten = rewriteSpecifiers(SOURCE, (specifier) => `<${specifier}>`);
  assert.equal(rewritten.replace(/<([^>]*)>(?=["'])/g, "$1"), SOURCE);
  assert.match(rewritten, /from '<\.\.\/b\.js>'/);
  assert.match(rewritten, /import\("<\.\/lazy\.js>"\)/);
  assert.match(rewritten, /new URL\("<\.\/worker\.js>", import\.meta\.url\)/);
});

test("specifiers between files of the package always start with a dot", () => {
  assert.equal(specifierBetween("index.js", "snippets/x/js/error.js"), "./snippets/x/js/error.js");
  assert.equal(specifierBetween("snippets/x/js/error.js", "index.js"), "../../../index.js");
});

test("glue loses the address of its .wasm file, once", () => {
  const glue = "if (x === undefined) {\n  x = new URL('mesh_bg.wasm', import.meta.url);\n}\n";
  assert.equal(withoutAddress(glue), "if (x === undefined) {\n  x = undefined;\n}\n");
  assert.throws(() => withoutAddress("x"), /exactly once/);
  assert.throws(() => withoutAddress(glue + glue), /exactly once/);
});

test("the manifest template is filled in, escaped, and refuses unknown keys", () => {
  const template = '// says what reads it\n{ "name": "${name}", "note": "${name}: ${text}" }\n';
  assert.deepEqual(fillManifest(template, { name: "n", text: 'a "quote"' }), { name: "n", note: 'n: a "quote"' });
  assert.throws(() => fillManifest(template, { name: "n" }), /no value for \$\{text\}; known: name/);
  assert.throws(() => fillManifest("{}", {}), /line 1/);
});

test("the TOML reader takes its subset and names the line of anything else", () => {
  const text = '# c\n[a]\nx = "1"\ny = 1_000\n[b-c]\nz = [\n  "p",\n  "q",\n]\n';
  assert.deepEqual(parseToml(text), { a: { x: "1", y: 1000 }, "b-c": { z: ["p", "q"] } });
  assert.throws(() => parseToml("[a]\nx = 1.5\n"), /line 2: 'x'/);
  assert.throws(() => parseToml("[a]\nx\n"), /line 2/);
  assert.throws(() => parseToml('[a]\nx = "1"\nx = "2"\n'), /line 3: key 'x' is there twice/);
  assert.throws(() => parseToml('[a]\nx = [\n"1",\n'), /not closed/);
});

test("custom sections of a wasm module are listed; a cut module is an error", () => {
  const module = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0, 5, 4, 0x6e, 0x61, 0x6d, 0x65, 1, 1, 0]);
  assert.deepEqual(customSections(module), ["name"]);
  assert.throws(() => customSections(module.subarray(0, 12)), /ends at byte/);
  assert.throws(() => customSections(Buffer.from("no wasm here")), /wrong magic/);
});

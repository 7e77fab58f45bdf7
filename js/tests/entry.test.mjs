// The package entry: lazy loading, retry, errors; against a stand-in for the generated module.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, beforeEach, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), "..");
/** Behaves like the glue of wasm-bindgen: the class does nothing before init. */
const GLUE = `
export const log = [];
export const control = { init: async (arg) => arg, create: async () => {} };
let ready = false;
export default async function init(options) {
  log.push(["init", options]);
  await control.init(options.module_or_path);
  ready = true;
}
export class SoftBody {
  static async create(canvas, options) {
    if (!ready) throw new TypeError("wasm is undefined");
    log.push(["create", canvas, options]);
    await control.create();
    return new SoftBody();
  }
  get running() { throw new WebAssembly.RuntimeError("unreachable"); }
  step() { throw new Error("null pointer passed to rust"); }
  settled() { throw new Error("null pointer passed to rust"); }
  async load() { throw new WebAssembly.RuntimeError("index out of bounds"); }
  report() { return { tets: this.tets }; }
  dispose() { log.push(["dispose"]); }
  free() { throw new Error("raw"); }
}`;

/** The smallest module that exports what the package's does: (module (func (export "softbody_create"))). */
const WASM = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0,
  7, 19, 1, 15, ...new TextEncoder().encode("softbody_create"), 0, 0, 10, 4, 1, 2, 0, 0x0b,
]);
const wasmResponse = () => new Response(WASM, { headers: { "content-type": "application/wasm" } });

const folders = [];
/** A fresh package: its own module instances, its own glue. */
async function entry(meshModule) {
  const folder = mkdtempSync(join(tmpdir(), "softbody-entry-"));
  folders.push(folder);
  for (const name of readdirSync(SOURCE).filter((file) => file.endsWith(".js"))) cpSync(join(SOURCE, name), join(folder, name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "webgpu_softbody.js"), GLUE);
  // Stands in for the module that reads files; without a text it is missing.
  rmSync(join(folder, "mesh.js"), { force: true });
  if (meshModule) writeFileSync(join(folder, "mesh.js"), meshModule);
  const url = (name) => pathToFileURL(join(folder, name)).href;
  const [main, glue, errors] = await Promise.all(["index.js", "webgpu_softbody.js", "report.js"].map((name) => import(url(name))));
  return { ...main, log: glue.log, control: glue.control, errors, wasmUrl: url("webgpu_softbody_bg.wasm") };
}
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

const navigatorBefore = Object.getOwnPropertyDescriptor(globalThis, "navigator");
const fetchBefore = globalThis.fetch;
let fetched;
function pretendGpu(gpu) {
  Object.defineProperty(globalThis, "navigator", { value: { gpu }, configurable: true });
}
beforeEach(() => {
  pretendGpu({ requestAdapter: async () => ({}) });
  fetched = [];
  globalThis.fetch = async (url) => (fetched.push(url), wasmResponse());
});
afterEach(() => {
  delete globalThis.navigator;
  if (navigatorBefore) Object.defineProperty(globalThis, "navigator", navigatorBefore);
  globalThis.fetch = fetchBefore;
});

test("importing loads nothing; the error class is the host modules' own", async () => {
  const { log, SoftBodyError, errors } = await entry();
  assert.deepEqual(log, []);
  assert.deepEqual(fetched, []);
  assert.equal(SoftBodyError, errors.SoftBodyError);
});

test("creating twice at once loads once, from beside the module, and passes everything on", async () => {
  const { SoftBody, log, wasmUrl } = await entry();
  const options = { gravity: [0, 0, 0] };
  const [a, b] = await Promise.all([SoftBody.create("canvas", options), SoftBody.create("other")]);
  assert.ok(a instanceof SoftBody && b instanceof SoftBody);
  assert.deepEqual(fetched, [wasmUrl]);
  assert.equal(log.filter(([name]) => name === "init").length, 1);
  assert.deepEqual(log.filter(([name]) => name === "create"), [["create", "canvas", options], ["create", "other", {}]]);
});

test("no WebGPU and no adapter have their own codes, and nothing is loaded", async () => {
  const { SoftBody, log } = await entry();
  pretendGpu(undefined);
  await assert.rejects(SoftBody.create("c"), { name: "SoftBodyError", code: "webgpu-unavailable", message: /no-webgpu: / });
  pretendGpu({ requestAdapter: async () => null });
  await assert.rejects(SoftBody.create("c"), { code: "no-adapter" });
  assert.deepEqual(await SoftBody.isSupported().then((report) => report.reason), "no-adapter");
  assert.deepEqual(log, []);
  assert.deepEqual(fetched, []);
});

test("a failed load names its URL, and the next creation tries again", async () => {
  const { SoftBody, wasmUrl, control } = await entry();
  const named = (error) => {
    assert.equal(error.code, "wasm-load");
    assert.ok(error.message.includes(wasmUrl), error.message);
    return true;
  };
  globalThis.fetch = async () => new Response("", { status: 404, statusText: "Not Found" });
  await assert.rejects(SoftBody.create("c"), (error) => named(error) && /answered 404 Not Found$/.test(error.message));
  globalThis.fetch = async () => new Response("<html>", { headers: { "content-type": "text/html" } });
  await assert.rejects(SoftBody.create("c"), (error) => named(error) && /HTML page/.test(error.message));
  globalThis.fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  await assert.rejects(SoftBody.create("c"), (error) => named(error) && /Failed to fetch/.test(error.message));
  globalThis.fetch = async () => new Response("wasm");
  await assert.rejects(SoftBody.create("c"), (error) => named(error) && /magic word/.test(error.message));
  globalThis.fetch = async () => new Response(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  await assert.rejects(SoftBody.create("c"), (error) => named(error) && /another WebAssembly module/.test(error.message));
  globalThis.fetch = async () => wasmResponse();
  control.init = async () => {
    throw new WebAssembly.CompileError("bad magic");
  };
  await assert.rejects(SoftBody.create("c"), (error) => named(error) && /bad magic/.test(error.message));
  control.init = async () => {};
  assert.ok((await SoftBody.create("c")) instanceof SoftBody);
});

test("the wasm option: URLs are fetched, the rest is handed over, nonsense is refused", async () => {
  const module = new WebAssembly.Module(WASM);
  for (const wasm of [WASM, WASM.slice().buffer, module, new Response(WASM)]) {
    const { SoftBody, log } = await entry();
    await SoftBody.create("c", { wasm });
    assert.ok(log[0][1].module_or_path instanceof WebAssembly.Module);
    if (wasm === module) assert.equal(log[0][1].module_or_path, module);
  }
  assert.deepEqual(fetched, []);
  for (const wasm of ["https://example.test/a.wasm", new URL("https://example.test/a.wasm")]) {
    const { SoftBody } = await entry();
    await SoftBody.create("c", { wasm });
  }
  assert.deepEqual(fetched, ["https://example.test/a.wasm", "https://example.test/a.wasm"]);
  const { SoftBody } = await entry();
  await assert.rejects(SoftBody.create("c", { wasm: 5 }), { code: "invalid-option", message: /^wasm: / });
  await assert.rejects(SoftBody.create("c", { wasm: new Response("", { status: 500 }) }), { code: "wasm-load", message: /500/ });
  await assert.rejects(SoftBody.create("c", null), { code: "invalid-option" });
  await assert.rejects(SoftBody.create("c", "options"), { code: "invalid-option" });
  await assert.rejects(SoftBody.create("c", { signal: "stop" }), { code: "invalid-option", message: /^signal is stop/ });
});

test("an abort while loading ends this creation only", async () => {
  const { SoftBody, control } = await entry();
  await assert.rejects(SoftBody.create("c", { signal: AbortSignal.abort() }), { code: "aborted" });
  let finish;
  control.init = () => new Promise((resolve) => (finish = resolve));
  const controller = new AbortController();
  const aborted = SoftBody.create("c", { signal: controller.signal });
  const other = SoftBody.create("d");
  // On a busy machine compiling takes its time.
  while (!finish) await new Promise((resolve) => setTimeout(resolve, 10));
  controller.abort();
  await assert.rejects(aborted, { code: "aborted" });
  finish();
  assert.ok((await other) instanceof SoftBody);
});

test("whatever a method throws is a SoftBodyError; asynchronous ones reject", async () => {
  const { SoftBody, SoftBodyError, control } = await entry();
  const body = await SoftBody.create("c");
  assert.throws(() => body.running, { name: "SoftBodyError", code: "internal" });
  assert.throws(() => body.step(), { code: "disposed" });
  let settled;
  assert.doesNotThrow(() => (settled = body.settled()));
  await assert.rejects(settled, { code: "disposed" });
  await assert.rejects(body.load(), { code: "internal", message: /index out of bounds/ });
  body.tets = 42;
  assert.deepEqual(body.report(), { tets: 42 });
  const own = new SoftBodyError("invalid-mesh", "tet 3");
  control.create = async () => {
    throw own;
  };
  await assert.rejects(SoftBody.create("free 170"), (error) => error === own);
  control.create = async () => {
    throw new WebAssembly.RuntimeError("unreachable");
  };
  await assert.rejects(SoftBody.create("free 174"), { name: "SoftBodyError", code: "internal" });
});

const MESH_MODULE = `
export const log = (globalThis.surfaceReads = []);
export async function readSurface(source, options) {
  log.push([source, options]);
  if (String(source) === "broken.glb") throw Object.assign(new Error("surface: broken.glb answered 404"), { code: "mesh-load" });
  return { positions: new Float32Array([1, 2, 3]), triangles: new Uint32Array([0, 0, 0]) };
}`;

test("a surface given as a file is read by the other module, in a promise; arrays never load it", async () => {
  const { SoftBody, log } = await entry(MESH_MODULE);
  delete globalThis.surfaceReads;
  const surface = { positions: new Float32Array(9), triangles: new Uint32Array([0, 1, 2]), images: [{ width: 1, height: 1, data: new Uint8ClampedArray(4) }] };
  const body = await SoftBody.create("a", { surface });
  const [, , given] = log.at(-1);
  assert.deepEqual(given.surface[0], new Uint32Array(9));
  assert.notEqual(given.surface[0].buffer, surface.positions.buffer, "a copy");
  assert.equal(globalThis.surfaceReads, undefined);

  const { signal } = new AbortController();
  await SoftBody.create("b", { surface: "duck.glb", signal });
  assert.ok(log.at(-1)[2].surface instanceof Promise);
  assert.deepEqual((await log.at(-1)[2].surface)[0], new Uint32Array(new Float32Array([1, 2, 3]).buffer));
  assert.deepEqual(globalThis.surfaceReads, [["duck.glb", { signal }]]);

  let options;
  const bytes = new Uint8Array([1, 2, 3]);
  for (const source of [bytes, bytes.buffer, new URL("https://example.test/a.obj"), new Response("")]) {
    const call = SoftBody.create("c", { surface: source });
    bytes[0] = 9;
    const made = await call;
    made.dispose();
    options = log.filter(([name]) => name === "create").at(-1)[2];
    await options.surface;
    bytes[0] = 1;
  }
  assert.equal(globalThis.surfaceReads.length, 5);
  assert.deepEqual(globalThis.surfaceReads[1][0], new Uint8Array([1, 2, 3]), "copied before the call returned");
  // The stand-in refuses at once; the file is read all the same.
  await assert.rejects(body.load("mesh", { surface: "x.obj" }), { code: "internal" });
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(globalThis.surfaceReads.at(-1)[0], "x.obj");
});

test("what the reader of a surface says reaches whoever waits for it; a missing reader is named", async () => {
  const { SoftBody, log } = await entry(MESH_MODULE);
  await SoftBody.create("a", { surface: "broken.glb" });
  await assert.rejects(log.at(-1)[2].surface, { code: "mesh-load", message: /404/ });
  const bare = await entry();
  await bare.SoftBody.create("a", { surface: "duck.glb" });
  await assert.rejects(bare.log.at(-1)[2].surface, { name: "SoftBodyError", code: "mesh-load", message: /^surface: the module that reads files/ });
  await assert.rejects(bare.SoftBody.create("b", { surface: "duck.glb", signal: 5 }), { code: "invalid-option" });
});

test("using: Symbol.dispose disposes", async () => {
  const { SoftBody, log } = await entry();
  const body = await SoftBody.create("c");
  assert.equal(typeof Symbol.dispose, "symbol");
  body[Symbol.dispose]();
  assert.deepEqual(log.at(-1), ["dispose"]);
});

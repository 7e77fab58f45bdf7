// webgpu-softbody/mesh on the page's side: inputs, options, progress, errors; against a stand-in for the worker.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CUBE, bytes, entry, fetched, served } from "./mesh-support.mjs";

test("importing starts and fetches nothing; the error class is the main entry's", async () => {
  const { log, SoftBodyError, errors } = await entry();
  assert.deepEqual(log, []);
  assert.deepEqual(fetched, []);
  assert.equal(SoftBodyError, errors.SoftBodyError);
});

test("the worker lies beside the module, and gets the compiled module, the files and checked options", async () => {
  const { importMesh, log, url } = await entry();
  const file = bytes("file");
  const result = await importMesh(file, { name: "a.obj", tets: 300, units: "mm", scale: 2, center: true, weld: 0 });
  assert.deepEqual(result, { task: "importMesh" });
  assert.deepEqual(log.slice(0, 2), [["new", url("mesh-worker.js"), { type: "module" }], ["post", { hello: true }]]);
  const { module, ...message } = log[2][1];
  assert.ok(module instanceof WebAssembly.Module);
  assert.deepEqual(message, {
    task: "importMesh",
    files: [{ name: "a.obj", bytes: bytes("file") }],
    surface: undefined,
    options: { cellSize: undefined, tets: 300, weld: 0, scale: 0.002, center: true, dropToFloor: false },
  });
  assert.deepEqual(fetched, [url("webgpu_softbody_mesh_bg.wasm")]);
  // Copied: the caller's array was not transferred.
  assert.deepEqual(file, bytes("file"));
});

test("a failed load of the WebAssembly names its address, and the next call tries again", async () => {
  const { importMesh, url } = await entry();
  served.wasm = () => new Response("", { status: 404 });
  await assert.rejects(importMesh(bytes("x")), { code: "wasm-load", message: new RegExp(`${url("webgpu_softbody_mesh_bg.wasm")} answered 404`) });
  served.wasm = () => new Response(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  await assert.rejects(importMesh(bytes("x")), { code: "wasm-load", message: /another WebAssembly module/ });
  served.wasm = undefined;
  await importMesh(bytes("x"));
});

test("files keep their names: addresses, Files, pairs of name and bytes, lists", async () => {
  const { importMesh, readSurface, control } = await entry();
  const names = async (source, options) => {
    await importMesh(source, options);
    return control.last.files.map(({ name, bytes: content }) => `${name}=${new TextDecoder().decode(content)}`);
  };
  served.files = { "/models/a%20b.msh": "mesh" };
  assert.deepEqual(await names("https://example.test/models/a%20b.msh?x=1"), ["a b.msh=mesh"]);
  assert.deepEqual(await names(new URL("https://example.test/models/a%20b.msh")), ["a b.msh=mesh"]);
  assert.deepEqual(await names(new File(["1"], "x.stl")), ["x.stl=1"]);
  assert.deepEqual(await names(new Blob(["2"])), ["=2"]);
  assert.deepEqual(await names(new Blob(["2"]), { name: "b.ply" }), ["b.ply=2"]);
  assert.deepEqual(await names(new Response("3")), ["=3"]);
  assert.deepEqual(
    await names([{ name: "c.node", bytes: bytes("4") }, new File(["5"], "c.ele"), { name: "d", bytes: "https://example.test/models/a%20b.msh" }]),
    ["c.node=4", "c.ele=5", "d=mesh"],
  );
  await readSurface(new Blob(["6"]), { name: "e.glb" });
  assert.deepEqual(control.last.task, "readSurface");
});

test("what cannot be read names the source", async () => {
  const { importMesh, tetrahedralize } = await entry();
  await assert.rejects(importMesh("https://example.test/none.msh"), { code: "mesh-load", message: /^file: https:\/\/example\.test\/none\.msh answered 404/ });
  await assert.rejects(tetrahedralize("https://example.test/none.msh"), { code: "mesh-load", message: /^surface: / });
  const gone = new File(["x"], "gone.stl");
  gone.arrayBuffer = async () => {
    throw new Error("NotFoundError");
  };
  await assert.rejects(importMesh([gone]), { code: "mesh-load", message: /^file\[0\]: gone\.stl could not be read: NotFoundError/ });
  await assert.rejects(importMesh([]), { code: "invalid-option", message: /^file is "\[\]", but must be at least one file/ });
  await assert.rejects(importMesh(["a.msh"]), { code: "invalid-option", message: /^file\[0\] is "a\.msh", but must be a File, a Blob or/ });
  await assert.rejects(importMesh({ positions: new Float32Array(9), triangles: new Uint32Array(3) }), {
    code: "invalid-option",
    message: /^file is of type Object, but must be a File, a Blob, .* or a list of .*; a surface as arrays goes to tetrahedralize$/,
  });
  await assert.rejects(tetrahedralize({ triangles: new Uint32Array(3) }), { code: "invalid-option", message: /^surface is of type Object, but must be a File, a Blob, / });
  await assert.rejects(importMesh(), { code: "invalid-option", message: /^file is undefined, but must be a File, a Blob, .* \{ name, bytes \}$/ });
  await assert.rejects(importMesh(42), { code: "invalid-option", message: /^file: the number 42/ });
});

test("options are checked before anything is loaded", async () => {
  const { importMesh, tetrahedralize, readSurface, log } = await entry();
  fetched.length = 0;
  const cases = [
    [{ cellsize: 1 }, /^tetrahedralize: cellsize is not an option; known: cellSize, /],
    [{ cellSize: 0 }, /^cellSize is 0, but must be a positive number/],
    [{ cellSize: Number.NaN }, /^cellSize is NaN/],
    [{ tets: 1.5 }, /^tets is 1\.5, but must be an integer/],
    [{ tets: 4_000_001 }, /^tets is 4000001, but must be an integer from 1 to 4000000$/],
    [{ tets: 10, cellSize: 1 }, /only one of them/],
    [{ weld: -1 }, /^weld is -1/],
    [{ units: "ft" }, /^units is "ft", but must be "m", "cm", "mm" or "in"/],
    [{ units: "toString" }, /^units is "toString"/],
    [{ scale: Infinity }, /^scale is Infinity/],
    [{ center: "yes" }, /^center is "yes"/],
    [{ dropToFloor: 1 }, /^dropToFloor is 1/],
    [{ onProgress: 1 }, /^onProgress is 1/],
    [{ signal: {} }, /^signal is an object/],
    [{ worker: "w.js" }, /^worker is "w\.js"/],
    [null, /^tetrahedralize: options is null/],
    [Object.defineProperty({}, "tets", { enumerable: true, get: () => { throw new Error("no"); } }), /reading tets threw Error: no/],
  ];
  for (const [options, message] of cases) await assert.rejects(tetrahedralize(bytes("x"), options), { name: "SoftBodyError", code: "invalid-option", message });
  await assert.rejects(tetrahedralize(bytes("x"), { name: "x" }), { message: /name is not an option/ });
  await assert.rejects(readSurface(bytes("x"), { tets: 1 }), { message: /^readSurface: tets is not an option/ });
  await assert.rejects(importMesh(bytes("x"), { name: 7 }), { message: /^name is 7/ });
  await assert.rejects(importMesh(bytes("x"), { wasm: 5 }), { code: "invalid-option", message: /^wasm: / });
  assert.deepEqual([log, fetched], [[], []]);
});

test("progress only grows, ends with 1, and a listener that throws disturbs nothing", async () => {
  const { importMesh, control } = await entry();
  control.answer = (message, reply) => {
    for (const fraction of [0, 0.5, 0.25, 0.75]) reply({ fraction });
    reply({ result: {} });
  };
  const seen = [];
  await importMesh(bytes("x"), { onProgress: (fraction) => seen.push(fraction) });
  assert.deepEqual(seen, [0, 0.5, 0.75, 1]);
  served.files = { "/a.msh": "mesh" };
  seen.length = 0;
  await importMesh("https://example.test/a.msh", { onProgress: (fraction) => seen.push(fraction) });
  assert.deepEqual(seen.map((fraction) => fraction.toFixed(3)), ["0.200", "0.600", "0.800", "1.000"]);
  const told = [];
  globalThis.reportError = (error) => told.push(error.message);
  await importMesh(bytes("x"), { onProgress: () => { throw new Error("bar"); } });
  delete globalThis.reportError;
  assert.equal(told.length, 4);
});

test("what is fetched is read through its stream only for a listener", async () => {
  const { importMesh, control } = await entry();
  const answer = globalThis.fetch;
  let atOnce = 0;
  globalThis.fetch = async (address) => {
    const response = await answer(address);
    const whole = response.arrayBuffer.bind(response);
    response.arrayBuffer = () => {
      if (String(address).endsWith(".msh")) atOnce += 1;
      return whole();
    };
    return response;
  };
  served.files = { "/a.msh": "mesh" };
  await importMesh("https://example.test/a.msh");
  assert.equal(atOnce, 1);
  assert.deepEqual(control.last.files, [{ name: "a.msh", bytes: bytes("mesh") }]);
  await importMesh("https://example.test/a.msh", { onProgress: () => {} });
  assert.equal(atOnce, 1);
});

test("the worker's failures carry code, kind and message", async () => {
  const { importMesh, SoftBodyError, control } = await entry();
  const kinds = { malformed: "invalid-mesh", "nothing-inside": "invalid-mesh", cancelled: "aborted", "invalid-option": "invalid-option", limits: "limits" };
  for (const [kind, code] of Object.entries(kinds)) {
    control.answer = (message, reply) => reply({ error: { kind, message: "box.msh: Gmsh 4.1: line 7, column 3: no" } });
    await assert.rejects(importMesh(new File(["x"], "box.msh")), (error) => {
      assert.ok(error instanceof SoftBodyError);
      assert.equal(error.code, code);
      assert.deepEqual(error.details, { kind });
      assert.equal(error.message, "box.msh: Gmsh 4.1: line 7, column 3: no");
      return true;
    });
  }
});

test("a surface as arrays is copied there and keeps its look here", async () => {
  const { tetrahedralize, control } = await entry();
  const moved = new Float32Array(24).fill(3);
  control.answer = (message, reply) => reply({ result: { surface: { positions: moved, triangles: CUBE.triangles } } });
  const look = {
    normals: new Float32Array(24),
    uvs: new Float32Array(16),
    colors: new Float32Array(32),
    parts: [{ triangles: 5, color: [1, 0, 0, 1] }, { triangles: 7, image: 0 }],
    images: [{ width: 1, height: 2, data: new Uint8Array(8) }],
  };
  const { surface } = await tetrahedralize({ ...CUBE, ...look });
  assert.deepEqual(surface, { triangles: CUBE.triangles, ...look, positions: moved });
  assert.deepEqual(control.last.surface, { positions: CUBE.positions, triangles: CUBE.triangles });
  assert.deepEqual(control.last.files, []);
  assert.equal(CUBE.positions.length, 24);
  // No parts at all is what `SoftBody.create` takes as well.
  const plain = await tetrahedralize({ ...CUBE, parts: [] });
  assert.deepEqual(plain.surface, { triangles: CUBE.triangles, positions: moved });
});

test("a surface that is none is refused by the path of what is wrong", async () => {
  const { tetrahedralize, importMesh } = await entry();
  const cases = [
    [{ positions: [0, 0, 0] }, "invalid-option", /^surface\.positions is of type Array, but must be a Float32Array/],
    [{ positions: new Float32Array(4) }, "invalid-option", /^surface\.positions has 4 entries/],
    [{ colors: new Uint32Array(32) }, "invalid-option", /^surface\.colors is of type Uint32Array/],
    [{ normals: new Float32Array(3) }, "invalid-mesh", /^surface: normals has 3 entries, but must have 24/],
    [{ uvs: new Float32Array(2) }, "invalid-mesh", /^surface: uvs .* 16/],
    [{ parts: [{ triangles: 3 }] }, "invalid-mesh", /^surface: the parts cover 3 triangles, but there are 12/],
    [{ parts: [{ triangles: 12, image: 0 }] }, "invalid-mesh", /^surface: part 0 refers to image 0, but there are 0 images/],
    [{ parts: [{ triangles: 12, color: [1, 1, 1] }] }, "invalid-option", /^surface\.parts\[0\]\.color/],
    [{ images: [{ width: 2, height: 2, data: new Uint8Array(4) }] }, "invalid-option", /^surface\.images\[0\]/],
    [{ faces: 1 }, "invalid-option", /^surface\.faces is not an option/],
    [Object.defineProperty({}, "normals", { enumerable: true, get: () => { throw new Error("no"); } }), "invalid-option", /^surface: reading it threw no/],
  ];
  for (const [change, code, message] of cases) {
    const surface = Object.defineProperties({ ...CUBE }, Object.getOwnPropertyDescriptors(change));
    await assert.rejects(tetrahedralize(surface), { name: "SoftBodyError", code, message });
  }
  await assert.rejects(importMesh(CUBE), { code: "invalid-option", message: /^file is of type Object, but must be a File/ });
});

test("the most tets are those of the mesher", () => {
  const read = (file, pattern) => pattern.exec(readFileSync(new URL(file, import.meta.url), "utf8"))?.[1];
  const mesher = read("../../src/meshing/stuffing/lattice.rs", /pub const MAX_COUNT: u32 = ([\d_]+);/);
  assert.ok(mesher);
  assert.equal(read("../mesh-input.js", /const MAX_TETS = ([\d_]+);/), mesher);
});

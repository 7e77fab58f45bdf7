// readBytes: every kind of source, against a real server for those that are fetched.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import vm from "node:vm";
import { readAll, readBytes } from "../source.js";

const HTML = "<!DOCTYPE html><html><body>Not found</body></html>";
/** What the server answers, by path. */
const ANSWERS = {
  "/mesh.bin": (res) => res.writeHead(200, { "content-length": 6 }).end(Buffer.from([1, 2, 3, 4, 5, 6])),
  "/page.html": (res) => res.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(HTML),
  "/disguised.bin": (res) => res.writeHead(200, { "content-type": "application/octet-stream" }).end(`\n ${HTML}`),
  "/broken.bin": (res) => res.writeHead(500).end("oops"),
  "/empty.bin": (res) => res.writeHead(200).end(),
  "/cut.bin": (res) => {
    res.writeHead(200, { "content-length": 1000 });
    res.write(Buffer.from([1, 2, 3]), () => res.destroy());
  },
  "/slow.bin": (res) => {
    res.on("close", () => slowEnded++);
    res.writeHead(200, { "content-length": 100 });
    res.write(Buffer.alloc(10));
  },
  "/chunks.bin": (res) => {
    res.writeHead(200);
    res.write(Buffer.from([1, 2]));
    setTimeout(() => res.end(Buffer.from([3])), 20);
  },
  // An announced length that would be a terabyte.
  "/boast.bin": (res) => {
    res.writeHead(200, { "content-length": 1e12 });
    res.write(Buffer.from([1, 2, 3]), () => res.destroy());
  },
};
let server;
let origin;
/** How many answers that never end were given up by the reader. */
let slowEnded = 0;
before(async () => {
  server = createServer((req, res) => (ANSWERS[req.url] ?? ((r) => r.writeHead(404, "Not Found").end(HTML)))(res));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const plain = (bytes) => [...bytes];

test("views are read with their offset and length, and copied", async () => {
  const floats = new Float32Array([9, 1.5, -2, 9]);
  const view = floats.subarray(1, 3);
  const bytes = await readBytes(view, "mesh.positions");
  assert.equal(bytes.byteLength, 8);
  assert.deepEqual(plain(new Float32Array(bytes.buffer)), [1.5, -2]);
  floats.fill(0);
  assert.deepEqual(plain(new Float32Array(bytes.buffer)), [1.5, -2]);

  assert.deepEqual(plain(new Uint32Array((await readBytes(new Uint32Array([7, 8]), "t")).buffer)), [7, 8]);
  // An offset that no Float32Array could have.
  assert.deepEqual(plain(await readBytes(new Uint8Array([1, 2, 3, 4]).subarray(1), "t")), [2, 3, 4]);
  assert.deepEqual(plain(await readBytes(new ArrayBuffer(0), "t")), []);
  const buffer = new Uint8Array([1, 2]).buffer;
  const copy = await readBytes(buffer, "t");
  assert.notEqual(copy.buffer, buffer);
});

test("shared memory and buffers of another realm are read; the result is unshared", async () => {
  const shared = new Uint8Array(new SharedArrayBuffer(3));
  shared.set([1, 2, 3]);
  const bytes = await readBytes(shared, "t");
  assert.deepEqual(plain(bytes), [1, 2, 3]);
  assert.ok(bytes.buffer instanceof ArrayBuffer);
  assert.deepEqual(plain(await readBytes(vm.runInNewContext("new Uint8Array([4, 5]).buffer"), "t")), [4, 5]);
  assert.deepEqual(plain(await readBytes(vm.runInNewContext("new Uint8Array([6])"), "t")), [6]);
});

test("what is no source is refused with the option's path and what it was", async () => {
  const cases = [
    [undefined, /mesh\.tets: undefined is not/],
    [null, /mesh\.tets: null is not/],
    [5, /the number 5/],
    [[1, 2], /a plain array \(use a typed array\)/],
    [new Float64Array(1), /a Float64Array/],
    [new DataView(new ArrayBuffer(1)), /a DataView/],
    [new Blob([]), /a Blob \(use its arrayBuffer\(\)\)/],
    [{}, /a Object/],
    [() => {}, /the function/],
    [Promise.resolve(), /a Promise/],
  ];
  for (const [source, message] of cases) {
    await assert.rejects(readBytes(source, "mesh.tets"), { name: "SoftBodyError", code: "invalid-option", message });
  }
});

test("a transferred buffer is refused rather than read as empty", async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  await assert.rejects(readBytes(bytes.buffer, "mesh.positions"), { code: "invalid-option", message: /mesh\.positions: .*detached/ });
  await assert.rejects(readBytes(bytes, "mesh.positions"), { code: "invalid-option" });
});

test("strings and URLs are fetched, with progress", async () => {
  const told = [];
  assert.deepEqual(plain(await readBytes(`${origin}/mesh.bin`, "t", undefined, (...args) => told.push(args))), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(told.at(-1), [6, 6]);
  assert.deepEqual(plain(await readBytes(new URL(`${origin}/mesh.bin`), "t")), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(plain(await readBytes(`${origin}/empty.bin`, "t")), []);
  const chunks = [];
  assert.deepEqual(plain(await readBytes(`${origin}/chunks.bin`, "t", null, (...args) => chunks.push(args))), [1, 2, 3]);
  assert.deepEqual(chunks.at(-1), [3, 0]);
  assert.ok(chunks.every(([loaded], i) => i === 0 || loaded > chunks[i - 1][0]));
});

test("failures name the option, the URL and the status", async () => {
  const cases = [
    ["/gone.bin", /mesh\.positions: http.*\/gone\.bin answered 404 Not Found/],
    ["/broken.bin", /answered 500/],
    ["/page.html", /is an HTML page/],
    ["/disguised.bin", /holds an HTML page/],
    ["/cut.bin", /\/cut\.bin/],
    ["/boast.bin", /\/boast\.bin/],
  ];
  for (const onProgress of [undefined, () => {}]) {
    for (const [path, message] of cases) {
      await assert.rejects(readBytes(origin + path, "mesh.positions", null, onProgress), { code: "mesh-load", message }, path);
    }
  }
  await assert.rejects(readBytes("http://127.0.0.1:1/x.bin", "t"), { code: "mesh-load", message: /127\.0\.0\.1:1\/x\.bin could not be fetched/ });
  await assert.rejects(readBytes("models/x.bin", "t"), { code: "mesh-load", message: /models\/x\.bin could not be fetched/ });
});

test("a Response is read once, and its status is checked", async () => {
  const response = new Response(new Uint8Array([1, 2]));
  assert.deepEqual(plain(await readBytes(response, "t")), [1, 2]);
  await assert.rejects(readBytes(response, "t"), { code: "mesh-load", message: /already read/ });
  await assert.rejects(readBytes(new Response("no", { status: 403 }), "t"), { code: "mesh-load", message: /403/ });
  assert.deepEqual(plain(await readBytes(new Response(null), "t")), []);
});

test("the length of compressed data is not taken for a total", async () => {
  const told = [];
  const response = new Response(new Uint8Array(50), { headers: { "content-encoding": "gzip", "content-length": "20" } });
  await readBytes(response, "t", undefined, (...args) => told.push(args));
  assert.deepEqual(told, [[50, 0]]);
});

test("an abort before, during a fetch and during a foreign Response gives aborted", async () => {
  await assert.rejects(readBytes(new Uint8Array(1), "t", AbortSignal.abort()), { code: "aborted" });

  const fetching = new AbortController();
  const pending = readBytes(`${origin}/slow.bin`, "mesh.tets", fetching.signal, () => fetching.abort(new Error("enough")));
  await assert.rejects(pending, { code: "aborted", message: /mesh\.tets: aborted \(enough\)/ });

  const whole = new AbortController();
  setTimeout(() => whole.abort(), 20);
  await assert.rejects(readBytes(`${origin}/slow.bin`, "t", whole.signal), { code: "aborted" });

  const foreign = await fetch(`${origin}/slow.bin`);
  const reading = new AbortController();
  const read = readBytes(foreign, "t", reading.signal);
  setTimeout(() => reading.abort(), 20);
  await assert.rejects(read, { code: "aborted" });
});

test("a progress callback that throws is told and does not fail the load", async () => {
  const original = console.error;
  const told = [];
  console.error = (thrown) => told.push(thrown);
  try {
    const fault = new Error("bar");
    const bytes = await readBytes(new Response(new Uint8Array([1])), "t", undefined, () => {
      throw fault;
    });
    assert.deepEqual(plain(bytes), [1]);
    assert.deepEqual(told, [fault]);
  } finally {
    console.error = original;
  }
});

test("several sources are read in order, with their progress added up", async () => {
  const told = [];
  const sources = [`${origin}/mesh.bin`, new Response(new Uint8Array(4), { headers: { "content-length": "4" } })];
  const [first, second] = await readAll(sources, ["a", "b"], undefined, (...args) => told.push(args));
  assert.deepEqual([plain(first), plain(second)], [[1, 2, 3, 4, 5, 6], [0, 0, 0, 0]]);
  assert.deepEqual(told.at(-1), [10, 10]);
  // Until both are known there is no total to compare with.
  assert.equal(told[0][1], 0);
  assert.deepEqual(await readAll([], []), []);
});

test("the first failure names its source and ends the others", async () => {
  const before = slowEnded;
  await assert.rejects(readAll([`${origin}/slow.bin`, `${origin}/gone.bin`], ["mesh.positions", "mesh.tets"]), {
    code: "mesh-load",
    message: /^mesh\.tets: .*404/,
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(slowEnded, before + 1);
});

test("an abort ends all; what is neither a signal nor a function is refused", async () => {
  const controller = new AbortController();
  const reading = readAll([`${origin}/slow.bin`, `${origin}/slow.bin`], ["a", "b"], controller.signal, () => controller.abort(new Error("enough")));
  await assert.rejects(reading, { code: "aborted", message: /enough/ });
  await assert.rejects(readAll([], [], AbortSignal.abort()).then(() => readAll([new Uint8Array(1)], ["a"], AbortSignal.abort())), { code: "aborted" });
  await assert.rejects(readAll([], [], {}), { code: "invalid-option", message: /^signal is an object/ });
  await assert.rejects(readAll([], [], undefined, 5), { code: "invalid-option", message: /^onProgress is 5/ });
});

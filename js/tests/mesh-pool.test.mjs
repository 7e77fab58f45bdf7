// The workers of webgpu-softbody/mesh: kept, queued for, ended by abort and idleness, replaced after failures.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { bytes, entry, fetched, pause, until } from "./mesh-support.mjs";

const kinds = (log) => log.map(([kind, message]) => (kind === "post" ? (message.hello ? "hello" : message.files[0].name) : kind));
const job = (name) => [{ name, bytes: bytes(name) }];

test("jobs wait for each other in one worker, and the WebAssembly is fetched once", async () => {
  const { importMesh, log, control } = await entry();
  const replies = [];
  control.answer = (message, reply) => replies.push(reply);
  const all = Promise.all([importMesh(job("a")), importMesh(job("b"))]);
  await until(() => replies.length === 1);
  await pause();
  assert.deepEqual(kinds(log), ["new", "hello", "a"]);
  replies[0]({ result: 1 });
  await until(() => replies.length === 2);
  assert.deepEqual(kinds(log), ["new", "hello", "a", "b"]);
  replies[1]({ result: 2 });
  assert.deepEqual(await all, [1, 2]);
  assert.equal(fetched.length, 1);
});

test("aborting the running job ends its worker at once; those that wait go on in a new one", async () => {
  const { importMesh, log, control } = await entry();
  control.answer = (message, reply) => message.files[0].name !== "a" && reply({ result: message.files[0].name });
  const controller = new AbortController();
  const aborted = importMesh(job("a"), { signal: controller.signal });
  await until(() => log.length === 3);
  const waiting = importMesh(job("b"));
  await pause();
  const start = performance.now();
  controller.abort(new Error("changed my mind"));
  await assert.rejects(aborted, { name: "SoftBodyError", code: "aborted", message: "importMesh: aborted (changed my mind)" });
  assert.ok(performance.now() - start < 1000);
  assert.equal(await waiting, "b");
  assert.deepEqual(kinds(log), ["new", "hello", "a", "terminate", "new", "hello", "b"]);
  assert.equal(fetched.length, 1);
});

test("aborting a job that waits, or before it begins, leaves the worker alone", async () => {
  const { importMesh, log, control } = await entry();
  const replies = [];
  control.answer = (message, reply) => replies.push(reply);
  const first = importMesh(job("a"));
  await until(() => replies.length === 1);
  const controller = new AbortController();
  const second = importMesh(job("b"), { signal: controller.signal });
  await pause();
  controller.abort();
  await assert.rejects(second, { code: "aborted" });
  await assert.rejects(importMesh(job("c"), { signal: AbortSignal.abort() }), { code: "aborted" });
  replies[0]({ result: "a" });
  assert.equal(await first, "a");
  assert.deepEqual(kinds(log), ["new", "hello", "a"]);
});

test("an abort while loading rejects although the fetch goes on for others", async () => {
  const { importMesh, log } = await entry();
  const real = globalThis.fetch;
  let go;
  const gate = new Promise((resolve) => (go = resolve));
  globalThis.fetch = async (address) => (await gate, real(address));
  const controller = new AbortController();
  const aborted = importMesh(job("a"), { signal: controller.signal });
  const other = importMesh(job("b"));
  await pause();
  controller.abort();
  await assert.rejects(aborted, { code: "aborted" });
  go();
  assert.deepEqual(await other, { task: "importMesh" });
  assert.deepEqual(kinds(log), ["new", "hello", "b"]);
});

test("a worker without work is ended after ten seconds, and the next job starts another", async (t) => {
  const { importMesh, log } = await entry();
  await importMesh(job("a"));
  // The timer of this first idleness is real; those from here on are not.
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const step = async (work) => {
    for (let i = 0; i < 50; i++) {
      await Promise.resolve();
      mock.timers.tick(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return work;
  };
  await step(importMesh(job("b")));
  mock.timers.tick(9_000);
  assert.deepEqual(kinds(log), ["new", "hello", "a", "b"]);
  mock.timers.tick(1_100);
  assert.deepEqual(kinds(log), ["new", "hello", "a", "b", "terminate"]);
  await step(importMesh(job("c")));
  assert.deepEqual(kinds(log).slice(5), ["new", "hello", "c"]);
});

test("a script that does not load is told, and the next call starts anew", async () => {
  const { importMesh, control } = await entry();
  control.hello = (worker) => worker.onerror({ message: undefined });
  await assert.rejects(importMesh(job("a")), { code: "wasm-load", message: /the mesh worker could not be started: the browser does not say why/ });
  control.hello = (worker) => worker.reply({ ready: true });
  assert.deepEqual(await importMesh(job("a")), { task: "importMesh" });
});

test("a worker that breaks during a job fails that job only", async () => {
  const { importMesh, control, log } = await entry();
  control.answer = (message, reply, worker) => {
    if (message.files[0].name === "a") worker.onerror({ message: "boom" });
    else if (message.files[0].name === "b") reply({ error: { kind: "internal", message: "unreachable" }, fatal: true });
    else reply({ result: "c" });
  };
  const [a, b, c] = await Promise.allSettled([importMesh(job("a")), importMesh(job("b")), importMesh(job("c"))]);
  assert.equal(a.reason.code, "internal");
  assert.match(a.reason.message, /boom/);
  assert.deepEqual([b.reason.code, b.reason.message], ["internal", "unreachable"]);
  assert.equal(c.value, "c");
  assert.deepEqual(kinds(log), ["new", "hello", "a", "terminate", "new", "hello", "b", "terminate", "new", "hello", "c"]);
});

/** What a borrowed worker's script says. */
const scriptOf = async (address) => (await import("node:buffer")).resolveObjectURL(address).text();

test("a script from elsewhere is imported by a worker of this origin", async () => {
  const { importMesh, control, log, url } = await entry();
  control.start = (worker, address) => {
    if (!address.startsWith("blob:")) throw new DOMException("cannot be accessed from origin", "SecurityError");
  };
  assert.deepEqual(await importMesh(job("a")), { task: "importMesh" });
  const [first, second] = log.filter(([kind]) => kind === "new");
  assert.equal(first[1], url("mesh-worker.js"));
  assert.equal(await scriptOf(second[1]), `import "${url("mesh-worker.js")}";`);
  assert.deepEqual(second[2], { type: "module" });
  assert.equal(globalThis.Worker.name, "StandIn");
});

test("the same where the browser refuses later, and only for another origin", async (t) => {
  const { importMesh, control } = await entry();
  control.hello = (worker) => (control.workers.length === 1 ? worker.onerror({}) : worker.reply({ ready: true }));
  t.after(() => delete globalThis.location);
  globalThis.location = new URL("https://example.test/page");
  assert.deepEqual(await importMesh(job("a")), { task: "importMesh" });
  assert.equal(control.workers.length, 2);
});

test("other refusals are told, and so is a place without workers", async () => {
  const { importMesh, control } = await entry();
  control.start = () => {
    throw new Error("too many");
  };
  await assert.rejects(importMesh(job("a")), { code: "wasm-load", message: "the mesh worker could not be started: too many" });
  delete globalThis.Worker;
  await assert.rejects(importMesh(job("a")), { code: "wasm-load", message: /no Worker here/ });
});

test("a worker of the caller's: made when needed, or used as given", async () => {
  const { importMesh, StandIn, log, control } = await entry();
  const make = () => new StandIn("mine.js");
  assert.deepEqual(await importMesh(job("a"), { worker: make }), { task: "importMesh" });
  assert.deepEqual(await importMesh(job("b"), { worker: make }), { task: "importMesh" });
  assert.deepEqual(kinds(log), ["new", "hello", "a", "b"]);
  // Each time, and not only the first: what is no Worker must not hold up the next job.
  const none = () => ({ postMessage() {} });
  for (const name of ["x", "y"]) await assert.rejects(importMesh(job(name), { worker: none }), { code: "invalid-option", message: /did not return a Worker/ });
  const mine = new StandIn("mine.js");
  log.length = 0;
  await importMesh(job("c"), { worker: mine });
  assert.deepEqual(kinds(log), ["hello", "c"]);
  control.answer = () => {};
  const controller = new AbortController();
  const aborted = importMesh(job("d"), { worker: mine, signal: controller.signal });
  await until(() => control.last.files[0].name === "d");
  controller.abort();
  await assert.rejects(aborted, { code: "aborted" });
  assert.equal(mine.alive, false);
  await assert.rejects(importMesh(job("e"), { worker: mine }), { code: "invalid-option", message: /was ended with an aborted job/ });
});

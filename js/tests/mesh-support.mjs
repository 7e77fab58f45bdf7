// What the tests of webgpu-softbody/mesh share: the package in a folder of its own, a stand-in for Worker, a server.
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, beforeEach } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), "..");
/** The smallest module that exports what the package's does: (module (func (export "convertFiles"))). */
const WASM = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0,
  7, 16, 1, 12, ...new TextEncoder().encode("convertFiles"), 0, 0, 10, 4, 1, 2, 0, 0x0b,
]);
export const CUBE = {
  positions: new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]),
  triangles: new Uint32Array([0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5]),
};
export const bytes = (text) => new TextEncoder().encode(text);
const turn = () => new Promise((resolve) => setTimeout(resolve));
/** Waits for what a test is about; the machine may be busy. */
export async function until(condition) {
  for (let start = performance.now(); !condition(); await turn()) {
    if (performance.now() - start > 10_000) throw new Error(`not within 10 s: ${condition}`);
  }
}
/** Time for what must not happen. */
export const pause = () => new Promise((resolve) => setTimeout(resolve, 30));

/** Addresses that were asked for, and what is answered. */
export const fetched = [];
export const served = { wasm: undefined, files: {} };
const folders = [];
const before = { fetch: globalThis.fetch, Worker: globalThis.Worker };
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
beforeEach(() => {
  fetched.length = 0;
  Object.assign(served, { wasm: undefined, files: {} });
  globalThis.fetch = async (address) => {
    fetched.push(String(address));
    const path = new URL(String(address)).pathname;
    if (path.endsWith(".wasm")) return served.wasm?.() ?? new Response(WASM, { headers: { "content-type": "application/wasm" } });
    if (path in served.files) return new Response(served.files[path], { headers: { "content-length": String(served.files[path].length) } });
    return new Response("", { status: 404, statusText: "Not Found" });
  };
});
afterEach(() => Object.assign(globalThis, before));

/**
 * A fresh package with its own module instances. `log` is what workers were told; `control.answer(message, reply)` is what
 * they do, `control.start(worker)` what happens when one is made, `control.last` the last job.
 */
export async function entry() {
  const folder = mkdtempSync(join(tmpdir(), "softbody-mesh-"));
  folders.push(folder);
  for (const name of readdirSync(SOURCE).filter((file) => file.endsWith(".js"))) cpSync(join(SOURCE, name), join(folder, name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const url = (name) => pathToFileURL(join(folder, name)).href;
  const log = [];
  const control = {
    last: undefined,
    start: () => {},
    hello: (worker) => worker.reply({ ready: true }),
    answer: ({ task }, reply) => reply({ result: { task } }),
    workers: [],
  };
  class StandIn {
    alive = true;
    constructor(address, options) {
      log.push(["new", String(address), options]);
      control.start(this, String(address), options);
      control.workers.push(this);
    }
    reply(data) {
      if (this.alive) this.onmessage?.({ data });
    }
    postMessage(message, transfer = []) {
      const data = structuredClone({ ...message, module: undefined }, { transfer });
      if (message.module) data.module = message.module;
      else delete data.module;
      log.push(["post", data]);
      setTimeout(() => {
        if (!this.alive) return;
        if (data.hello) return control.hello(this);
        control.last = data;
        control.answer(data, (told) => this.reply(told), this);
      });
    }
    terminate() {
      log.push(["terminate"]);
      this.alive = false;
    }
  }
  globalThis.Worker = StandIn;
  const [main, errors] = await Promise.all(["mesh.js", "report.js"].map((name) => import(url(name))));
  return { ...main, errors, log, control, url, StandIn };
}

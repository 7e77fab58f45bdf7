// Figures of loading a large box in Chromium: `node e2e/large.mjs [cells] [YOUNGS_MODULUS]`; 55 cells a side are a million tets.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { largeTools } from "./large-box.mjs";
import { closeAll, onPage, waitForState } from "./tools.mjs";

const [cells = 55, youngsModulus = 1e7] = process.argv.slice(2).map(Number);
const PKG = join(dirname(fileURLToPath(import.meta.url)), "../../pkg");
const mega = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

/** What the worker does, here: its time, and how far its memory grew. */
async function alone() {
  const glue = join(PKG, "webgpu_softbody.js");
  if (!existsSync(glue)) throw new Error(`${glue} is missing: run "make package" first`);
  const { initSync, prepareBody } = await import(pathToFileURL(glue).href);
  const { memory } = initSync({ module: new WebAssembly.Module(readFileSync(join(PKG, "webgpu_softbody_bg.wasm"))) });
  globalThis.window = globalThis;
  largeTools();
  const { positions, tets } = globalThis.kuhnBox(cells);
  const bytes = (list) => new Uint8Array(list.buffer);
  const start = performance.now();
  const stages = [];
  const tell = (fraction) => {
    stages.push(`${(fraction * 100).toFixed(0)} % after ${((performance.now() - start) / 1e3).toFixed(2)} s`);
  };
  const sections = prepareBody(bytes(positions), bytes(tets), { material: { youngsModulus } }, [], Number.NaN, 0, tell);
  const size = sections.reduce((sum, list) => sum + list.byteLength, 0);
  console.log(`WebAssembly in Node ${process.version}: ${tets.length / 4} tets, E = ${youngsModulus} Pa`);
  console.log(`  ${stages.join("; ")}; sections out after ${((performance.now() - start) / 1e3).toFixed(2)} s`);
  console.log(`  memory of the worker ${mega(memory.buffer.byteLength)}, of the answer ${mega(size)} in ${sections.length} lists`);
}

/** The longest tasks of the page's thread since the mark: a busy machine makes any task long, but gives it no more processor time. */
function longestTasks(events) {
  const mark = events.find(({ name }) => name === "begin-load");
  const ours = ({ pid, tid, tdur, ts }) => pid === mark.pid && tid === mark.tid && tdur > 0 && ts > mark.ts;
  const tasks = events.filter((event) => event.name.endsWith("RunTask") && ours(event));
  tasks.sort((a, b) => b.tdur - a.tdur);
  return tasks.slice(0, 8).map(({ tdur, dur, ts }) => `${(tdur / 1e3).toFixed(0)} (${(dur / 1e3).toFixed(0)}) after ${((ts - mark.ts) / 1e6).toFixed(2)}`);
}

await alone();
await onPage("?preset=cube&paused=1", async (page) => {
  await waitForState(page, "paused");
  await page.evaluate(largeTools);
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ["toplevel", "__metadata", "blink.user_timing"] });
  const { result, gaps, seconds, told } = await page.evaluate(
    async ([count, modulus]) => {
      const box = window.kuhnBox(count);
      const told = [];
      // The box is no part of the load.
      await new Promise((resolve) => setTimeout(resolve, 200));
      performance.mark("begin-load");
      const start = performance.now();
      const onPrepare = (fraction) => told.push(`${(fraction * 100).toFixed(0)} % after ${((performance.now() - start) / 1e3).toFixed(2)} s`);
      const load = () => window.softbody.load(box, { material: { youngsModulus: modulus }, onPrepare });
      return { ...(await window.longestGap(load)), told };
    },
    [cells, youngsModulus],
  );
  if (result.refused) throw new Error(result.refused);
  console.log(`Chromium: ${result.tets} tets loaded in ${seconds.toFixed(2)} s, ${result.dynamics.substeps} substeps, r = ${result.dynamics.r.toFixed(2)}`);
  console.log(`  ${told.join("; ")}`);
  const tasks = longestTasks(JSON.parse((await browser.stopTracing()).toString()).traceEvents);
  console.log(`  longest tasks of the page's thread, ms of processor time (of any time) after s: ${tasks.join(", ")}`);
  console.log(`  longest gap: ${gaps.timer.toFixed(0)} ms between timers, ${gaps.frame.toFixed(0)} ms between frames`);
});
await closeAll();

// Times filling the bunny in WebAssembly (the built package, in Node) and natively, by turns in one run: `node scripts/mesh-time.mjs`.
// Needs pkg/ (`make package`); builds the native example if need be.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const TARGETS = [4_600, 20_000, 100_000];

const { convertFiles, initSync } = await import(join(ROOT, "pkg/webgpu_softbody_mesh.js"));
initSync({ module: readFileSync(join(ROOT, "pkg/webgpu_softbody_mesh_bg.wasm")) });
const BUNNY = join(ROOT, "assets/surfaces/bunny.obj");
const bytes = readFileSync(BUNNY);

/** Seconds and tets of one conversion, reading the file included. */
function wasm(tets) {
  const began = performance.now();
  const { mesh } = convertFiles([{ name: "bunny.obj", bytes }], { scale: 1, tets }, () => {});
  return { seconds: (performance.now() - began) / 1000, tets: mesh.tets.length / 4 };
}

function native(tets) {
  const program = ["run", "--quiet", "--release", "--no-default-features", "--features", "mesh-tools", "--example", "convert_time", "--"];
  const { status, stdout, stderr } = spawnSync("cargo", [...program, BUNNY, String(tets)], { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error(`convert_time: ${stderr}`);
  return JSON.parse(stdout);
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

console.log("| asked | tets | native s | wasm s | ratio |\n| --- | --- | --- | --- | --- |");
for (const target of TARGETS) {
  // The first warms the compiler.
  wasm(target);
  const rounds = Array.from({ length: 5 }, () => wasm(target));
  const here = { seconds: median(rounds.map(({ seconds }) => seconds)), tets: rounds[0].tets };
  const there = native(target);
  if (here.tets !== there.tets) throw new Error(`native and WebAssembly differ: ${there.tets} and ${here.tets} tets`);
  const cells = [target, here.tets].map((count) => count.toLocaleString("en"));
  console.log(`| ${cells.join(" | ")} | ${there.seconds.toFixed(3)} | ${here.seconds.toFixed(3)} | ${(here.seconds / there.seconds).toFixed(2)} |`);
}

// Entry of webgpu-softbody/mesh: surfaces become tetrahedra and files become meshes, in a worker that starts on first use.
import { SoftBodyError, abortedError, toSoftBodyError } from "./report.js";
import { checkedOptions, readFiles } from "./mesh-input.js";
import { inWorker } from "./mesh-pool.js";
import { checkedSurface, isSurface } from "./mesh-surface.js";
import { loadWasm } from "./wasm.js";

/** @typedef {import("./mesh-input.js").Task} Task */
/** @typedef {import("./mesh.js").MeshResult} MeshResult */
/** @typedef {import("./index.js").SurfaceSource} SurfaceSource */
/** @typedef {ReturnType<typeof checkedOptions>} Options */

/** The part of the progress that belongs to fetching, where there is any. */
const LOADING = 0.2;

/** @type {Promise<WebAssembly.Module> | undefined} compiled once, for every worker */
let loading;

/** @param {Options["wasm"]} source */
function loadOnce(source) {
  // Spelled out like this, bundlers see the file and take it along.
  const given = source ?? new URL("webgpu_softbody_mesh_bg.wasm", import.meta.url);
  loading ??= loadWasm(given, "convertFiles", (module) => module).catch((thrown) => {
    // So that the next call tries again.
    loading = undefined;
    throw thrown;
  });
  return loading;
}

/**
 * Fractions that only grow, to a listener that cannot disturb the work.
 * @param {Options["onProgress"]} onProgress
 */
function teller(onProgress) {
  let last = -1;
  return (/** @type {number} */ fraction) => {
    if (!onProgress || !(fraction > last)) return;
    last = fraction;
    try {
      onProgress(fraction);
    } catch (thrown) {
      if (typeof reportError === "function") reportError(thrown);
      else console.error(thrown);
    }
  };
}

const CODES = /** @type {Record<string, import("./index.js").ErrorCode>} */ ({
  cancelled: "aborted",
  internal: "internal",
  "invalid-option": "invalid-option",
  limits: "limits",
});

/**
 * The worker's account of a failure as this package's error.
 * @param {unknown} thrown
 */
function toError(thrown) {
  if (typeof thrown !== "object" || thrown === null || !("kind" in thrown)) return toSoftBodyError(thrown);
  const { kind, message } = /** @type {{ kind: string, message: string }} */ (thrown);
  return new SoftBodyError(CODES[kind] ?? "invalid-mesh", message, { kind });
}

/**
 * @template T
 * @param {Promise<T>} work
 * @param {AbortSignal | undefined} signal
 * @param {Task} task
 * @returns {Promise<T>}
 */
function unlessAborted(work, signal, task) {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(abortedError(signal, task));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/**
 * @param {Task} task
 * @param {any} source
 * @param {import("./mesh.js").MeshOptions & { name?: string }} options
 */
async function run(task, source, options) {
  try {
    return await work(task, source, checkedOptions(options, task));
  } catch (thrown) {
    throw toError(thrown);
  }
}

/**
 * A checked copy of a surface that is given as arrays.
 * @param {any} source
 */
function surfaceIn(source) {
  try {
    return isSurface(source) ? checkedSurface(source) : undefined;
  } catch (thrown) {
    if (thrown instanceof SoftBodyError) throw thrown;
    // A getter, or an array whose memory has been transferred.
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new SoftBodyError("invalid-option", `surface: reading it threw ${message}`, thrown);
  }
}

/**
 * @param {Task} task
 * @param {any} source
 * @param {Options} options
 */
async function work(task, source, options) {
  const { signal, job } = options;
  if (signal?.aborted) throw abortedError(signal, task);
  const tell = teller(options.onProgress);
  const label = task === "importMesh" ? "file" : "surface";
  const surface = task === "tetrahedralize" ? surfaceIn(source) : undefined;
  let begun = 0;
  // Only for a listener: without one, what is fetched is read in one go.
  const onLoaded = options.onProgress && ((/** @type {number} */ fraction) => tell((begun = LOADING) * fraction));
  const reading = surface ? [] : readFiles(source, label, options, onLoaded);
  const [files, module] = await unlessAborted(Promise.all([reading, loadOnce(options.wasm)]), signal, task);
  const arrays = surface && { positions: surface.positions.slice(), triangles: surface.triangles.slice() };
  const result = await inWorker(options.worker, {
    what: task,
    message: { task, module, files, surface: arrays, options: job },
    transfer: arrays ? [arrays.positions.buffer, arrays.triangles.buffer] : files.map(({ bytes }) => bytes.buffer),
    signal,
    onProgress: (fraction) => tell(begun + (1 - begun) * fraction),
  });
  tell(1);
  // The look stayed here: only the place of the vertices can have changed.
  if (surface) result.surface = { ...surface, positions: result.surface?.positions ?? surface.positions };
  return result;
}

/**
 * @param {import("./mesh.js").FileSource | SurfaceSource} surface
 * @param {import("./mesh.js").MeshOptions} [options]
 * @returns {Promise<MeshResult>}
 */
export async function tetrahedralize(surface, options = {}) {
  return run("tetrahedralize", surface, options);
}

/**
 * @param {import("./mesh.js").FileSource} file
 * @param {import("./mesh.js").MeshOptions & { name?: string }} [options]
 * @returns {Promise<MeshResult>}
 */
export async function importMesh(file, options = {}) {
  return run("importMesh", file, options);
}

/**
 * @param {import("./mesh.js").FileSource} source
 * @param {import("./mesh.js").SurfaceOptions} [options]
 * @returns {Promise<SurfaceSource>}
 */
export async function readSurface(source, options = {}) {
  return run("readSurface", source, options);
}

export { SoftBodyError };

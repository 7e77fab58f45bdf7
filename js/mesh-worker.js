// The worker of webgpu-softbody/mesh: one job after the other in WebAssembly, progress and results by message.
import { convertFiles, fillSurface, initSync, readSurface } from "./webgpu_softbody_mesh.js";
import { decodeImages } from "./mesh-images.js";

/**
 * @typedef {object} Task
 * @property {"tetrahedralize" | "importMesh" | "readSurface"} task
 * @property {WebAssembly.Module} module
 * @property {{ name: string, bytes: Uint8Array }[]} files
 * @property {object} [surface] arrays instead of files
 * @property {object} options
 */

const scope = /** @type {{ postMessage(message: unknown, transfer?: Transferable[]): void }} */ (/** @type {unknown} */ (globalThis));

/** About thirty a second: each one wakes the page. */
const PROGRESS_MS = 33;
let started = false;

/** What is called from within WebAssembly must not throw: it would leave its stack damaged. */
function teller() {
  let last = -Infinity;
  return (/** @type {number} */ fraction) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    try {
      scope.postMessage({ fraction });
    } catch {
      // A message that is lost delays the bar until the next one.
    }
  };
}

/**
 * @param {string} message
 * @param {string} kind
 */
const failure = (kind, message) => ({ kind, message });

/** @param {Task} work */
async function answer({ task, module, files, surface, options }) {
  if (!started) initSync({ module });
  started = true;
  if (task === "readSurface") {
    const read = readSurface(files);
    if (!read.surface) throw failure("no-surface", `${read.format}: a volume mesh, without a surface of its own`);
    await decodeImages(read.surface, read.notes);
    return read.surface;
  }
  const result = surface ? fillSurface(surface, options, teller()) : convertFiles(files, options, teller());
  if (task === "tetrahedralize" && !result.surface) {
    throw failure("no-surface", `${result.format}: this is a volume mesh already; importMesh takes it as it is`);
  }
  if (result.surface) await decodeImages(result.surface, result.notes);
  return result;
}

/**
 * The buffers of all typed arrays in a result, each once.
 * @param {unknown} value
 * @param {Set<ArrayBuffer>} [found]
 */
function buffers(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(/** @type {ArrayBuffer} */ (value.buffer));
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) buffers(inner, found);
  return found;
}

globalThis.addEventListener("message", async ({ data }) => {
  if (data.hello) return scope.postMessage({ ready: true });
  try {
    const result = await answer(data);
    scope.postMessage({ result }, [...buffers(result)]);
  } catch (thrown) {
    // Ours are plain objects; anything else is a trap or a fault of this file.
    const ours = typeof thrown === "object" && thrown !== null && "kind" in thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const error = ours ? thrown : failure("internal", `the mesh module stopped at an internal error: ${message} (out of memory?)`);
    scope.postMessage({ error, fatal: !ours });
  }
});

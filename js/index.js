// Package entry: loads the WebAssembly once, when the first body is made, and keeps every error a SoftBodyError.
import init, { SoftBody as Generated } from "./webgpu_softbody.js";
import { Gestures } from "./gestures.js";
import { SoftBodyError, abortedError, checkedSignal, toSoftBodyError } from "./report.js";
import { usePool } from "./source.js";
import { isSupported } from "./support.js";
import { packedSurface } from "./surface.js";
import { useGestures } from "./view.js";
import { loadWasm } from "./wasm.js";

/** @typedef {import("./index.js").SoftBodyOptions} SoftBodyOptions */

/** What answers with a promise: their failures must be rejections, even those found before any waiting. */
const ASYNC_METHODS = new Set(["load", "loadCloth", "settled", "readPositions", "readVelocities", "snapshot", "pick", "grab"]);

usePool(() => import("./body-pool.js"));
useGestures(Gestures);

/** @type {Promise<unknown> | undefined} the one WebAssembly instance, loading or loaded */
let loading;

/**
 * @param {SoftBodyOptions["wasm"]} source
 * @returns {Promise<unknown>}
 */
function loadOnce(source) {
  loading ??= instantiate(source).catch((thrown) => {
    // So that the next create() tries again.
    loading = undefined;
    throw thrown;
  });
  return loading;
}

/** @param {SoftBodyOptions["wasm"]} source */
function instantiate(source) {
  // Spelled out like this, bundlers see the file and take it along.
  const given = source ?? new URL("webgpu_softbody_bg.wasm", import.meta.url);
  return loadWasm(given, "softbody_create", (module) => init({ module_or_path: module }));
}

/**
 * Waits for `work`, but no longer than the caller wants to.
 * @template T
 * @param {Promise<T>} work
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<T>}
 */
async function unlessAborted(work, signal) {
  if (!signal) return work;
  if (signal.aborted) throw abortedError(signal, "create");
  return new Promise((resolve, reject) => {
    const abort = () => reject(abortedError(signal, "create"));
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** What a file can be given as: {@link import("./index.js").BytesSource}, and what its reader refuses by name. */
const FILES = new Set(["String", "URL", "Response", "ArrayBuffer", "SharedArrayBuffer", "Uint8Array", "Uint32Array", "Float32Array", "Blob", "File"]);

/**
 * Packs the surface in the options for the WebAssembly: at once, or in a promise where it is a file. Only then is the
 * module that reads files loaded.
 * @param {any} options a copy
 */
function packSurface(options) {
  const source = options?.surface;
  if (source === undefined) return;
  if (!FILES.has(Object.prototype.toString.call(source).slice(8, -1))) {
    options.surface = packedSurface(source);
    return;
  }
  const signal = checkedSignal(options.signal);
  const work = surfaceModule()
    .then(({ readSurface }) => readSurface(source, signal ? { signal } : {}))
    .then(packedSurface);
  // Whoever waits for it hears of a failure; a call that was refused for another reason does not wait.
  work.catch(() => {});
  options.surface = work;
}

async function surfaceModule() {
  try {
    return await import("./mesh.js");
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new SoftBodyError("mesh-load", `surface: the module that reads files could not be loaded: ${message}`, thrown);
  }
}

const createBody = Generated.create;

/**
 * Every body from creation to `dispose`. Without it a running body whose owner keeps no reference would be collected,
 * and its frame loop with it.
 * @type {Map<Generated, HTMLCanvasElement | OffscreenCanvas>}
 */
const alive = new Map();

/** @type {Set<unknown>} canvases that a body is being made on */
const taken = new Set();

/** Handed on as they are: what they hold is read where it is needed. */
const OPAQUE = new Set(["AbortSignal", "Response", "URL", "WebAssembly.Module", "SharedArrayBuffer", "DataView", "Blob", "File"]);
const DEEPEST = 5;

/**
 * A copy of an argument that nobody else can change, whose reading cannot throw: an exception that JavaScript throws
 * through WebAssembly leaves its stack damaged.
 * @param {any} value
 * @param {string} path
 * @param {number} [depth]
 * @returns {any}
 */
function plain(value, path, depth = 0) {
  if (typeof value !== "object" || value === null) return value;
  const inside = (/** @type {string} */ key) => (path === "options" ? key : `${path}.${key}`);
  try {
    if (OPAQUE.has(Object.prototype.toString.call(value).slice(8, -1))) return value;
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return /** @type {any} */ (value).slice();
    if (depth >= DEEPEST) throw new SoftBodyError("invalid-option", `${path} is nested too deeply`);
    if (Array.isArray(value)) return Array.from(value, (entry, index) => plain(entry, `${path}[${index}]`, depth + 1));
    /** @type {Record<string, unknown>} */
    const copy = {};
    // With inherited ones, as a class of options may have.
    for (const key in value) copy[key] = plain(value[key], inside(key), depth + 1);
    return copy;
  } catch (thrown) {
    if (thrown instanceof SoftBodyError) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new SoftBodyError("invalid-option", `${path}: reading it threw ${message}`, thrown);
  }
}

/**
 * @param {unknown} canvas
 */
function free(canvas) {
  try {
    // What only looks like a canvas throws here.
    void (/** @type {any} */ (canvas)?.width);
  } catch (thrown) {
    throw new SoftBodyError("invalid-option", "canvas must be an HTMLCanvasElement or an OffscreenCanvas", thrown);
  }
  if (taken.has(canvas) || [...alive.values()].includes(/** @type {HTMLCanvasElement} */ (canvas))) {
    throw new SoftBodyError("canvas-context", "canvas: another SoftBody is on it; dispose that one first");
  }
}

/**
 * @param {HTMLCanvasElement | OffscreenCanvas} canvas
 * @param {SoftBodyOptions} [options]
 */
async function create(canvas, options = {}) {
  if (typeof options !== "object" || options === null) {
    throw new SoftBodyError("invalid-option", `create: options is ${String(options)}, not an object`);
  }
  free(canvas);
  /** @type {SoftBodyOptions} */
  const kept = plain(options, "options");
  const signal = checkedSignal(kept.signal);
  taken.add(canvas);
  try {
    const support = await unlessAborted(isSupported(), signal);
    if (!support.supported) {
      const code = support.reason === "no-adapter" ? "no-adapter" : "webgpu-unavailable";
      throw new SoftBodyError(code, `${support.reason}: ${support.detail}`, support);
    }
    packSurface(kept);
    await unlessAborted(loadOnce(kept.wasm), signal);
    const body = await createBody.call(Generated, canvas, kept);
    alive.set(body, canvas);
    return body;
  } catch (thrown) {
    throw toSoftBodyError(thrown);
  } finally {
    taken.delete(canvas);
  }
}

/** What the first arguments are called in messages; those of other methods are passed on as they are. */
const ARGUMENTS = /** @type {Record<string, string[]>} */ ({
  load: ["mesh", "options"],
  loadCloth: ["cloth", "options"],
  setWind: ["wind"],
  setMaterial: ["material"],
  setAppearance: ["appearance"],
  setGravity: ["gravity"],
  setSolver: ["options"],
  setCamera: ["camera"],
  grab: ["x", "y", "options"],
  pin: ["vertices", "body", "targets"],
  impulse: ["velocity", "body", "at"],
  unpin: ["vertices"],
  restore: ["snapshot"],
});

/**
 * The method with copied arguments, save that whatever it throws (a wasm trap, the glue's own errors) is a SoftBodyError.
 * @param {Function} method
 * @param {boolean} isAsync
 * @param {string[]} names
 */
function guarded(method, isAsync, names = []) {
  /**
   * @this {unknown}
   * @param {unknown[]} args
   */
  return function (...args) {
    try {
      names.forEach((name, index) => (args[index] = plain(args[index], name)));
      if (names[1] === "options") packSurface(args[1]);
      const result = method.apply(this, args);
      if (!(result instanceof Promise)) return result;
      return result.catch((/** @type {unknown} */ thrown) => {
        throw toSoftBodyError(thrown);
      });
    } catch (thrown) {
      const error = toSoftBodyError(thrown);
      if (isAsync) return Promise.reject(error);
      throw error;
    }
  };
}

/**
 * Completes the generated class.
 * @param {typeof Generated} type
 */
function complete(type) {
  const prototype = type.prototype;
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === "constructor" || name === "free" || name.startsWith("__")) continue;
    if (typeof property.value === "function") property.value = guarded(property.value, ASYNC_METHODS.has(name), ARGUMENTS[name]);
    if (property.get) property.get = guarded(property.get, false);
    Object.defineProperty(prototype, name, property);
  }
  // Freed by `dispose` and the garbage collector only.
  Reflect.deleteProperty(prototype, "free");
  const dispose = prototype.dispose;
  prototype.dispose = function () {
    alive.delete(this);
    dispose.call(this);
  };
  // `using` needs the symbol; where the language has none yet, there is nothing to install.
  if (typeof Symbol.dispose === "symbol") {
    Object.defineProperty(prototype, Symbol.dispose, {
      configurable: true,
      writable: true,
      /** @this {Generated} */
      value: function () {
        this.dispose();
      },
    });
  }
  return Object.assign(type, { create, isSupported });
}

// A value of this module and no re-export: bundlers may lead a re-export past this file, straight to the bare class.
export const SoftBody = complete(Generated);
export { SoftBodyError };

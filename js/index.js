// Package entry: loads the WebAssembly once, when the first body is made, and keeps every error a SoftBodyError.
import init, { SoftBody as Generated } from "./webgpu_softbody.js";
import { SoftBodyError, abortedError, checkedSignal, toSoftBodyError } from "./report.js";
import { isSupported } from "./support.js";

/** @typedef {import("./index.js").SoftBodyOptions} SoftBodyOptions */

/** What answers with a promise: their failures must be rejections, even those found before any waiting. */
const ASYNC_METHODS = new Set(["load", "settled", "readPositions", "readVelocities"]);

/** @type {Promise<unknown> | undefined} the one WebAssembly instance, loading or loaded */
let loading;

/**
 * @param {SoftBodyOptions["wasm"]} source
 * @returns {Promise<unknown>}
 */
function loadWasm(source) {
  loading ??= instantiate(source).catch((thrown) => {
    // So that the next create() tries again.
    loading = undefined;
    throw thrown;
  });
  return loading;
}

/** @param {SoftBodyOptions["wasm"]} source */
async function instantiate(source) {
  // Spelled out like this, bundlers see the file and take it along.
  const given = source ?? new URL("webgpu_softbody_bg.wasm", import.meta.url);
  const kind = Object.prototype.toString.call(given).slice(8, -1);
  const where = kind === "String" || kind === "URL" ? String(given) : /** @type {Response} */ (given).url || `the given ${kind}`;
  try {
    return await init({ module_or_path: kind === "String" || kind === "URL" ? await fetched(where) : checked(given, kind, where) });
  } catch (thrown) {
    if (thrown instanceof SoftBodyError) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new SoftBodyError("wasm-load", `wasm: ${where} could not be loaded: ${message}`, thrown);
  }
}

/** @param {string} url */
async function fetched(url) {
  return checked(await fetch(url), "Response", url);
}

/**
 * @param {unknown} given
 * @param {string} kind
 * @param {string} where
 * @returns {any} what the generated glue accepts
 */
function checked(given, kind, where) {
  switch (kind) {
    case "Response": {
      const response = /** @type {Response} */ (given);
      if (!response.ok) throw new SoftBodyError("wasm-load", `wasm: ${where} answered ${response.status} ${response.statusText}`.trimEnd());
      // A server that rewrites unknown paths answers with its start page.
      if (/^\s*text\/html\b/i.test(response.headers.get("content-type") ?? "")) {
        throw new SoftBodyError("wasm-load", `wasm: ${where} is an HTML page, not WebAssembly`);
      }
      return response;
    }
    case "ArrayBuffer":
    case "Uint8Array":
    case "WebAssembly.Module":
      return given;
    default:
      throw new SoftBodyError("invalid-option", `wasm: ${kind} is not a URL, a Response, an ArrayBuffer, a Uint8Array or a WebAssembly.Module`);
  }
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

const createBody = Generated.create;

/**
 * Every body from creation to `dispose`. Without it a running body whose owner keeps no reference would be collected,
 * and its frame loop with it.
 * @type {Map<Generated, HTMLCanvasElement | OffscreenCanvas>}
 */
const alive = new Map();

/** @type {Set<unknown>} canvases that a body is being made on */
const taken = new Set();

/**
 * What may change while we wait: typed arrays are copied, as the types promise.
 * @param {SoftBodyOptions} options
 * @returns {SoftBodyOptions}
 */
function held(options) {
  const copied = (/** @type {any} */ source) => {
    try {
      return ArrayBuffer.isView(source) || source instanceof ArrayBuffer ? /** @type {any} */ (source).slice() : source;
    } catch {
      // A detached buffer, or a view without slice(): reading it will say which option it was.
      return source;
    }
  };
  const kept = { ...options };
  if (typeof kept.mesh === "object" && kept.mesh !== null) {
    kept.mesh = { ...kept.mesh };
    if ("positions" in kept.mesh) kept.mesh.positions = copied(kept.mesh.positions);
    if ("tets" in kept.mesh) kept.mesh.tets = copied(kept.mesh.tets);
  }
  if (kept.pinned instanceof Uint32Array) kept.pinned = kept.pinned.slice();
  return kept;
}

/**
 * @param {unknown} canvas
 */
function free(canvas) {
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
  let kept;
  try {
    kept = held(options);
  } catch (thrown) {
    throw new SoftBodyError("invalid-option", `options: reading them threw ${thrown}`, thrown);
  }
  const signal = checkedSignal(kept.signal);
  taken.add(canvas);
  try {
    const support = await unlessAborted(isSupported(), signal);
    if (!support.supported) {
      const code = support.reason === "no-adapter" ? "no-adapter" : "webgpu-unavailable";
      throw new SoftBodyError(code, `${support.reason}: ${support.detail}`, support);
    }
    await unlessAborted(loadWasm(kept.wasm), signal);
    const body = await createBody.call(Generated, canvas, kept);
    alive.set(body, canvas);
    return body;
  } catch (thrown) {
    throw toSoftBodyError(thrown);
  } finally {
    taken.delete(canvas);
  }
}

/**
 * The method as it is, save that whatever it throws (a wasm trap, the glue's own errors) is a SoftBodyError.
 * @param {Function} method
 * @param {boolean} isAsync
 */
function guarded(method, isAsync) {
  /**
   * @this {unknown}
   * @param {unknown[]} args
   */
  return function (...args) {
    try {
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
    if (typeof property.value === "function") property.value = guarded(property.value, ASYNC_METHODS.has(name));
    if (property.get) property.get = guarded(property.get, false);
    Object.defineProperty(prototype, name, property);
  }
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

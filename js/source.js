// What loading leans on: every kind of byte source to bytes (fetched with status and content checked, or copied), and other threads.
import { SoftBodyError, abortedError, checkedSignal } from "./report.js";

/** @typedef {import("./index.js").BytesSource} BytesSource */

const KINDS = "a URL, a Response, an ArrayBuffer, a Float32Array, a Uint32Array or a Uint8Array";

/**
 * Reads several sources at once. The first failure ends the others.
 * @param {BytesSource[]} sources
 * @param {string[]} labels one for each source
 * @param {AbortSignal | null} [signal]
 * @param {((loaded: number, total: number) => void) | null} [onProgress] sums over all sources; total is 0 until all are known
 * @returns {Promise<Uint8Array[]>} in the order of the sources
 */
export async function readAll(sources, labels, signal, onProgress) {
  const outer = checkedSignal(signal);
  if (typeof onProgress !== "function" && onProgress !== undefined && onProgress !== null) {
    throw new SoftBodyError("invalid-option", `onProgress is ${String(onProgress)}, but must be a function`);
  }
  const inner = new AbortController();
  const abort = () => inner.abort(outer?.reason);
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort, { once: true });
  /** @type {{ loaded: number, total: number }[]} */
  const parts = sources.map(() => ({ loaded: 0, total: 0 }));
  /** @type {(index: number, loaded: number, total: number) => void} */
  const tell = (index, loaded, total) => {
    parts[index] = { loaded, total };
    const known = parts.every((part) => part.total > 0);
    const sum = (/** @type {"loaded" | "total"} */ key) => parts.reduce((all, part) => all + part[key], 0);
    onProgress?.(sum("loaded"), known ? sum("total") : 0);
  };
  try {
    return await Promise.all(
      sources.map((source, index) =>
        readBytes(source, labels[index] ?? "bytes", inner.signal, onProgress && ((loaded, total) => tell(index, loaded, total))),
      ),
    );
  } catch (thrown) {
    inner.abort(thrown);
    throw thrown;
  } finally {
    outer?.removeEventListener("abort", abort);
  }
}

/**
 * @param {BytesSource} source
 * @param {string} label the option's path, such as "mesh.positions": errors name it
 * @param {AbortSignal | null} [signal]
 * @param {((loaded: number, total: number) => void) | null} [onProgress] total is 0 where the server does not say
 * @returns {Promise<Uint8Array>} bytes that nobody else holds
 */
export async function readBytes(source, label, signal, onProgress) {
  if (signal?.aborted) throw abortedError(signal, label);
  const kind = Object.prototype.toString.call(source).slice(8, -1);
  switch (kind) {
    case "String":
    case "URL":
      return fetchBytes(String(source), label, signal ?? undefined, onProgress ?? undefined);
    case "Response": {
      const response = /** @type {Response} */ (source);
      return responseBytes(response, response.url || "a Response", label, signal ?? undefined, onProgress ?? undefined);
    }
    // By tag, not by instanceof: a buffer may come from another realm (an iframe, a test runner).
    case "ArrayBuffer":
    case "SharedArrayBuffer":
      return copied(/** @type {ArrayBuffer} */ (source), undefined, undefined, label);
    case "Float32Array":
    case "Uint32Array":
    case "Uint8Array": {
      const view = /** @type {Float32Array} */ (source);
      return copied(view.buffer, view.byteOffset, view.byteLength, label);
    }
    default:
      throw new SoftBodyError("invalid-option", `${label}: ${named(source, kind)} is not ${KINDS}`);
  }
}

/**
 * @param {ArrayBufferLike} buffer
 * @param {number | undefined} offset
 * @param {number | undefined} length
 * @param {string} label
 */
function copied(buffer, offset, length, label) {
  try {
    // slice() of a view on shared memory gives unshared memory.
    return new Uint8Array(buffer, offset, length).slice();
  } catch (thrown) {
    // A view on a detached buffer cannot be made; reading it as empty would hide the mistake.
    throw new SoftBodyError("invalid-option", `${label}: the buffer is detached (it was transferred elsewhere)`, thrown);
  }
}

/**
 * @param {unknown} source
 * @param {string} kind
 */
function named(source, kind) {
  if (source === undefined || source === null) return String(source);
  if (kind === "Blob" || kind === "File") return `a ${kind} (use its arrayBuffer())`;
  if (kind === "Array") return "a plain array (use a typed array)";
  return typeof source === "object" ? `a ${kind}` : `the ${typeof source} ${String(source)}`;
}

/**
 * @param {string} url
 * @param {string} label
 * @param {AbortSignal | undefined} signal
 * @param {((loaded: number, total: number) => void) | undefined} onProgress
 */
async function fetchBytes(url, label, signal, onProgress) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url, { signal: signal ?? null });
  } catch (thrown) {
    throw failure(thrown, url, label, signal);
  }
  fetchedHere.add(response);
  return responseBytes(response, url, label, signal, onProgress);
}

/** @type {WeakSet<Response>} those whose body ends with the caller's signal by itself */
const fetchedHere = new WeakSet();

/**
 * @param {Response} response
 * @param {string} url
 * @param {string} label
 * @param {AbortSignal | undefined} signal
 * @param {((loaded: number, total: number) => void) | undefined} onProgress
 */
async function responseBytes(response, url, label, signal, onProgress) {
  /** @param {string} what */
  const refuse = (what) => {
    // Nobody will read the rest: let the connection go.
    if (!response.bodyUsed) response.body?.cancel().catch(() => {});
    return new SoftBodyError("mesh-load", `${label}: ${url} ${what}`, { url, status: response.status });
  };
  if (response.bodyUsed) throw refuse("was already read");
  if (!response.ok) throw refuse(`answered ${response.status} ${response.statusText}`.trimEnd());
  // A server that rewrites unknown paths answers 200 with its start page.
  if (/^\s*text\/html\b/i.test(response.headers.get("content-type") ?? "")) throw refuse("is an HTML page, not binary data");
  const bytes = await received(response, url, label, signal, onProgress);
  if (looksLikeHtml(bytes)) throw refuse("holds an HTML page, not binary data");
  return bytes;
}

/**
 * Collects what arrives; never trusts an announced length with memory.
 * @param {Response} response
 * @param {string} url
 * @param {string} label
 * @param {AbortSignal | undefined} signal
 * @param {((loaded: number, total: number) => void) | undefined} onProgress
 */
async function received(response, url, label, signal, onProgress) {
  if (typeof onProgress !== "function" && fetchedHere.has(response)) {
    // In one go: Chromium counts a body that was read through its stream as cancelled now and then.
    try {
      return new Uint8Array(await response.arrayBuffer());
    } catch (thrown) {
      throw failure(thrown, url, label, signal);
    }
  }
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array(0);
  // A given Response was fetched without our signal: cancelling the reader ends its read() too.
  const cancel = () => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", cancel, { once: true });
  const total = announcedLength(response);
  /** @type {Uint8Array[]} */
  const chunks = [];
  let loaded = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (signal?.aborted) throw abortedError(signal, label);
      if (done) break;
      chunks.push(value);
      loaded += value.byteLength;
      progress(onProgress, loaded, total);
    }
  } catch (thrown) {
    cancel();
    throw failure(thrown, url, label, signal);
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
  if (total > 0 && loaded < total) {
    throw new SoftBodyError("mesh-load", `${label}: ${url} ended after ${loaded} of ${total} bytes`, { url, loaded, total });
  }
  const bytes = new Uint8Array(loaded);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** @param {Response} response */
function announcedLength(response) {
  // The length of compressed data says nothing about what the reader will see.
  const encoding = response.headers.get("content-encoding");
  if (encoding && encoding !== "identity") return 0;
  const length = Number(response.headers.get("content-length"));
  return Number.isSafeInteger(length) && length > 0 ? length : 0;
}

/**
 * @param {((loaded: number, total: number) => void) | undefined} onProgress
 * @param {number} loaded
 * @param {number} total
 */
function progress(onProgress, loaded, total) {
  if (typeof onProgress !== "function") return;
  try {
    onProgress(loaded, total);
  } catch (thrown) {
    // A mistake in a progress bar is told, but does not fail the load.
    if (typeof reportError === "function") reportError(thrown);
    else console.error(thrown);
  }
}

/** @type {(() => Promise<typeof import("./body-pool.js")>) | undefined} */
let loadPool;

/**
 * How the code of the worker is loaded. The entry says so: the worker itself has this file too, and bundlers warn of a worker
 * that leads back to itself.
 * @param {() => Promise<typeof import("./body-pool.js")>} load
 */
export function usePool(load) {
  loadPool = load;
}

/**
 * Prepares a large body in a worker, if there is one. The code for that is only loaded now.
 * @param {WebAssembly.Module} module
 * @param {Uint8Array} positions
 * @param {Uint8Array} tets
 * @param {any} options those of `load` or `create`, if any were given
 * @param {(Uint32Array | Uint8Array)[]} surface packed; empty where there is none
 * @param {number} floor m, NaN for none
 * @param {number} settings
 * @param {AbortSignal | undefined} signal
 * @param {() => boolean} wanted
 * @param {((fraction: number) => void) | undefined} onPrepare
 * @returns {Promise<Uint32Array[] | undefined>}
 */
export async function prepareElsewhere(module, positions, tets, options, surface, floor, settings, signal, wanted, onPrepare) {
  /** @type {typeof import("./body-pool.js")} */
  let pool;
  try {
    if (!loadPool) return undefined;
    pool = await loadPool();
  } catch {
    // What a content policy or an offline page forbids is no reason not to load.
    return undefined;
  }
  const { material, transform, units, center, dropToFloor, pinned } = options ?? {};
  const given = { material, transform, units, center, dropToFloor, pinned };
  // Parts, colours and images do not move vertices.
  const shape = surface.length > 0 ? [...surface.slice(0, 5), ...[0, 0, 0].map(() => new Uint32Array(0))] : [];
  const message = { module, positions, tets, options: given, surface: shape, floor, settings };
  return pool.prepared(message, [positions.buffer, tets.buffer], signal, wanted, (fraction) => tell(onPrepare, fraction));
}

/**
 * @param {((fraction: number) => void) | undefined} onPrepare
 * @param {number} fraction
 */
export function tell(onPrepare, fraction) {
  try {
    onPrepare?.(fraction);
  } catch (thrown) {
    if (typeof reportError === "function") reportError(thrown);
    else console.error(thrown);
  }
}

/** Lets everything else that waits for this thread go first. Timers would be held back to 4 ms, or a second in hidden tabs. */
export function turn() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(0);
  });
}

/** @param {Uint8Array} bytes */
function looksLikeHtml(bytes) {
  const head = String.fromCharCode(...bytes.subarray(0, 64)).trimStart().toLowerCase();
  return head.startsWith("<!doctype html") || head.startsWith("<html");
}

/**
 * @param {unknown} thrown
 * @param {string} url
 * @param {string} label
 * @param {AbortSignal | undefined} signal
 */
function failure(thrown, url, label, signal) {
  if (thrown instanceof SoftBodyError) return thrown;
  if (signal?.aborted) return abortedError(signal, label);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? ` (${thrown.cause.message})` : "";
  return new SoftBodyError("mesh-load", `${label}: ${url} could not be fetched: ${message}${cause}`, thrown);
}

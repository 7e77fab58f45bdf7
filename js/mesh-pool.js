// The workers of webgpu-softbody/mesh: started on first use, kept for the next job, ended when idle or when a job is aborted.
import { SoftBodyError, abortedError } from "./report.js";

/** @typedef {import("./mesh.js").MeshOptions["worker"]} Given */
/**
 * @typedef {object} Job
 * @property {string} what for messages: the function that was called
 * @property {object} message what the worker gets
 * @property {Transferable[]} transfer
 * @property {AbortSignal | undefined} signal
 * @property {(fraction: number) => void} onProgress
 * @property {(result: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {() => void} [onAbort]
 */

/** How long a worker without work is kept, ms: its memory never shrinks. */
const IDLE_MS = 10_000;

/** Workers that callers gave and that were ended with an aborted job. @type {WeakSet<object>} */
const ended = new WeakSet();

/** Bundlers look for exactly this expression. */
const ownWorker = () => new Worker(new URL("./mesh-worker.js", import.meta.url), { type: "module" });

/** What `ownWorker` would start, without starting it: with a bundler only the bundler knows the address. */
function ownAddress() {
  const native = globalThis.Worker;
  /** @type {{ url: string, type: WorkerType | undefined }} */
  const seen = { url: "", type: undefined };
  globalThis.Worker = /** @type {any} */ (
    class {
      /**
       * @param {string | URL} url
       * @param {WorkerOptions} [options]
       */
      constructor(url, options) {
        seen.url = String(url);
        seen.type = options?.type;
      }
    }
  );
  try {
    ownWorker();
  } finally {
    globalThis.Worker = native;
  }
  return seen;
}

/** A page may not start a worker from another origin, but may start one of its own that imports the script. */
function borrowedWorker() {
  const { url, type } = ownAddress();
  const script = type === "module" ? `import ${JSON.stringify(url)};` : `importScripts(${JSON.stringify(url)});`;
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  // Not revoked: the worker fetches it at some later time, and it is a hundred bytes.
  return new Worker(address, type ? { type } : {});
}

function isElsewhere() {
  const { url } = ownAddress();
  return typeof location === "object" && new URL(url, location.href).origin !== location.origin;
}

/** Jobs for one worker at a time, first come first served. */
class Lane {
  /** @type {Given} */
  #given;
  /** @type {Worker | undefined} */
  #worker;
  #ready = false;
  #borrowed = false;
  /** @type {Job | undefined} */
  #current;
  /** @type {Job[]} */
  #waiting = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #idle;

  /** @param {Given} given */
  constructor(given) {
    this.#given = given;
  }

  /** @param {Job} job */
  add(job) {
    if (job.signal?.aborted) return job.reject(abortedError(job.signal, job.what));
    job.onAbort = () => this.#abort(job);
    job.signal?.addEventListener("abort", job.onAbort, { once: true });
    this.#waiting.push(job);
    this.#next();
  }

  #next() {
    if (this.#current) return;
    clearTimeout(this.#idle);
    this.#current = this.#waiting.shift();
    if (!this.#current) {
      this.#idle = setTimeout(() => this.#end(), IDLE_MS);
      // In Node a timer keeps the program from ending.
      /** @type {any} */ (this.#idle).unref?.();
      return;
    }
    try {
      if (this.#worker) this.#send();
      else this.#start();
    } catch (thrown) {
      this.#fail(startError(thrown));
    }
  }

  #start() {
    this.#worker = this.#make();
    this.#ready = false;
    const worker = this.#worker;
    worker.onmessage = ({ data }) => worker === this.#worker && this.#hear(data);
    worker.onmessageerror = () => worker === this.#worker && this.#fail(new SoftBodyError("internal", "the mesh worker's answer could not be read"));
    worker.onerror = (event) => {
      if (worker !== this.#worker) return;
      event.preventDefault?.();
      this.#broke(event.message);
    };
    // The answer says that the script has loaded; only then is anything transferred.
    worker.postMessage({ hello: true });
  }

  /** @returns {Worker} */
  #make() {
    const given = this.#given;
    if (typeof given === "function") {
      const made = given();
      // What cannot be ended must not be begun.
      if (typeof made?.postMessage === "function" && typeof made.terminate === "function") return made;
      throw new SoftBodyError("invalid-option", "worker: the function did not return a Worker");
    }
    if (given) {
      if (ended.has(given)) {
        throw new SoftBodyError("invalid-option", "worker: this Worker was ended with an aborted job; give a function that makes one");
      }
      return given;
    }
    if (typeof Worker !== "function") {
      throw new SoftBodyError("wasm-load", "there is no Worker here to mesh in: run this in a browser, or give the option worker");
    }
    if (this.#borrowed) return borrowedWorker();
    try {
      return ownWorker();
    } catch (thrown) {
      if (/** @type {Error} */ (thrown)?.name !== "SecurityError") throw thrown;
      this.#borrowed = true;
      return borrowedWorker();
    }
  }

  #send() {
    const job = this.#current;
    if (job) this.#worker?.postMessage(job.message, job.transfer);
  }

  /** @param {{ ready?: true, fraction?: number, result?: unknown, error?: { kind: string, message: string }, fatal?: boolean }} data */
  #hear(data) {
    const job = this.#current;
    if (data.ready) {
      if (this.#ready) return;
      this.#ready = true;
      return this.#send();
    }
    if (!job) return;
    if (data.fraction !== undefined) return job.onProgress(data.fraction);
    if (data.error) {
      // After a trap the instance's memory is damaged.
      if (data.fatal) this.#end();
      this.#settle(job).reject(data.error);
    } else {
      this.#settle(job).resolve(data.result);
    }
    this.#next();
  }

  /** @param {string | undefined} message */
  #broke(message) {
    if (!this.#ready && !this.#given && !this.#borrowed && isElsewhere()) {
      this.#borrowed = true;
      this.#end();
      try {
        return this.#start();
      } catch (thrown) {
        return this.#fail(startError(thrown));
      }
    }
    const what = this.#ready ? "the mesh worker stopped" : "the mesh worker could not be started";
    this.#fail(new SoftBodyError(this.#ready ? "internal" : "wasm-load", `${what}: ${message || "the browser does not say why"}`));
  }

  /** @param {SoftBodyError} error */
  #fail(error) {
    this.#end();
    if (this.#current) this.#settle(this.#current).reject(error);
    this.#next();
  }

  /** @param {Job} job */
  #abort(job) {
    const error = abortedError(/** @type {AbortSignal} */ (job.signal), job.what);
    if (job !== this.#current) {
      this.#waiting = this.#waiting.filter((other) => other !== job);
      return job.reject(error);
    }
    // WebAssembly hears nothing while it computes: its thread ends.
    if (typeof this.#given === "object") ended.add(this.#given);
    this.#end(true);
    this.#settle(job).reject(error);
    this.#next();
  }

  /** @param {Job} job */
  #settle(job) {
    if (job.onAbort) job.signal?.removeEventListener("abort", job.onAbort);
    this.#current = undefined;
    return job;
  }

  /** @param {boolean} [aborted] */
  #end(aborted) {
    const worker = this.#worker;
    this.#worker = undefined;
    if (!worker) return;
    worker.onmessage = worker.onmessageerror = worker.onerror = null;
    // A Worker that was given is its owner's, as long as it is not busy with a job that nobody wants.
    if (typeof this.#given !== "object" || aborted) worker.terminate();
  }
}

/** @param {unknown} thrown */
function startError(thrown) {
  if (thrown instanceof SoftBodyError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new SoftBodyError("wasm-load", `the mesh worker could not be started: ${message}`, thrown);
}

const own = new Lane(undefined);
/** @type {WeakMap<object, Lane>} */
const lanes = new WeakMap();

/**
 * Does a job in a worker: its own, or the one that `given` is or makes.
 * @param {Given} given
 * @param {Omit<Job, "resolve" | "reject">} job
 * @returns {Promise<any>}
 */
export function inWorker(given, job) {
  const lane = laneOf(given);
  return new Promise((resolve, reject) => lane.add({ ...job, resolve, reject }));
}

/** @param {Given} given */
function laneOf(given) {
  if (!given) return own;
  const lane = lanes.get(given) ?? new Lane(given);
  lanes.set(given, lane);
  return lane;
}

// Prepares a body in a worker of its own, which ends with it: its memory would never shrink.
import { SoftBodyError, abortedError } from "./report.js";

/** How often a worker is asked for that nobody may want any more, ms. */
const WANTED_MS = 100;

/** Bundlers look for exactly this expression. */
const ownWorker = () => new Worker(new URL("./body-worker.js", import.meta.url), { type: "module" });

/**
 * The sections of the body, or `undefined` where no worker starts or nobody wants them any more.
 * @param {object} message what the worker gets
 * @param {Transferable[]} transfer given away once the worker has started
 * @param {AbortSignal | undefined} signal
 * @param {() => boolean} wanted
 * @param {(fraction: number) => void} onFraction
 * @returns {Promise<Uint32Array[] | undefined>}
 */
export async function prepared(message, transfer, signal, wanted, onFraction) {
  /** @type {Worker} */
  let worker;
  try {
    worker = ownWorker();
  } catch {
    // Another origin's script, a content policy, or no workers at all.
    return undefined;
  }
  let started = false;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let asking;
  /** @type {(() => void) | undefined} */
  let abort;
  try {
    return await new Promise((resolve, reject) => {
      const internal = (/** @type {string} */ what) => reject(new SoftBodyError("internal", `the body worker stopped: ${what}`));
      abort = () => reject(abortedError(/** @type {AbortSignal} */ (signal), "load"));
      if (signal?.aborted) return abort();
      signal?.addEventListener("abort", abort, { once: true });
      asking = setInterval(() => wanted() || resolve(undefined), WANTED_MS);
      worker.onmessage = ({ data }) => {
        if (data.ready && !started) {
          started = true;
          worker.postMessage(message, transfer);
        } else if (data.fraction !== undefined) onFraction(data.fraction);
        else if (data.error) reject(new SoftBodyError(data.error.code, data.error.message));
        else if (data.sections) resolve(data.sections);
      };
      worker.onmessageerror = () => internal("its answer could not be read");
      worker.onerror = (event) => {
        event.preventDefault?.();
        if (started) internal(event.message || "out of memory?");
        else resolve(undefined);
      };
      // The answer says that the script has loaded; only then is anything transferred.
      worker.postMessage({ hello: true });
    });
  } finally {
    worker.terminate();
    clearInterval(asking);
    if (abort) signal?.removeEventListener("abort", abort);
  }
}

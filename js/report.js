// What the package says on its own account: its one error type, and events whose listeners cannot break the frame.

/** @typedef {import("./index.js").ErrorCode} ErrorCode */

/** Every rejection and throw of this package: `code` is stable, `message` names what is at fault. */
export class SoftBodyError extends Error {
  /** @type {ErrorCode} */
  #code;
  /** @type {unknown} */
  #details;

  /**
   * @param {ErrorCode} code
   * @param {string} message
   * @param {unknown} [details] what caused it, or the numbers at fault; an Error also becomes `cause`
   */
  constructor(code, message, details) {
    super(message, details instanceof Error ? { cause: details } : undefined);
    this.name = "SoftBodyError";
    this.#code = code;
    // Rust hands over `null` where it has nothing to add.
    this.#details = details ?? undefined;
  }

  get code() {
    return this.#code;
  }

  get details() {
    return this.#details;
  }
}

/**
 * Anything thrown → SoftBodyError; one that already is passes through unchanged.
 * @param {unknown} thrown
 * @returns {SoftBodyError}
 */
export function toSoftBodyError(thrown) {
  if (thrown instanceof SoftBodyError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (isAbort(thrown)) return new SoftBodyError("aborted", `aborted: ${message}`, thrown);
  if (thrown instanceof WebAssembly.RuntimeError) {
    return new SoftBodyError("internal", `the simulation stopped at an internal error: ${message}`, thrown);
  }
  // What the wasm-bindgen glue says when the Rust half of an object is gone.
  if (/null pointer passed to rust|attempt to use a moved value/i.test(message)) {
    return new SoftBodyError("disposed", "this SoftBody was disposed", thrown);
  }
  return new SoftBodyError("internal", message || "unknown error", thrown);
}

/**
 * The error for an aborted signal; its reason becomes `details`.
 * @param {AbortSignal} signal
 * @param {string} what
 */
export function abortedError(signal, what) {
  const reason = signal.reason instanceof Error ? signal.reason.message : String(signal.reason);
  return new SoftBodyError("aborted", `${what}: aborted (${reason})`, signal.reason);
}

/**
 * Refuses what was given as `signal` and is none.
 * @param {unknown} signal
 * @returns {AbortSignal | undefined}
 */
export function checkedSignal(signal) {
  if (signal === undefined || signal === null) return undefined;
  // By tag: a signal may come from another realm.
  if (Object.prototype.toString.call(signal) === "[object AbortSignal]") return /** @type {AbortSignal} */ (signal);
  throw new SoftBodyError("invalid-option", `signal is ${typeof signal === "object" ? "an object" : String(signal)}, but must be an AbortSignal`);
}

/** @param {unknown} thrown */
function isAbort(thrown) {
  return typeof thrown === "object" && thrown !== null && "name" in thrown && thrown.name === "AbortError";
}

const EVENTS = Object.freeze(["frame", "error", "resize", "grab", "release"]);

/** @typedef {{ listener: (data: unknown) => void }} Entry one registration: the same function may be registered twice */

export class Emitter {
  /** @type {Map<string, Set<Entry>>} */
  #entries;

  /** @param {readonly string[]} [events] the names that exist */
  constructor(events = EVENTS) {
    this.#entries = new Map(events.map((event) => [event, new Set()]));
  }

  /**
   * @param {string} event
   * @param {(data: any) => void} listener
   * @returns {() => void} removes this registration; calling it again does nothing
   */
  on(event, listener) {
    const entries = this.#named(event);
    if (typeof listener !== "function") {
      throw new SoftBodyError("invalid-option", `on("${event}"): the listener is ${describe(listener)}, not a function`);
    }
    const entry = { listener };
    entries.add(entry);
    return () => {
      entries.delete(entry);
    };
  }

  /**
   * @param {string} event
   * @param {unknown} data
   */
  emit(event, data) {
    const entries = this.#named(event);
    // An error that nobody listens to must not vanish.
    if (event === "error" && entries.size === 0) console.error(data);
    // A copy, so that a listener registered meanwhile waits for the next event.
    for (const entry of [...entries]) {
      if (!entries.has(entry)) continue;
      try {
        entry.listener(data);
      } catch (thrown) {
        report(thrown);
      }
    }
  }

  /** Removes every listener. */
  clear() {
    for (const entries of this.#entries.values()) entries.clear();
  }

  /** @param {string} event */
  #named(event) {
    const entries = this.#entries.get(event);
    if (entries) return entries;
    const names = [...this.#entries.keys()].map((name) => `"${name}"`).join(", ");
    throw new SoftBodyError("invalid-option", `event: ${describe(event)} is none of ${names}`);
  }
}

/** @param {unknown} value */
function describe(value) {
  return typeof value === "string" ? `"${value}"` : String(value);
}

/** @param {unknown} thrown */
function report(thrown) {
  if (typeof reportError === "function") reportError(thrown);
  else console.error(thrown);
}

// Events: named listeners that can neither break the frame that tells them nor each other.
import { SoftBodyError } from "./error.js";

const EVENTS = Object.freeze(["frame", "error", "resize"]);

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

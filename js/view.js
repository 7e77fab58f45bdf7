// The canvas side: animation frames, the canvas' size in device pixels, and what befalls its device.

/** @typedef {import("./gestures.js").GestureHandlers} GestureHandlers */

/**
 * What a view tells.
 * @typedef {object} OwnHandlers
 * @property {(nowMs: number) => void} frame
 * @property {(width: number, height: number) => void} resize device pixels
 */

/** @typedef {OwnHandlers & GestureHandlers} Handlers */

/** The largest side of a texture that every WebGPU adapter allows. */
const MAX_SIDE = 8192;
const FALLBACK_FRAME_MS = 16;

/** @type {typeof import("./gestures.js").Gestures | undefined} */
let Gestures;

/**
 * What `setInteractive` switches on. Handed over by index.js, because the test runner of wasm-bindgen serves only those
 * modules that Rust imports, of which there must be few (docs/notes/browser-test-hang.md).
 * @param {typeof import("./gestures.js").Gestures} type
 */
export function useGestures(type) {
  Gestures = type;
}

export class View {
  #canvas;
  #handlers;
  #disposed = false;

  #running = false;
  /** @type {(() => void) | undefined} cancels the frame asked for */
  #cancelFrame;

  /** @type {(() => void) | undefined} */
  #endResize;
  /** @type {{ width: number, height: number } | undefined} device pixels last told */
  #size;
  /** @type {{ width: number, height: number } | undefined} CSS pixels at that time */
  #cssSize;
  /** @type {{ width: string, height: string } | undefined} the canvas' own style, where we had to pin its size */
  #styleBefore;

  /** @type {import("./gestures.js").Gestures | undefined} */
  #gestures;

  /**
   * @param {HTMLCanvasElement | OffscreenCanvas} canvas
   * @param {Handlers} handlers
   */
  constructor(canvas, handlers) {
    this.#canvas = canvas;
    this.#handlers = handlers;
  }

  get running() {
    return this.#running;
  }

  /** Calls `frame` once per animation frame until `stop`. */
  start() {
    if (this.#running || this.#disposed) return;
    this.#running = true;
    this.#requestFrame();
  }

  stop() {
    this.#running = false;
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
  }

  #requestFrame() {
    this.#cancelFrame = nextFrame((now) => {
      this.#cancelFrame = undefined;
      // Asked for only after the frame went well: a frame that throws would throw 60 times a second.
      try {
        this.#handlers.frame(now);
      } catch (thrown) {
        this.stop();
        throw thrown;
      }
      if (this.#running && !this.#cancelFrame) this.#requestFrame();
    });
  }

  /**
   * Tells `resize` whenever the canvas' size in device pixels changes, first within a frame of switching on.
   * Does nothing where there is no layout (OffscreenCanvas).
   * @param {boolean} on
   */
  setAutoResize(on) {
    if (!on || this.#disposed) {
      this.#endResize?.();
      this.#endResize = undefined;
      return;
    }
    const canvas = this.#canvas;
    if (this.#endResize || !isElement(canvas) || typeof ResizeObserver !== "function") return;
    const observer = new ResizeObserver((entries) => {
      const entry = entries[entries.length - 1];
      if (entry) this.#measured(canvas, entry);
    });
    const observe = () => {
      try {
        observer.observe(canvas, { box: "device-pixel-content-box" });
      } catch {
        // Not every browser measures in device pixels: then content box times pixel ratio, rounded.
        observer.observe(canvas);
      }
    };
    observe();
    const ratio = onPixelRatioChange(() => {
      // Observing anew makes the observer tell the size again, though the layout is unchanged.
      observer.unobserve(canvas);
      observe();
    });
    this.#endResize = () => {
      observer.disconnect();
      ratio.abort();
      if (this.#styleBefore) Object.assign(canvas.style, this.#styleBefore);
      this.#styleBefore = undefined;
      this.#size = undefined;
      this.#cssSize = undefined;
    };
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {ResizeObserverEntry} entry
   */
  #measured(canvas, entry) {
    const css = { width: entry.contentRect.width, height: entry.contentRect.height };
    // Without a CSS size the layout follows the width and height attributes, which follow us: at a
    // pixel ratio of 2 the canvas would double for ever. Pin the size it had.
    const last = this.#size;
    const before = this.#cssSize;
    if (last && before && !near(css, before) && near(css, last)) {
      this.#styleBefore ??= { width: canvas.style.width, height: canvas.style.height };
      canvas.style.width = `${before.width}px`;
      canvas.style.height = `${before.height}px`;
      return;
    }
    const box = entry.devicePixelContentBoxSize?.[0];
    const ratio = globalThis.devicePixelRatio || 1;
    const size = clamped(devicePixels(box?.inlineSize, css.width * ratio), devicePixels(box?.blockSize, css.height * ratio));
    this.#cssSize = css;
    if (last && last.width === size.width && last.height === size.height) return;
    this.#size = size;
    this.#handlers.resize(size.width, size.height);
  }

  /**
   * Switches gestures on the canvas on or off; does nothing where there is no element (OffscreenCanvas).
   * @param {boolean} on
   */
  setInteractive(on) {
    if (!on || this.#disposed) {
      this.#gestures?.dispose();
      this.#gestures = undefined;
    } else if (!this.#gestures && Gestures && isElement(this.#canvas)) {
      this.#gestures = new Gestures(this.#canvas, this.#handlers);
    }
  }

  /** Ends everything and gives the canvas back as it was; idempotent. */
  dispose() {
    this.stop();
    this.setAutoResize(false);
    this.setInteractive(false);
    this.#disposed = true;
  }
}

/**
 * @param {HTMLCanvasElement | OffscreenCanvas} canvas
 * @returns {canvas is HTMLCanvasElement}
 */
function isElement(canvas) {
  return "style" in canvas;
}

/**
 * @param {(now: number) => void} callback
 * @returns {() => void} cancels it
 */
function nextFrame(callback) {
  // Dedicated workers have requestAnimationFrame too; Node and some workers have none.
  if (typeof requestAnimationFrame === "function") {
    const id = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(id);
  }
  const id = setTimeout(() => callback(performance.now()), FALLBACK_FRAME_MS);
  return () => clearTimeout(id);
}

/**
 * A media query matches one ratio, so it is asked anew after each change.
 * @param {() => void} changed
 */
function onPixelRatioChange(changed) {
  const controller = new AbortController();
  const arm = () => {
    if (typeof matchMedia !== "function") return;
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      "change",
      () => {
        arm();
        changed();
      },
      { once: true, signal: controller.signal },
    );
  };
  arm();
  return controller;
}

/**
 * The measured side knows how the layout was rounded to whole pixels. Where it is smaller by more than rounding, it
 * ignores the pixel ratio, as under emulated device metrics.
 * @param {number | undefined} measured
 * @param {number} scaled
 */
function devicePixels(measured, scaled) {
  return measured !== undefined && measured > scaled - 1.5 ? measured : scaled;
}

/**
 * At least one pixel and at most a texture's side, keeping the aspect ratio.
 * @param {number} width
 * @param {number} height
 */
function clamped(width, height) {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height, 1));
  return { width: Math.max(Math.round(width * scale), 1), height: Math.max(Math.round(height * scale), 1) };
}

/**
 * @param {{ width: number, height: number }} a
 * @param {{ width: number, height: number }} b
 */
function near(a, b) {
  return Math.abs(a.width - b.width) < 0.5 && Math.abs(a.height - b.height) < 0.5;
}

/**
 * Reports errors no error scope caught and the loss of the device.
 * @param {GPUDevice} device
 * @param {(message: string) => void} onError
 * @param {(reason: string, message: string) => void} onLost
 */
export function watchDevice(device, onError, onLost) {
  device.addEventListener("uncapturederror", (event) => {
    const { error } = /** @type {GPUUncapturedErrorEvent} */ (event);
    onError(error.message);
  });
  device.lost.then((info) => onLost(info.reason, info.message));
}

/**
 * Takes the WebGPU configuration off a canvas, so that it can be used again.
 * @param {HTMLCanvasElement | OffscreenCanvas} canvas
 */
export function unconfigureCanvas(canvas) {
  const context = /** @type {GPUCanvasContext | null} */ (canvas.getContext("webgpu"));
  context?.unconfigure();
}

/** Milliseconds of a clock that never goes back. */
export function milliseconds() {
  return performance.now();
}

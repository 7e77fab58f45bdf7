// The canvas side: animation frames, the canvas' size in device pixels, camera gestures, and what befalls its device.

/**
 * What a view tells. All movements are the eye's, so that what is under the pointer follows it.
 * @typedef {object} Handlers
 * @property {(nowMs: number) => void} frame
 * @property {(width: number, height: number) => void} resize device pixels
 * @property {(right: number, up: number) => void} orbit radians around the target
 * @property {(right: number, up: number) => void} pan fractions of the picture's height
 * @property {(factor: number) => void} zoom times the distance to the target: below 1 comes closer
 */

/** The largest side of a texture that every WebGPU adapter allows. */
const MAX_SIDE = 8192;
/** A drag over the whole height of the canvas turns by half a circle. */
const ORBIT_PER_HEIGHT = Math.PI;
const KEY_ORBIT = Math.PI / 24;
const KEY_PAN = 0.05;
const KEY_ZOOM = 1.1;
const WHEEL_LINE_PX = 16;
const WHEEL_ZOOM_PER_PX = 0.0015;
/** One wheel event zooms by no more than this, whatever the device claims. */
const WHEEL_ZOOM_MAX = 2;
const FALLBACK_FRAME_MS = 16;

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

  /** @type {(() => void) | undefined} */
  #endInteractive;
  /** @type {Map<number, { x: number, y: number, pans: boolean }>} */
  #pointers = new Map();

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
   * Camera gestures on the canvas: one finger or the left button orbits; the right or middle button, Shift, or two
   * fingers pan; pinch and wheel zoom; arrows orbit (with Shift: pan) and +/- zoom while the canvas has the focus.
   * @param {boolean} on
   */
  setInteractive(on) {
    if (!on || this.#disposed) {
      this.#endInteractive?.();
      this.#endInteractive = undefined;
      return;
    }
    const canvas = this.#canvas;
    if (this.#endInteractive || !isElement(canvas)) return;
    const controller = new AbortController();
    const { signal } = controller;
    canvas.addEventListener("pointerdown", (event) => this.#down(canvas, event), { signal });
    canvas.addEventListener("pointermove", (event) => this.#move(canvas, event), { signal });
    for (const type of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
      canvas.addEventListener(type, (event) => this.#pointers.delete(event.pointerId), { signal });
    }
    canvas.addEventListener("wheel", (event) => this.#wheel(canvas, event), { signal, passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event), { signal });
    // The right button pans; its menu would end the gesture.
    canvas.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });

    const touchAction = canvas.style.touchAction;
    canvas.style.touchAction = "none";
    const addsTabIndex = !canvas.hasAttribute("tabindex");
    if (addsTabIndex) canvas.tabIndex = 0;
    this.#endInteractive = () => {
      controller.abort();
      for (const id of this.#pointers.keys()) {
        if (canvas.hasPointerCapture(id)) canvas.releasePointerCapture(id);
      }
      this.#pointers.clear();
      canvas.style.touchAction = touchAction;
      if (addsTabIndex) canvas.removeAttribute("tabindex");
    };
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {PointerEvent} event
   */
  #down(canvas, event) {
    if (event.defaultPrevented || event.button > 2) return;
    const pans = event.button !== 0 || event.shiftKey;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, pans });
    try {
      canvas.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that is gone already (or a synthetic one) cannot be captured; its moves on the canvas still count.
    }
    canvas.focus({ preventScroll: true });
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {PointerEvent} event
   */
  #move(canvas, event) {
    const moved = this.#pointers.get(event.pointerId);
    if (!moved) return;
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
    const x = event.clientX;
    const y = event.clientY;
    // In canvas heights, and as the eye moves: against the pointer. Upwards is against the page's y already.
    const height = canvas.clientHeight || 1;
    const right = (moved.x - x) / height;
    const up = (y - moved.y) / height;
    const moves = right !== 0 || up !== 0;
    const partner = others[0];
    if (partner) {
      const before = Math.hypot(moved.x - partner.x, moved.y - partner.y);
      const after = Math.hypot(x - partner.x, y - partner.y);
      // One of two fingers moving by d moves their middle by d / 2.
      if (moves) this.#handlers.pan(right / 2, up / 2);
      if (before > 1 && after > 1 && before !== after) this.#handlers.zoom(before / after);
    } else if (moves) {
      if (moved.pans) this.#handlers.pan(right, up);
      else this.#handlers.orbit(right * ORBIT_PER_HEIGHT, up * ORBIT_PER_HEIGHT);
    }
    moved.x = x;
    moved.y = y;
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {WheelEvent} event
   */
  #wheel(canvas, event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? WHEEL_LINE_PX : event.deltaMode === 2 ? canvas.clientHeight || 1 : 1;
    // A trackpad pinch arrives as small wheel steps with Ctrl.
    const gain = event.ctrlKey ? 8 : 1;
    const factor = Math.exp(event.deltaY * unit * gain * WHEEL_ZOOM_PER_PX);
    if (factor !== 1) this.#handlers.zoom(Math.min(Math.max(factor, 1 / WHEEL_ZOOM_MAX), WHEEL_ZOOM_MAX));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    /** @type {(right: number, up: number) => void} */
    const move = (right, up) => {
      if (event.shiftKey) this.#handlers.pan(right * KEY_PAN, up * KEY_PAN);
      else this.#handlers.orbit(right * KEY_ORBIT, up * KEY_ORBIT);
    };
    switch (event.key) {
      case "ArrowLeft":
        move(-1, 0);
        break;
      case "ArrowRight":
        move(1, 0);
        break;
      case "ArrowUp":
        move(0, 1);
        break;
      case "ArrowDown":
        move(0, -1);
        break;
      case "+":
      case "=":
        this.#handlers.zoom(1 / KEY_ZOOM);
        break;
      case "-":
      case "_":
        this.#handlers.zoom(KEY_ZOOM);
        break;
      default:
        return;
    }
    event.preventDefault();
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

// Gestures on the canvas: what lies under a pointer is taken hold of and pulled, the background turns the camera.

/**
 * What gestures tell. Movements of the camera are the eye's, so that what is under the pointer follows it. Hands know
 * points of the canvas in CSS pixels and pointers by number.
 * @typedef {object} GestureHandlers
 * @property {(right: number, up: number) => void} orbit radians around the target
 * @property {(right: number, up: number) => void} pan fractions of the picture's height
 * @property {(factor: number) => void} zoom times the distance to the target: below 1 comes closer
 * @property {(x: number, y: number, pointer: number, spread: number) => Promise<boolean | undefined>} grab takes hold of what
 *   is there, or else near there; true where it did, false where there is nothing, undefined where it was too late. Never
 *   rejects.
 * @property {(x: number, y: number, pointer: number) => void} drag
 * @property {(pointer: number) => void} release also ends a `grab` that has not answered
 * @property {(right: number, up: number, away: number, pointer: number) => void} pull fractions of the picture's height
 */

/** A drag over the whole height of the canvas turns by half a circle. */
const ORBIT_PER_HEIGHT = Math.PI;
const KEY_ORBIT = Math.PI / 24;
const KEY_PAN = 0.05;
const KEY_PULL = 0.025;
const KEY_ZOOM = 1.1;
const WHEEL_LINE_PX = 16;
const WHEEL_ZOOM_PER_PX = 0.0015;
/** One wheel event zooms by no more than this, whatever the device claims. */
const WHEEL_ZOOM_MAX = 2;
/** The keyboard's hand: browsers number their pointers from 0, and -1 is nobody's. */
const KEYBOARD = -2;
/** How far round the middle the keyboard looks for something to hold, in canvas heights. */
const KEY_SPREAD = 0.3;

/** @param {PointerEvent} event */
const inWindow = (event) => ({ x: event.clientX, y: event.clientY });
/** @param {PointerEvent} event */
const inCanvas = (event) => ({ x: event.offsetX, y: event.offsetY });

/** A pointer that is down. */
class Pointer {
  /** @type {"asking" | "holding" | "camera"} asking while nobody knows yet what is under it */
  role;
  /**
   * @param {PointerEvent} event
   * @param {Pointer["role"]} role
   */
  constructor(event, role) {
    this.role = role;
    this.pans = event.button !== 0 || event.shiftKey;
    /** Where the camera has followed it to, in the window. */
    this.x = event.clientX;
    this.y = event.clientY;
    this.now = inWindow(event);
    this.inCanvas = inCanvas(event);
  }

  /** @param {PointerEvent} event */
  moved(event) {
    this.now = inWindow(event);
    this.inCanvas = inCanvas(event);
  }
}

export class Gestures {
  #canvas;
  #handlers;
  #controller = new AbortController();
  #before;
  /** @type {Map<number, Pointer>} */
  #pointers = new Map();
  /** @type {{ holds: boolean } | undefined} what the keyboard holds, or asks for */
  #hand;

  /**
   * Listens until `dispose`. The left button, a finger or a pen takes hold of what is under it, several fingers of several
   * points; on the background it orbits. The right or middle button, Shift, or two fingers pan; pinch and wheel zoom.
   * While the canvas has the focus arrows orbit (with Shift: pan), +/- zoom, and G takes hold of what is nearest to the
   * middle: arrows then pull (with Shift: to and fro), G or Escape lets go.
   * @param {HTMLCanvasElement} canvas
   * @param {GestureHandlers} handlers
   */
  constructor(canvas, handlers) {
    this.#canvas = canvas;
    this.#handlers = handlers;
    const { signal } = this.#controller;
    canvas.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    canvas.addEventListener("pointermove", (event) => this.#move(event), { signal });
    for (const type of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
      canvas.addEventListener(type, (event) => this.#up(event.pointerId), { signal });
    }
    // Of a pointer that could not be captured nobody hears again.
    canvas.addEventListener("pointerleave", ({ pointerId }) => canvas.hasPointerCapture(pointerId) || this.#up(pointerId), { signal });
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event), { signal });
    // No key would reach what is held.
    canvas.addEventListener("blur", () => this.#letGo(), { signal });
    // The right button pans; its menu would end the gesture.
    canvas.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });

    const { touchAction, cursor } = canvas.style;
    this.#before = { touchAction, cursor };
    canvas.style.touchAction = "none";
    const addsTabIndex = !canvas.hasAttribute("tabindex");
    if (addsTabIndex) canvas.tabIndex = 0;
    signal.addEventListener("abort", () => addsTabIndex && canvas.removeAttribute("tabindex"));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.defaultPrevented || event.button > 2) return;
    const canvas = this.#canvas;
    const { pointerId } = event;
    // One whose end was not told.
    this.#up(pointerId);
    // A second finger beside one that turns the camera pinches, whatever is under it.
    const ofCamera = event.button !== 0 || event.shiftKey || this.#cameraPointers().length > 0;
    const pointer = new Pointer(event, ofCamera ? "camera" : "asking");
    this.#pointers.set(pointerId, pointer);
    try {
      canvas.setPointerCapture(pointerId);
    } catch {
      // A pointer that is gone already (or a synthetic one) cannot be captured; its moves on the canvas still count.
    }
    canvas.focus({ preventScroll: true });
    if (!ofCamera) this.#ask(pointerId, pointer);
  }

  /**
   * Takes hold of what is under a pointer that has just gone down, or lets it turn the camera. Moves wait for the answer.
   * @param {number} id
   * @param {Pointer} pointer
   */
  async #ask(id, pointer) {
    const holds = await this.#handlers.grab(pointer.inCanvas.x, pointer.inCanvas.y, id, 0);
    if (this.#controller.signal.aborted) return;
    const isDown = this.#pointers.get(id) === pointer;
    if (holds === false) {
      pointer.role = "camera";
      // Also one that is up again: the view follows a short drag.
      this.#turn(pointer);
    } else if (holds && isDown) {
      pointer.role = "holding";
      this.#showCursor();
      this.#handlers.drag(pointer.inCanvas.x, pointer.inCanvas.y, id);
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const pointer = this.#pointers.get(event.pointerId);
    if (!pointer) return;
    pointer.moved(event);
    if (pointer.role === "camera") this.#turn(pointer);
    if (pointer.role === "holding") this.#handlers.drag(pointer.inCanvas.x, pointer.inCanvas.y, event.pointerId);
  }

  /** @param {number} id */
  #up(id) {
    const pointer = this.#pointers.get(id);
    if (!pointer) return;
    this.#pointers.delete(id);
    if (pointer.role !== "camera") this.#handlers.release(id);
    this.#showCursor();
  }

  #cameraPointers() {
    return [...this.#pointers.values()].filter(({ role }) => role === "camera");
  }

  #showCursor() {
    const holds = this.#hand?.holds || [...this.#pointers.values()].some(({ role }) => role === "holding");
    this.#canvas.style.cursor = holds ? "grabbing" : this.#before.cursor;
  }

  /**
   * Lets the camera follow a pointer to where it is now.
   * @param {Pointer} pointer
   */
  #turn(pointer) {
    const { x, y } = pointer.now;
    const partner = this.#cameraPointers().find((other) => other !== pointer);
    // In canvas heights, and as the eye moves: against the pointer. Upwards is against the page's y already.
    const height = this.#canvas.clientHeight || 1;
    const right = (pointer.x - x) / height;
    const up = (y - pointer.y) / height;
    const moves = right !== 0 || up !== 0;
    if (partner) {
      const before = Math.hypot(pointer.x - partner.x, pointer.y - partner.y);
      const after = Math.hypot(x - partner.x, y - partner.y);
      // One of two fingers moving by d moves their middle by d / 2.
      if (moves) this.#handlers.pan(right / 2, up / 2);
      if (before > 1 && after > 1 && before !== after) this.#handlers.zoom(before / after);
    } else if (moves) {
      if (pointer.pans) this.#handlers.pan(right, up);
      else this.#handlers.orbit(right * ORBIT_PER_HEIGHT, up * ORBIT_PER_HEIGHT);
    }
    pointer.x = x;
    pointer.y = y;
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? WHEEL_LINE_PX : event.deltaMode === 2 ? this.#canvas.clientHeight || 1 : 1;
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
      const { shiftKey } = event;
      // Up is away with Shift, as on a table.
      if (this.#hand) this.#handlers.pull(right * KEY_PULL, shiftKey ? 0 : up * KEY_PULL, shiftKey ? up * KEY_PULL : 0, KEYBOARD);
      else if (shiftKey) this.#handlers.pan(right * KEY_PAN, up * KEY_PAN);
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
      case "g":
      case "G":
        // Held down it would let go again.
        if (event.repeat) break;
        if (this.#hand) this.#letGo();
        else this.#reach();
        break;
      case "Escape":
        if (!this.#hand) return;
        this.#letGo();
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  /** The keyboard takes hold of what is nearest to the middle. */
  async #reach() {
    const { clientWidth, clientHeight } = this.#canvas;
    const hand = { holds: false };
    this.#hand = hand;
    const holds = await this.#handlers.grab(clientWidth / 2, clientHeight / 2, KEYBOARD, KEY_SPREAD * clientHeight);
    if (this.#hand !== hand) return;
    if (holds) hand.holds = true;
    else this.#hand = undefined;
    this.#showCursor();
  }

  #letGo() {
    if (!this.#hand) return;
    this.#hand = undefined;
    this.#handlers.release(KEYBOARD);
    this.#showCursor();
  }

  /** Lets everything go and gives the canvas back as it was. */
  dispose() {
    this.#controller.abort();
    for (const id of [...this.#pointers.keys()]) {
      this.#up(id);
      if (this.#canvas.hasPointerCapture(id)) this.#canvas.releasePointerCapture(id);
    }
    this.#letGo();
    Object.assign(this.#canvas.style, this.#before);
  }
}

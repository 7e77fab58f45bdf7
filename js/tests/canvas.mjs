// A stand-in for a canvas in the page, for the tests of view and gestures.

/** A canvas as far as they know one; counts its listeners, so that a leak shows. */
export class Canvas extends EventTarget {
  style = { touchAction: "pan-y", cursor: "crosshair", width: "", height: "" };
  clientWidth = 400;
  clientHeight = 300;
  attributes = new Map();
  captured = new Set();
  focused = 0;
  listeners = 0;
  addEventListener(type, listener, options) {
    this.listeners++;
    options.signal.addEventListener("abort", () => this.listeners--, { once: true });
    super.addEventListener(type, listener, options);
  }
  hasAttribute(name) {
    return this.attributes.has(name);
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  set tabIndex(value) {
    this.attributes.set("tabindex", String(value));
  }
  setPointerCapture(id) {
    if (id === 99) throw new DOMException("gone", "NotFoundError");
    this.captured.add(id);
  }
  hasPointerCapture(id) {
    return this.captured.has(id);
  }
  releasePointerCapture(id) {
    this.captured.delete(id);
  }
  focus() {
    this.focused++;
  }
  /** Sends an event; the canvas lies at (20, 10) of the window. */
  send(type, fields = {}) {
    const place = { offsetX: fields.clientX - 20, offsetY: fields.clientY - 10 };
    const event = Object.assign(new Event(type, { cancelable: true }), { button: 0, pointerId: 1, shiftKey: false }, place, fields);
    this.dispatchEvent(event);
    return event;
  }
  press(fields, ...points) {
    const [[x, y], ...rest] = points;
    this.send("pointerdown", { ...fields, clientX: x, clientY: y });
    this.move(fields, ...rest);
  }
  move(fields, ...points) {
    for (const [clientX, clientY] of points) this.send("pointermove", { ...fields, clientX, clientY });
  }
  drag(fields, ...points) {
    this.press(fields, ...points);
    this.send("pointerup", fields);
  }
}

// A round dial, seen from above: its arrow is dragged to where the wind blows, or turned by the arrow keys.
import { make } from "./dom";

const SVG = "http://www.w3.org/2000/svg";
/** Degrees per press of a key. */
const STEP = 5;
const LARGE_STEP = 45;
const KEYS: Record<string, number> = {
  ArrowRight: STEP,
  ArrowUp: STEP,
  ArrowLeft: -STEP,
  ArrowDown: -STEP,
  PageUp: LARGE_STEP,
  PageDown: -LARGE_STEP,
};

const turned = (degrees: number) => ((Math.round(degrees) % 360) + 360) % 360;

function shape(tag: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.textContent = text;
  return made;
}

export class Dial {
  /** A row of the panel. */
  readonly row = make("div", "", "lil-controller dial-row");
  readonly #dial = make("div", "", "dial");
  readonly #arrow = shape("path", { d: "M0 30V-10M-11-6 0-32 11-6Z", class: "arrow" });
  readonly #said = make("span", "", "said");
  readonly #words: (degrees: number) => string;
  readonly #changed: (degrees: number) => void;
  #degrees = 0;

  /** `words` names the point of the compass at an angle in degrees; `changed` hears of what the visitor does. */
  constructor(name: string, words: (degrees: number) => string, changed: (degrees: number) => void) {
    this.#words = words;
    this.#changed = changed;
    const label = make("div", name, "lil-name");
    label.id = "dial-name";
    const picture = shape("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true" });
    picture.append(shape("circle", { r: 47, class: "rim" }));
    for (const [letter, x, y] of [["N", 0, -37], ["E", 38, 0], ["S", 0, 38], ["W", -38, 0]] as const) picture.append(shape("text", { x, y }, letter));
    picture.append(this.#arrow);
    this.#dial.append(picture);
    for (const [attribute, value] of Object.entries({ role: "slider", tabindex: "0", "aria-labelledby": label.id, "aria-valuemin": "0", "aria-valuemax": "359" })) {
      this.#dial.setAttribute(attribute, value);
    }
    const widget = make("div", "", "lil-widget");
    widget.append(this.#dial, this.#said);
    this.row.append(label, widget);
    this.#listen();
    this.show(0);
  }

  show(degrees: number) {
    this.#degrees = turned(degrees);
    this.#arrow.setAttribute("transform", `rotate(${this.#degrees})`);
    const words = this.#words(this.#degrees);
    this.#said.textContent = words;
    this.#dial.setAttribute("aria-valuenow", String(this.#degrees));
    this.#dial.setAttribute("aria-valuetext", `to the ${words}, ${this.#degrees}°`);
  }

  #change(degrees: number) {
    this.show(degrees);
    this.#changed(this.#degrees);
  }

  #listen() {
    const dial = this.#dial;
    const point = ({ clientX, clientY }: PointerEvent) => {
      const { left, top, width, height } = dial.getBoundingClientRect();
      const [x, y] = [clientX - left - width / 2, clientY - top - height / 2];
      if (x !== 0 || y !== 0) this.#change((Math.atan2(x, -y) * 180) / Math.PI);
    };
    dial.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      dial.setPointerCapture(event.pointerId);
      point(event);
    });
    dial.addEventListener("pointermove", (event) => {
      if (dial.hasPointerCapture(event.pointerId)) point(event);
    });
    dial.addEventListener("keydown", (event) => {
      const step = event.key === "Home" ? -this.#degrees : KEYS[event.key];
      if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.#change(this.#degrees + step);
    });
  }
}

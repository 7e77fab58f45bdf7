// A slider of lil-gui whose field shows text, such as a number with its unit; arrow keys change it, too.
import type { Controller } from "lil-gui";

export interface Range {
  min: number;
  max: number;
  step: number;
}

/** How long the arrow keys must rest before a change by them is final, ms. */
const KEYS_REST_MS = 600;

/** `finished` hears of a change that is final: the slider was let go, or the arrow keys rest. */
export function showAsText(controller: Controller, { min, max, step }: Range, text: (value: number) => string, finished?: () => void) {
  const field = controller.domElement.querySelector("input");
  if (!field) throw new Error("lil-gui made a slider without a field");
  // On touch screens it would be a number field, which shows no unit.
  field.type = "text";
  field.readOnly = true;
  const update = controller.updateDisplay.bind(controller);
  controller.updateDisplay = () => {
    update();
    field.value = text(Number(controller.getValue()));
    return controller;
  };
  controller.updateDisplay();
  if (finished) controller.onFinishChange(finished);
  let resting = 0;
  const change = (event: Event, steps: number) => {
    event.preventDefault();
    // The controller would read the field's text as the value.
    event.stopImmediatePropagation();
    const value = Number(controller.getValue()) + steps * step;
    controller.setValue(Math.min(max, Math.max(min, Number(value.toFixed(6)))));
    field.value = text(Number(controller.getValue()));
    clearTimeout(resting);
    if (finished) resting = setTimeout(finished, KEYS_REST_MS);
  };
  field.addEventListener(
    "keydown",
    (event) => {
      const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (steps !== undefined && !field.disabled) change(event, event.shiftKey ? 10 * steps : steps);
    },
    { capture: true },
  );
  field.addEventListener(
    "wheel",
    (event) => {
      if (document.activeElement === field) change(event, -Math.sign(event.deltaY));
    },
    { capture: true, passive: false },
  );
}

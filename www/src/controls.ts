// The control panel: its settings, and which of them changed.
import GUI, { type Controller } from "lil-gui";
import type { Material, MaterialPreset } from "webgpu-softbody";
import { presets, type PresetName } from "./presets";
import { ITERATIONS, STIFFNESSES, SUBSTEPS } from "./query";

/** The numbers behind the three names; the same as the package's. */
export const STIFFNESS: Record<MaterialPreset, Pick<Material, "youngsModulus" | "poissonRatio">> = {
  soft: { youngsModulus: 5e4, poissonRatio: 0.4 },
  medium: { youngsModulus: 2e5, poissonRatio: 0.35 },
  stiff: { youngsModulus: 1e6, poissonRatio: 0.3 },
};

const OWN_FILES = "own files";
const CUSTOM = "custom";

export interface Settings {
  preset: PresetName | typeof OWN_FILES;
  stiffness: MaterialPreset | typeof CUSTOM;
  /** log10 of Young's modulus in Pa: a linear slider would be useless over five decades. */
  exponent: number;
  poissonRatio: number;
  friction: number;
  substeps: number;
  iterations: number;
  /** m/s², downwards. */
  gravity: number;
  wireframe: boolean;
  paused: boolean;
}

export interface Actions {
  preset(name: PresetName): void;
  material(): void;
  solver(): void;
  gravity(): void;
  wireframe(): void;
  paused(): void;
  step(): void;
  reset(): void;
  openFiles(): void;
}

export function materialOf(settings: Settings): Partial<Material> {
  const { exponent, poissonRatio, friction } = settings;
  return { youngsModulus: 10 ** exponent, poissonRatio, friction };
}

export function setStiffness(settings: Settings, stiffness: MaterialPreset) {
  settings.stiffness = stiffness;
  settings.exponent = Math.log10(STIFFNESS[stiffness].youngsModulus);
  settings.poissonRatio = STIFFNESS[stiffness].poissonRatio;
}

export class Controls {
  readonly #gui: GUI;
  readonly #container: HTMLElement;
  readonly #settings: Settings;
  readonly #preset: Controller;

  constructor(container: HTMLElement, settings: Settings, actions: Actions) {
    this.#container = container;
    this.#settings = settings;
    const gui = new GUI({ container, title: "Controls" });
    this.#gui = gui;

    const names = Object.fromEntries(Object.entries(presets).map(([name, { label }]) => [label, name]));
    this.#preset = gui
      .add(settings, "preset", { ...names, "Own files": OWN_FILES })
      .name("Body")
      .onChange((name: Settings["preset"]) => (name === OWN_FILES ? actions.openFiles() : actions.preset(name)));
    gui.add({ open: () => actions.openFiles() }, "open").name("Open two files …");

    const material = gui.addFolder("Material");
    const custom = () => {
      settings.stiffness = CUSTOM;
      this.refresh();
      actions.material();
    };
    material
      .add(settings, "stiffness", [...STIFFNESSES, CUSTOM])
      .name("Stiffness")
      .onChange((name: Settings["stiffness"]) => {
        if (name !== CUSTOM) setStiffness(settings, name);
        this.refresh();
        actions.material();
      });
    const modulus = material.add(settings, "exponent", 3.5, 7.5, 0.01).name("Young’s modulus").onChange(custom);
    showAs(modulus, (exponent) => pascals(10 ** exponent));
    material.add(settings, "poissonRatio", 0, 0.49, 0.01).name("Poisson’s ratio").onChange(custom);
    material.add(settings, "friction", 0, 1.5, 0.01).name("Friction").onChange(() => actions.material());

    const solver = gui.addFolder("Simulation");
    solver.add(settings, "substeps", SUBSTEPS.min, SUBSTEPS.max, 1).name("Substeps").onChange(() => actions.solver());
    solver.add(settings, "iterations", ITERATIONS.min, ITERATIONS.max, 1).name("Iterations").onChange(() => actions.solver());
    solver.add(settings, "gravity", 0, 25, 0.01).name("Gravity, m/s²").onChange(() => actions.gravity());

    gui.add(settings, "wireframe").name("Wireframe").onChange(() => actions.wireframe());
    gui.add(settings, "paused").name("Pause").onChange(() => actions.paused());
    gui.add({ step: () => actions.step() }, "step").name("Single step");
    gui.add({ reset: () => actions.reset() }, "reset").name("Reset");

    // On a phone the open panel would hide the body.
    if (matchMedia("(max-width: 640px)").matches) gui.close();
  }

  /** Shows the settings as they are now. */
  refresh() {
    for (const controller of this.#gui.controllersRecursive()) controller.updateDisplay();
  }

  showPreset(preset: PresetName | undefined) {
    this.#settings.preset = preset ?? OWN_FILES;
    this.#preset.updateDisplay();
  }

  toggle() {
    this.#container.hidden = !this.#container.hidden;
  }
}

/** Lets a number's field show text; it is then changed by the slider or the arrow keys only. */
function showAs(controller: Controller, text: (value: number) => string) {
  const field = controller.domElement.querySelector("input");
  if (!field) return;
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
}

function pascals(value: number): string {
  const [scale, unit] = value < 1e6 ? [1e3, "kPa"] : [1e6, "MPa"];
  return `${Number((value / scale).toPrecision(3))} ${unit}`;
}

// The control panel: its settings, and which of them changed.
import GUI, { type Controller } from "lil-gui";
import type { Material, MaterialPreset, MeshReport } from "webgpu-softbody";
import { make } from "./dom";
import { AUTO, ITERATIONS, STIFFNESSES, SUBSTEPS, type Scheme } from "./query";
import { GROUPS, type SceneName } from "./scenes";
import { SheetControls, type SheetActions, type SheetSettings } from "./sheet-controls";
import { sizeChoices, type Axis, type Size } from "./sizing";
import { showAsText } from "./slider";
import { TETS, importedOf, isSheet, type Subject } from "./subject";
import { ABOUT_CLOTH, aboutSolver, substepsOf } from "./solver";
import { count, pascals } from "./text";

/** The numbers behind the three names; the same as the package's. */
export const STIFFNESS: Record<MaterialPreset, Pick<Material, "youngsModulus" | "poissonRatio">> = {
  soft: { youngsModulus: 5e4, poissonRatio: 0.4 },
  medium: { youngsModulus: 2e5, poissonRatio: 0.35 },
  stiff: { youngsModulus: 1e6, poissonRatio: 0.3 },
};

const OWN_FILES = "own files";
const CUSTOM = "custom";
/** Of style.css. */
const PHONE = "(max-width: 640px), (max-height: 480px)";
const SCHEME_NAMES: Record<string, Scheme> = { Explicit: "explicit", XPBD: "xpbd" };
const SUBSTEP_RANGE = { min: AUTO, max: SUBSTEPS.max, step: 1 };
const MODULUS = { min: 3.5, max: 7.5, step: 0.01 };
const RESOLUTION = { min: Math.log10(TETS.min), max: Math.log10(TETS.max), step: 0.05 };

/** Round, as it is a wish that the mesher meets nearly. */
export const tetsOf = ({ resolution }: Settings) => {
  const digit = 10 ** (Math.floor(resolution) - 1);
  return Math.round(10 ** resolution / digit) * digit;
};

export interface Settings extends SheetSettings {
  scene: SceneName | typeof OWN_FILES;
  stiffness: MaterialPreset | typeof CUSTOM;
  /** log10 of Young's modulus in Pa: a linear slider would be useless over five decades. */
  exponent: number;
  poissonRatio: number;
  friction: number;
  scheme: Scheme;
  /** Per 1/60 s, or AUTO. */
  substeps: number;
  iterations: number;
  /** m/s², downwards. */
  gravity: number;
  wireframe: boolean;
  paused: boolean;
  /** log10 of the number of tets that an imported surface is filled with. */
  resolution: number;
  size: Size;
  up: Axis;
}

export interface Actions extends SheetActions {
  scene(name: SceneName): void;
  material(): void;
  solver(): void;
  gravity(): void;
  wireframe(): void;
  paused(): void;
  step(): void;
  reset(): void;
  openFiles(): void;
  /** Another number of tets for the same surface. */
  resolution(): void;
  /** Another size or way up of the same mesh. */
  placement(): void;
  panelOpened(): void;
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
  readonly #scene: Controller;
  readonly #folder: GUI;
  readonly #resolution: Controller;
  readonly #size: Controller;
  readonly #up: Controller;
  readonly #why = make("p", "", "why");
  readonly #iterations: Controller;
  /** What is a solid's alone, beside the folder of imported meshes. */
  readonly #solids: (GUI | Controller)[];
  readonly #sheets: SheetControls;
  #isSheet = false;
  readonly #motion = make("p", "", "why");
  /** What the body was last found to do. */
  #report: MeshReport | undefined;

  constructor(container: HTMLElement, settings: Settings, actions: Actions) {
    this.#container = container;
    this.#settings = settings;
    const gui = new GUI({ container, title: "Controls" });
    this.#gui = gui;

    const names = Object.fromEntries(GROUPS.flatMap(([, scenes]) => Object.entries(scenes).map(([name, { label }]) => [label, name])));
    this.#scene = gui
      .add(settings, "scene", { ...names, "Own files": OWN_FILES })
      .name("Scene")
      .onChange((name: Settings["scene"]) => (name === OWN_FILES ? actions.openFiles() : actions.scene(name)));
    group(this.#scene);
    gui.add({ open: () => actions.openFiles() }, "open").name("Open a mesh …");

    const folder = gui.addFolder("Imported mesh");
    this.#folder = folder;
    const resolution = folder.add(settings, "resolution", RESOLUTION.min, RESOLUTION.max, RESOLUTION.step).name("Tets");
    showAsText(resolution, RESOLUTION, () => (resolution._disabled ? "–" : count(tetsOf(settings))), () => actions.resolution());
    this.#resolution = resolution;
    this.#why.id = "why-no-resolution";
    resolution.domElement.after(this.#why);
    this.#size = folder.add(settings, "size", { "As in the file": "m" }).name("Size").onChange(() => actions.placement());
    this.#up = folder.add(settings, "up", { Y: "y", Z: "z" }).name("Up").onChange(() => actions.placement());
    folder.close();

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
    const modulus = material.add(settings, "exponent", MODULUS.min, MODULUS.max, MODULUS.step).name("Young’s modulus").onChange(custom);
    showAsText(modulus, MODULUS, (exponent) => pascals(10 ** exponent));
    material.add(settings, "poissonRatio", 0, 0.49, 0.01).name("Poisson’s ratio").onChange(custom);
    material.add(settings, "friction", 0, 1.5, 0.01).name("Friction").onChange(() => actions.material());

    this.#sheets = new SheetControls(gui, settings, actions);

    const solver = gui.addFolder("Simulation");
    const changed = () => {
      this.#iterations.disable(settings.scheme !== "xpbd");
      actions.solver();
    };
    const scheme = solver.add(settings, "scheme", SCHEME_NAMES).name("Solver").onChange(changed);
    const { min, max, step } = SUBSTEP_RANGE;
    const substeps = solver.add(settings, "substeps", min, max, step).name("Substeps").onChange(changed);
    showAsText(substeps, SUBSTEP_RANGE, () => this.#substepsText());
    this.#iterations = solver.add(settings, "iterations", ITERATIONS.min, ITERATIONS.max, 1).name("Iterations").onChange(changed);
    this.#iterations.disable(settings.scheme !== "xpbd");
    this.#motion.id = "about-solver";
    substeps.domElement.querySelector("input")?.setAttribute("aria-describedby", this.#motion.id);
    this.#iterations.domElement.after(this.#motion);
    this.#solids = [material, scheme, this.#iterations];
    solver.add(settings, "gravity", 0, 25, 0.01).name("Gravity, m/s²").onChange(() => actions.gravity());

    gui.add(settings, "wireframe").name("Wireframe").onChange(() => actions.wireframe());
    gui.add(settings, "paused").name("Pause").onChange(() => actions.paused());
    gui.add({ step: () => actions.step() }, "step").name("Single step");
    gui.add({ reset: () => actions.reset() }, "reset").name("Reset");

    // On a phone the open panel would hide the body.
    if (matchMedia(PHONE).matches) gui.close();
    gui.onOpenClose((changed) => {
      if (changed === gui && !gui._closed && matchMedia(PHONE).matches) actions.panelOpened();
    });
  }

  /** On a phone there is room for one panel. */
  yieldRoom() {
    if (matchMedia(PHONE).matches) this.#gui.close();
  }

  /** Shows the settings as they are now. */
  refresh() {
    for (const controller of this.#gui.controllersRecursive()) controller.updateDisplay();
    this.#sheets.refresh();
  }

  /** The controls of what is shown now: which scene, those of its kind, and what may be changed about an imported mesh. */
  show(subject: Subject) {
    const imported = importedOf(subject);
    this.#isSheet = isSheet(subject);
    this.#settings.scene = subject.scene ?? OWN_FILES;
    for (const part of [...this.#solids, this.#folder]) part.show(!this.#isSheet);
    this.#sheets.show(this.#isSheet);
    const why = reasonAgainstResolution(subject);
    this.#why.textContent = why;
    this.#why.hidden = why === "";
    this.#resolution.disable(why !== "");
    const field = this.#resolution.domElement.querySelector("input");
    if (why) field?.setAttribute("aria-describedby", this.#why.id);
    else field?.removeAttribute("aria-describedby");
    this.#size.disable(!imported);
    this.#up.disable(!imported);
    if (imported) {
      this.#settings.size = imported.size;
      this.#settings.up = imported.up;
      this.#settings.resolution = Math.log10(imported.tets);
      this.#size.options(sizeChoices(imported.bounds));
      this.#folder.open();
    }
    this.refresh();
  }

  /** What the solver makes of the body at the present settings. */
  motion(report: MeshReport) {
    this.#report = report;
    this.#motion.textContent = this.#isSheet ? ABOUT_CLOTH : aboutSolver(this.#settings, report);
    this.#motion.hidden = this.#motion.textContent === "";
    this.refresh();
  }

  #substepsText(): string {
    const { substeps } = this.#settings;
    if (substeps !== AUTO) return String(substeps);
    const chosen = this.#report && !this.#isSheet && substepsOf(this.#settings, this.#report);
    return chosen ? `auto, ${chosen}` : "auto";
  }

  toggle() {
    this.#container.hidden = !this.#container.hidden;
  }
}

/** Puts the scenes of the list under the names of their groups; lil-gui counts options wherever they are. */
function group(list: Controller) {
  const select = list.domElement.querySelector("select");
  if (!select) throw new Error("lil-gui made a list without a select");
  const options = [...select.options];
  for (const [name, scenes] of GROUPS) {
    const made = make("optgroup");
    made.label = name;
    made.append(...options.splice(0, Object.keys(scenes).length));
    select.insertBefore(made, options[0] ?? null);
  }
}

/** Why the number of tets cannot be chosen; empty where it can. */
function reasonAgainstResolution(subject: Subject): string {
  const imported = importedOf(subject);
  if (subject.scene) return "A preset has its tets. Open or drop a surface (GLB, OBJ, STL, PLY) to choose how many fill it.";
  if (!imported?.result.surface) return "A volume mesh keeps the tets of its file.";
  return "";
}

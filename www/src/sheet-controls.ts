// The part of the control panel that is a cloth's: its fabric, and the wind.
import type GUI from "lil-gui";
import type { Controller } from "lil-gui";
import type { ClothMaterial, ClothPreset } from "webgpu-softbody";
import { GUSTS, SPEED, compassPoint, type Air } from "./air";
import { FABRICS, STRAIN_LIMIT } from "./cloths";
import { Dial } from "./dial";
import { showAsText } from "./slider";
import { number } from "./text";

export interface SheetSettings extends Air {
  fabric: ClothPreset;
  /** Per cent; NO_LIMIT is none. */
  strainLimit: number;
}

export interface SheetActions {
  fabric(): void;
  strainLimit(): void;
  air(): void;
}

const LIMIT = { min: 0.5, max: 20, step: 0.5 };
/** The end of the slider. */
const NO_LIMIT = LIMIT.max;

export function setFabric(settings: SheetSettings, fabric: ClothPreset) {
  settings.fabric = fabric;
  settings.strainLimit = Math.min(NO_LIMIT, 100 * STRAIN_LIMIT[fabric]);
}

export const strainLimitOf = ({ strainLimit }: SheetSettings): ClothMaterial => ({ strainLimit: strainLimit < NO_LIMIT ? strainLimit / 100 : Infinity });

export class SheetControls {
  readonly #folders: GUI[];
  readonly #dial: Dial;
  readonly #settings: SheetSettings;

  constructor(gui: GUI, settings: SheetSettings, actions: SheetActions) {
    this.#settings = settings;
    const cloth = gui.addFolder("Cloth");
    cloth
      .add(settings, "fabric", [...FABRICS])
      .name("Fabric")
      .onChange((fabric: ClothPreset) => {
        setFabric(settings, fabric);
        limit.updateDisplay();
        actions.fabric();
      });
    const limit: Controller = cloth.add(settings, "strainLimit", LIMIT.min, LIMIT.max, LIMIT.step).name("Strain limit").onChange(() => actions.strainLimit());
    showAsText(limit, LIMIT, (percent) => (percent < NO_LIMIT ? `${number(percent)} %` : "none"));

    const wind = gui.addFolder("Wind");
    const changed = () => actions.air();
    const speed = wind.add(settings, "speed", SPEED.min, SPEED.max, SPEED.step).name("Speed").onChange(changed);
    showAsText(speed, SPEED, (metresPerSecond) => `${metresPerSecond.toFixed(1)} m/s`);
    const gusts = wind.add(settings, "gusts", GUSTS.min, GUSTS.max, GUSTS.step).name("Gusts").onChange(changed);
    showAsText(gusts, GUSTS, (share) => `${(100 * share).toFixed(0)} %`);
    this.#dial = new Dial(
      "Blows to",
      compassPoint,
      (degrees) => {
        settings.towards = degrees;
        changed();
      },
    );
    wind.$children.append(this.#dial.row);
    this.#folders = [cloth, wind];
  }

  show(visible: boolean) {
    for (const folder of this.#folders) folder.show(visible);
    this.refresh();
  }

  /** What lil-gui does not show by itself. */
  refresh() {
    this.#dial.show(this.#settings.towards);
  }
}

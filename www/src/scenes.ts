// Everything on offer by name: solids and cloths, in the groups of the panel's list.
import { cloths, type ClothName } from "./cloths";
import { presets, type PresetName } from "./presets";

export type SceneName = PresetName | ClothName;

/** Name and label of each scene, by group. */
export const GROUPS: readonly (readonly [group: string, scenes: Record<string, { label: string }>])[] = [
  ["Solids", presets],
  ["Cloth", cloths],
];

export const SCENES = GROUPS.flatMap(([, scenes]) => Object.keys(scenes)) as SceneName[];

export const isCloth = (name: SceneName): name is ClothName => name in cloths;

// What the address may ask for: ?scene=cube&stiffness=soft&paused=1, ?scheme=xpbd&substeps=20&iterations=4, ?substeps=auto,
// ?model=duck.glb&tets=8000, ?scene=flag&fabric=cotton&wind=12&towards=45&gusts=0.5
import type { ClothPreset, MaterialPreset } from "webgpu-softbody";
import { GUSTS, SPEED } from "./air";
import { FABRICS } from "./cloths";
import { presets, type PresetName } from "./presets";
import { SCENES, type SceneName } from "./scenes";
import { TETS } from "./subject";

/** Above the most that are chosen by themselves. */
export const SUBSTEPS = { min: 1, max: 100 };
/** What a number of substeps is where they are chosen by themselves. */
export const AUTO = 0;
export const ITERATIONS = { min: 1, max: 20 };
export const SCHEMES = ["explicit", "xpbd"] as const;
export type Scheme = (typeof SCHEMES)[number];
export const STIFFNESSES: readonly MaterialPreset[] = ["soft", "medium", "stiff"];

export interface Query {
  scene?: SceneName;
  stiffness?: MaterialPreset;
  paused?: boolean;
  scheme?: Scheme;
  /** Or AUTO. */
  substeps?: number;
  iterations?: number;
  /** Addresses of a mesh's files, relative to the page; several belong together. */
  model: string[];
  tets?: number;
  fabric?: ClothPreset;
  /** m/s. */
  wind?: number;
  /** Degrees. */
  towards?: number;
  gusts?: number;
  /** What could not be honoured, for people. */
  problems: string[];
}

interface Range {
  min: number;
  max: number;
}

/** The address with a scene in place of what else it said of what is shown. */
export function addressOf(scene: SceneName): string {
  const url = new URL(location.href);
  for (const key of ["preset", "model", "tets", "fabric", "wind", "towards", "gusts"]) url.searchParams.delete(key);
  url.searchParams.set("scene", scene);
  return url.href;
}

export function readQuery(search: string): Query {
  const given = new URLSearchParams(search);
  const query: Query = { model: given.getAll("model"), problems: [] };
  const oneOf = <T extends string>(key: string, values: readonly T[]): T | undefined => {
    const value = given.get(key);
    if (value === null) return undefined;
    const found = values.find((name) => name === value);
    if (found === undefined) query.problems.push(`?${key}=${value} is none of ${values.join(", ")}`);
    return found;
  };
  const real = (key: string, { min, max }: Range): number | undefined => {
    const value = given.get(key);
    if (value === null) return undefined;
    const number = Number(value);
    if (value.trim() !== "" && number >= min && number <= max) return number;
    query.problems.push(`?${key}=${value} is no number from ${min} to ${max}`);
    return undefined;
  };
  const integer = (key: string, { min, max }: Range, auto?: number): number | undefined => {
    const value = given.get(key);
    if (value === null) return undefined;
    if (auto !== undefined && value === "auto") return auto;
    const number = Number(value);
    if (value.trim() !== "" && Number.isInteger(number) && number >= min && number <= max) return number;
    const range = `whole number from ${min} to ${max}`;
    query.problems.push(`?${key}=${value} is ${auto === undefined ? `no ${range}` : `neither auto nor a ${range}`}`);
    return undefined;
  };
  // The older name, of solids alone.
  const preset = oneOf("preset", Object.keys(presets) as PresetName[]);
  const scene = oneOf("scene", SCENES) ?? preset;
  const stiffness = oneOf("stiffness", STIFFNESSES);
  const paused = oneOf("paused", ["0", "1"]);
  const scheme = oneOf("scheme", SCHEMES);
  const substeps = integer("substeps", SUBSTEPS, AUTO);
  const iterations = integer("iterations", ITERATIONS);
  const tets = integer("tets", TETS);
  const fabric = oneOf("fabric", FABRICS);
  const wind = real("wind", SPEED);
  const towards = real("towards", { min: 0, max: 360 });
  const gusts = real("gusts", GUSTS);
  if (scene !== undefined) query.scene = scene;
  if (stiffness !== undefined) query.stiffness = stiffness;
  if (paused !== undefined) query.paused = paused === "1";
  if (scheme !== undefined) query.scheme = scheme;
  if (substeps !== undefined) query.substeps = substeps;
  if (iterations !== undefined) query.iterations = iterations;
  if (tets !== undefined) query.tets = tets;
  if (fabric !== undefined) query.fabric = fabric;
  if (wind !== undefined) query.wind = wind;
  if (towards !== undefined) query.towards = towards;
  if (gusts !== undefined) query.gusts = gusts;
  return query;
}

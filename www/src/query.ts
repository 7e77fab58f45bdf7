// What the address may ask for: ?preset=cube&stiffness=soft&paused=1, ?scheme=xpbd&substeps=20&iterations=4, ?substeps=auto,
// ?model=duck.glb&tets=8000
import { presets, type PresetName } from "./presets";
import type { MaterialPreset } from "webgpu-softbody";
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
  preset?: PresetName;
  stiffness?: MaterialPreset;
  paused?: boolean;
  scheme?: Scheme;
  /** Or AUTO. */
  substeps?: number;
  iterations?: number;
  /** Addresses of a mesh's files, relative to the page; several belong together. */
  model: string[];
  tets?: number;
  /** What could not be honoured, for people. */
  problems: string[];
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
  const integer = (key: string, { min, max }: { min: number; max: number }, auto?: number): number | undefined => {
    const value = given.get(key);
    if (value === null) return undefined;
    if (auto !== undefined && value === "auto") return auto;
    const number = Number(value);
    if (value.trim() !== "" && Number.isInteger(number) && number >= min && number <= max) return number;
    const range = `whole number from ${min} to ${max}`;
    query.problems.push(`?${key}=${value} is ${auto === undefined ? `no ${range}` : `neither auto nor a ${range}`}`);
    return undefined;
  };
  const preset = oneOf("preset", Object.keys(presets) as PresetName[]);
  const stiffness = oneOf("stiffness", STIFFNESSES);
  const paused = oneOf("paused", ["0", "1"]);
  const scheme = oneOf("scheme", SCHEMES);
  const substeps = integer("substeps", SUBSTEPS, AUTO);
  const iterations = integer("iterations", ITERATIONS);
  const tets = integer("tets", TETS);
  if (preset !== undefined) query.preset = preset;
  if (stiffness !== undefined) query.stiffness = stiffness;
  if (paused !== undefined) query.paused = paused === "1";
  if (scheme !== undefined) query.scheme = scheme;
  if (substeps !== undefined) query.substeps = substeps;
  if (iterations !== undefined) query.iterations = iterations;
  if (tets !== undefined) query.tets = tets;
  return query;
}

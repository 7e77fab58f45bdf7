// How large and which way up an imported mesh is shown, and where it starts.
import type { BodyOptions, MeshReport } from "webgpu-softbody";
import { metres } from "./text";

/** Metres per unit of the file. */
const UNITS = { m: 1, cm: 0.01, mm: 0.001, in: 0.0254 };

/** The unit that the file is taken to be in, or `"one"`: whatever it is in, the longest side is 1 m. */
export type Size = keyof typeof UNITS | "one";
export type Axis = "y" | "z";
type Bounds = MeshReport["bounds"];

/** Outside of this, in metres, a jelly is a grain or a mountain: nobody meant that, the file has another unit. */
const PLAUSIBLE = { min: 0.2, max: 5 };
/** Height of the free fall at the start, as a share of the longest side: enough to see that it is a jelly. */
const DROP_HEIGHT = 0.35;
const QUARTER_TURN: [number, number, number, number] = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];

/** Of x, y, z per vertex. */
export function boundsOf(positions: Float32Array): Bounds {
  const min: Bounds["min"] = [Infinity, Infinity, Infinity];
  const max: Bounds["max"] = [-Infinity, -Infinity, -Infinity];
  positions.forEach((value, index) => {
    const axis = index % 3;
    min[axis] = Math.min(min[axis] ?? value, value);
    max[axis] = Math.max(max[axis] ?? value, value);
  });
  return { min, max };
}

export function sidesOf({ min, max }: Bounds): [number, number, number] {
  return [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
}

export function longestSide(bounds: Bounds): number {
  return Math.max(...sidesOf(bounds));
}

/** A surface is for looking at and gets a size to look at; a volume mesh was made for computing and keeps its own. */
export function usualSize(bounds: Bounds, isSurface: boolean): Size {
  const side = longestSide(bounds);
  return isSurface && (side < PLAUSIBLE.min || side > PLAUSIBLE.max) ? "one" : "m";
}

/** What there is to choose from, by names for people. */
export function sizeChoices(bounds: Bounds): Record<string, Size> {
  const side = longestSide(bounds);
  const units = Object.entries(UNITS) as [keyof typeof UNITS, number][];
  return { "Longest side 1 m": "one", ...Object.fromEntries(units.map(([unit, size]) => [`${metres(side * size)} (file in ${unit})`, unit])) };
}

/** STL comes from printing and CAD, where z is up; other formats say y, or nothing. */
export function usualUp(fileName: string): Axis {
  return /\.stl$/i.test(fileName) ? "z" : "y";
}

/** Upright a little above the floor, in the middle. */
export function placement(bounds: Bounds, size: Size, up: Axis): Pick<BodyOptions, "center" | "transform"> {
  const sides = sidesOf(bounds);
  const side = Math.max(...sides);
  const scale = size === "one" ? 1 / side : UNITS[size];
  const height = up === "z" ? sides[2] : sides[1];
  return {
    center: true,
    transform: {
      scale,
      translation: [0, scale * (height / 2 + DROP_HEIGHT * side), 0],
      ...(up === "z" && { rotation: QUARTER_TURN }),
    },
  };
}

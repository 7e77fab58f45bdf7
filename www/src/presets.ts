// The bodies of tets on offer, and where they start.
import type { BodyOptions, SurfaceSource, Transform } from "webgpu-softbody";
import type { Vector } from "./camera";

export interface Preset {
  label: string;
  /** File names are `<file>_positions.vec3f32bin` and `<file>_tet_indices.vec4u32bin`. */
  file: string;
  /** Whether a finer surface is shown: `<file>_surface_positions.vec3f32bin` and `<file>_surface_triangles.vec3u16bin`. */
  surface?: true;
  /** Placement, pins and colour. */
  options: BodyOptions;
  /** How much wider than the body the view is: what rolls away needs room. */
  room: number;
  /** Whose figure it is. */
  credit?: string;
}

type Quaternion = NonNullable<Transform["rotation"]>;

function turned(axis: Vector, degrees: number): Quaternion {
  const length = Math.hypot(...axis);
  const half = (degrees * Math.PI) / 360;
  const s = Math.sin(half) / length;
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(half)];
}

/** First one rotation, then another. */
function then([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
  return [
    bw * ax + bx * aw + by * az - bz * ay,
    bw * ay - bx * az + by * aw + bz * ax,
    bw * az + bx * ay - by * ax + bz * aw,
    bw * aw - bx * ax - by * ay - bz * az,
  ];
}

function placed(height: number, rotation?: Quaternion): Pick<BodyOptions, "center" | "transform"> {
  return { center: true, transform: { translation: [0, height, 0], ...(rotation && { rotation }) } };
}

/** Everything left of `x` in the file's coordinates, however high and deep. */
function leftOf(x: number): NonNullable<BodyOptions["pinned"]> {
  return { box: { min: [-100, -100, -100], max: [x, 100, 100] } };
}

export const presets = {
  bunny: {
    label: "Stanford bunny",
    file: "bunny",
    surface: true,
    options: { ...placed(1.15, turned([0.3, 0.2, 1], -14)), appearance: { color: "#e2557a" } },
    room: 1.1,
    credit: "Stanford bunny: Stanford Computer Graphics Laboratory",
  },
  hand: {
    label: "Hand",
    file: "hand",
    surface: true,
    // Palm down, the fingertips a little lower: it slaps the floor and the fingers ripple.
    options: { ...placed(0.95, then(turned([0, 0, 1], -78), turned([0, 1, 0], 160))), appearance: { color: "#f0a070" } },
    room: 1.2,
    credit: "Hand: WebXR Input Profiles, © 2019 Amazon, MIT",
  },
  cube: {
    label: "Cube",
    file: "cube",
    options: { ...placed(1.8, turned([1, 0.2, 1.4], 40)), appearance: { color: "#e8694a" } },
    room: 1.15,
  },
  torus: {
    label: "Torus",
    file: "torus",
    // On its edge and a little aslant, so that it rolls, then falls over.
    options: { ...placed(1.3, turned([1, 0, 0.25], 80)), appearance: { color: "#3f8fd2" } },
    room: 1.25,
  },
  beam: {
    label: "Beam",
    file: "beam",
    options: { ...placed(1.4), pinned: leftOf(0.001), appearance: { color: "#e0a83a" } },
    room: 1.1,
  },
  unit_ball: {
    label: "Ball, 2 m",
    file: "unit_ball",
    options: { ...placed(2.6), appearance: { color: "#7b6fd0" } },
    room: 1.1,
  },
  cylinder: {
    label: "Cylinder, 10 cm",
    file: "cylinder",
    options: { ...placed(0.14, turned([0, 0, 1], 25)), appearance: { color: "#3aa68a" } },
    room: 1.2,
  },
  beam_t42: {
    label: "Beam, 70 cm",
    file: "beam_t42",
    options: { ...placed(0.55, turned([0, 0.3, 1], 18)), appearance: { color: "#d0708f" } },
    room: 1.15,
  },
} satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;

export const DEFAULT_PRESET: PresetName = "bunny";

/** Relative to the page, so that it works in whatever folder the page is hosted. */
const fileOf = (preset: Preset, suffix: string) => new URL(`models/${preset.file}_${suffix}`, document.baseURI);

export function meshOf(preset: Preset): { positions: URL; tets: URL } {
  return { positions: fileOf(preset, "positions.vec3f32bin"), tets: fileOf(preset, "tet_indices.vec4u32bin") };
}

/** The surface that is shown instead of the tets' own, if the preset has one. */
export async function surfaceOf(preset: Preset): Promise<SurfaceSource | undefined> {
  if (!preset.surface) return undefined;
  const files = ["surface_positions.vec3f32bin", "surface_triangles.vec3u16bin"].map((suffix) => fetched(fileOf(preset, suffix)));
  const [positions, triangles] = (await Promise.all(files)) as [ArrayBuffer, ArrayBuffer];
  // Few vertices: 16 bits of each number are stored.
  return { positions: new Float32Array(positions), triangles: Uint32Array.from(new Uint16Array(triangles)) };
}

/** A file of the page's own. */
export async function fetched(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href} answered ${response.status}`);
  return response.arrayBuffer();
}

// The cloths on offer: their grid, where and by which particles they hang, what they are made of, the wind and the view.
import type { Appearance, BodyOptions, ClothPreset, ClothSource, Transform } from "webgpu-softbody";
import type { Air } from "./air";
import type { View } from "./camera";
import type { Poke } from "./poke";

export interface ClothScene {
  label: string;
  grid: NonNullable<ClothSource["grid"]>;
  fabric: ClothPreset;
  /** Placement, pins and colour. */
  options: BodyOptions;
  air: Air;
  view: View;
  poke: Poke;
}

export const FABRICS: readonly ClothPreset[] = ["silk", "cotton", "rubber"];

/** Largest strain of the three; the same as the package's. */
export const STRAIN_LIMIT: Record<ClothPreset, number> = { silk: 0.02, cotton: 0.03, rubber: Infinity };

/** How light plays on them, whatever their colour. */
export const LOOKS: Record<ClothPreset, Required<Pick<Appearance, "roughness" | "metallic" | "anisotropy" | "sheen">>> = {
  silk: { roughness: 0.35, metallic: 0, anisotropy: 0.7, sheen: 0.1 },
  cotton: { roughness: 0.85, metallic: 0, anisotropy: 0, sheen: 0.3 },
  rubber: { roughness: 0.5, metallic: 0, anisotropy: 0, sheen: 0 },
};

/** Row 0, the upper edge, then lies at the back. */
const LYING: Transform["rotation"] = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];

/** A quarter of a right angle about the vertical. */
const TO_THE_SUN: Transform["rotation"] = [0, -Math.sin(Math.PI / 16), 0, Math.cos(Math.PI / 16)];

/** `across` is the width of the cloth in metres. */
const gridOf = (columns: number, rows: number, across: number) => ({ columns, rows, spacing: across / (columns - 1) });

/** Particles of a grid for which `held` is true. */
function particles({ columns, rows }: { columns: number; rows: number }, held: (column: number, row: number) => boolean): Uint32Array {
  const found: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) if (held(column, row)) found.push(row * columns + column);
  }
  return Uint32Array.from(found);
}

const CURTAIN = gridOf(64, 64, 2);
const FLAG = gridOf(96, 64, 1.5);
const TABLECLOTH = gridOf(64, 64, 1.6);
const HAMMOCK = gridOf(64, 64, 1.6);
const TABLE = { height: 0.75, radius: 0.48 };

export const cloths = {
  curtain: {
    label: "Curtain",
    grid: CURTAIN,
    fabric: "silk",
    // Ten rings: the cloth hangs through between them.
    options: {
      transform: { translation: [0, 0.15, 0], rotation: TO_THE_SUN },
      pinned: particles(CURTAIN, (column, row) => row === 0 && column % 7 === 0),
      appearance: { color: "#d91a4d" },
    },
    air: { speed: 0.7, towards: 350, gusts: 0.6 },
    poke: { particle: 36 * 64 + 31, velocity: [2.2, 0, -5.5], radius: 0.3 },
    view: { min: [-0.95, 0, -0.55], max: [0.95, 2.2, 0.55], from: [-0.25, 0.12, 1] },
  },
  flag: {
    label: "Flag",
    grid: FLAG,
    fabric: "silk",
    options: { transform: { translation: [0, 1.1, 0] }, pinned: particles(FLAG, (column) => column === 0), appearance: { color: "#1f66d6" } },
    air: { speed: 8, towards: 90, gusts: 0.3 },
    poke: { particle: 32 * 96 + 48, velocity: [0, 1, -9], radius: 0.3 },
    view: { min: [-0.8, 0.8, -0.35], max: [0.75, 2.2, 0.35], from: [-0.35, 0.08, 1] },
  },
  tablecloth: {
    label: "Tablecloth",
    grid: TABLECLOTH,
    fabric: "cotton",
    // Nothing collides with cloth but the floor: what lies on the round table is held there.
    options: {
      center: true,
      transform: { translation: [0, TABLE.height, 0], rotation: LYING },
      pinned: particles(TABLECLOTH, (column, row) => Math.hypot(column - 31.5, row - 31.5) * TABLECLOTH.spacing <= TABLE.radius),
      appearance: { color: "#e8e0cf" },
    },
    air: { speed: 0, towards: 45, gusts: 0.3 },
    // The middle of the front hem.
    poke: { particle: 63 * 64 + 31, velocity: [0, 3.5, 2], radius: 0.3 },
    view: { min: [-0.64, 0, -0.64], max: [0.64, 0.8, 0.64], from: [-0.35, 0.5, 1] },
  },
  hammock: {
    label: "Rubber sheet",
    grid: HAMMOCK,
    fabric: "rubber",
    options: {
      center: true,
      transform: { translation: [0, 1.3, 0], rotation: LYING },
      pinned: particles(HAMMOCK, (column, row) => column % 63 === 0 && row % 63 === 0),
      appearance: { color: "#e0a020" },
    },
    air: { speed: 0, towards: 45, gusts: 0.3 },
    poke: { particle: 32 * 64 + 31, velocity: [0, 7, 0], radius: 0.35 },
    view: { min: [-0.85, 0.1, -0.85], max: [0.85, 1.4, 0.85], from: [-0.45, 0.35, 1] },
  },
} satisfies Record<string, ClothScene>;

export type ClothName = keyof typeof cloths;

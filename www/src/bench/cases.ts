// What the bench measures: the presets where they start, boxes of 1 m that fall on an edge from 0.3 m, and curtains.
import type { BodyOptions } from "webgpu-softbody";
import { fetched, meshOf, presets, type Preset } from "../presets";

export interface Mesh {
  positions: Float32Array;
  tets: Uint32Array;
}

export type Case = SolidCase | ClothCase;

export interface ClothCase {
  kind: "cloth";
  name: string;
  /** Particles a side. */
  side: number;
}

export interface SolidCase {
  kind: "solid";
  name: string;
  moduli: number[];
  options: BodyOptions;
  make(): Promise<Mesh>;
}

const DROP = 0.3;
/** How far a box is turned round z. */
const TILT = 0.35;
/** Cells a side: 4,374, 10,368, 105,456, 998,250 and 3,072,000 tets. */
const BOXES = new Map([["box-4k", 9], ["box-10k", 12], ["box-100k", 26], ["box-1m", 55], ["box-3m", 80]]);
/** Particles a side. */
const CLOTHS = new Map([["cloth-64", 64], ["cloth-256", 256], ["cloth-1024", 1024]]);
const GROUPS = new Map([["presets", Object.keys(presets)], ["boxes", [...BOXES.keys()]], ["cloths", [...CLOTHS.keys()]]]);
/** What runs where nothing is asked for. */
const USUAL = { hardware: ["presets", "box-4k", "box-10k", "box-100k", "box-1m", "cloths"], software: ["cube", "bunny", "cloth-64"] };
/** The first two axes along which each of the six tets of a cell steps, and whether it must be turned to be positive. */
const PATHS = [[0, 1, 0], [0, 2, 1], [1, 0, 1], [1, 2, 0], [2, 0, 0], [2, 1, 1]] as const;
const MOST_CELLS = 100;
const MOST_SIDE = 4096;

/** A box of 1 m in n³ cells of six tets, its centre at the origin. */
export function kuhnBox(n: number): Mesh {
  const side = n + 1;
  const positions = new Float32Array(3 * side ** 3);
  const tets = new Uint32Array(24 * n ** 3);
  const stride = [side * side, side, 1] as const;
  let at = 0;
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      for (let k = 0; k < side; k++) {
        positions.set([i / n - 0.5, j / n - 0.5, k / n - 0.5], at);
        at += 3;
      }
    }
  }
  at = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < n; k++) {
        const first = i * stride[0] + j * stride[1] + k;
        const last = first + stride[0] + stride[1] + stride[2];
        for (const [a, b, turned] of PATHS) {
          const second = first + stride[a];
          const third = second + stride[b];
          tets.set(turned ? [first, second, last, third] : [first, second, third, last], at);
          at += 4;
        }
      }
    }
  }
  return { positions, tets };
}

function boxCase(name: string, cells: number): SolidCase {
  const height = DROP + 0.5 * (Math.sin(TILT) + Math.cos(TILT));
  return {
    kind: "solid",
    name,
    moduli: [1e5, 1e6, 1e7],
    options: { transform: { translation: [0, height, 0], rotation: [0, 0, Math.sin(TILT / 2), Math.cos(TILT / 2)] } },
    make: async () => kuhnBox(cells),
  };
}

function presetCase(name: string, preset: Preset): SolidCase {
  const { positions, tets } = meshOf(preset);
  const make = async () => ({
    positions: new Float32Array(await fetched(positions)),
    tets: new Uint32Array(await fetched(tets)),
  });
  return { kind: "solid", name, moduli: [1e5, 1e6], options: preset.options, make };
}

/** The cases of `?cases=`, or the usual ones. */
export function chooseCases(asked: string | null, moduli: string | null, software: boolean): Case[] {
  const names = asked ? asked.split(",").map((name) => name.trim()) : software ? USUAL.software : USUAL.hardware;
  const cases = names.flatMap((name) => GROUPS.get(name) ?? [name]).map((name): Case => {
    const side = CLOTHS.get(name) ?? Number(/^cloth:(\d+)$/.exec(name)?.[1]);
    if (side >= 3 && side <= MOST_SIDE) return { kind: "cloth", name, side };
    const preset = Object.entries(presets).find(([slug]) => slug === name);
    if (preset) return presetCase(name, preset[1]);
    const cells = BOXES.get(name) ?? Number(/^box:(\d+)$/.exec(name)?.[1]);
    if (cells >= 1 && cells <= MOST_CELLS) return boxCase(name, cells);
    const known = [...Object.keys(presets), ...BOXES.keys(), ...CLOTHS.keys(), ...GROUPS.keys()].join(", ");
    throw new Error(`?cases=${name}: there are ${known}, box:N for 1 to ${MOST_CELLS} cells a side, and cloth:N for 3 to ${MOST_SIDE} particles a side`);
  });
  if (moduli) {
    const pascals = moduli.split(",").map(Number);
    if (!pascals.every((modulus) => modulus >= 1 && modulus <= 1e12)) throw new Error(`?moduli=${moduli}: numbers from 1 to 1e12 Pa`);
    for (const one of cases) if (one.kind === "solid") one.moduli = pascals;
  }
  return cases;
}

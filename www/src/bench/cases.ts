// What the bench measures: the presets where they start, and boxes of 1 m that fall on an edge from 0.3 m.
import type { BodyOptions } from "webgpu-softbody";
import { fetched, meshOf, presets, type Preset } from "../presets";

export interface Mesh {
  positions: Float32Array;
  tets: Uint32Array;
}

export interface Case {
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
const GROUPS = new Map([["presets", Object.keys(presets)], ["boxes", [...BOXES.keys()]]]);
/** What runs where nothing is asked for. */
const USUAL = { hardware: ["presets", "box-4k", "box-10k", "box-100k", "box-1m"], software: ["cube", "bunny"] };
/** The first two axes along which each of the six tets of a cell steps, and whether it must be turned to be positive. */
const PATHS = [[0, 1, 0], [0, 2, 1], [1, 0, 1], [1, 2, 0], [2, 0, 0], [2, 1, 1]] as const;
const MOST_CELLS = 100;

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

function boxCase(name: string, cells: number): Case {
  const height = DROP + 0.5 * (Math.sin(TILT) + Math.cos(TILT));
  return {
    name,
    moduli: [1e5, 1e6, 1e7],
    options: { transform: { translation: [0, height, 0], rotation: [0, 0, Math.sin(TILT / 2), Math.cos(TILT / 2)] } },
    make: async () => kuhnBox(cells),
  };
}

function presetCase(name: string, preset: Preset): Case {
  const { positions, tets } = meshOf(preset);
  const make = async () => ({
    positions: new Float32Array(await fetched(positions)),
    tets: new Uint32Array(await fetched(tets)),
  });
  return { name, moduli: [1e5, 1e6], options: preset.options, make };
}

/** The cases of `?cases=`, or the usual ones. */
export function chooseCases(asked: string | null, moduli: string | null, software: boolean): Case[] {
  const names = asked ? asked.split(",").map((name) => name.trim()) : software ? USUAL.software : USUAL.hardware;
  const cases = names.flatMap((name) => GROUPS.get(name) ?? [name]).map((name) => {
    const preset = Object.entries(presets).find(([slug]) => slug === name);
    if (preset) return presetCase(name, preset[1]);
    const cells = BOXES.get(name) ?? Number(/^box:(\d+)$/.exec(name)?.[1]);
    if (cells >= 1 && cells <= MOST_CELLS) return boxCase(name, cells);
    const known = [...Object.keys(presets), ...BOXES.keys(), ...GROUPS.keys()].join(", ");
    throw new Error(`?cases=${name}: there are ${known}, and box:N for 1 to ${MOST_CELLS} cells a side`);
  });
  if (moduli) {
    const pascals = moduli.split(",").map(Number);
    if (!pascals.every((modulus) => modulus >= 1 && modulus <= 1e12)) throw new Error(`?moduli=${moduli}: numbers from 1 to 1e12 Pa`);
    for (const one of cases) one.moduli = pascals;
  }
  return cases;
}

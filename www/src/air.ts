// The wind of the page: how hard, which way and how gusty, as the visitor says it, and the gust of the button.
import type { Wind } from "webgpu-softbody";
import type { Vector } from "./camera";

export interface Air {
  /** Mean, m/s. */
  speed: number;
  /** Which way it blows: degrees clockwise from above, 0 away from the first view, 90 to its right. */
  towards: number;
  /** Root mean square of each component of the gusts over the mean. */
  gusts: number;
}

export const SPEED = { min: 0, max: 20, step: 0.1 };
export const GUSTS = { min: 0, max: 1, step: 0.01 };

const POINTS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
/** How a gust of the button rises and fades, seconds of the simulation. */
const RISE = 0.3;
const LENGTH = 1.5;
/** What a gust adds where the air is stiller than this, m/s. */
const LEAST_GUST = 5;

/** Away from the first view is called north. */
export const compassPoint = (towards: number) => POINTS[Math.round(towards / 45) % POINTS.length] ?? "north";

/** 0 … 1. */
const smooth = (share: number) => {
  const inside = Math.min(1, Math.max(0, share));
  return inside * inside * (3 - 2 * inside);
};

export class Breeze {
  readonly #air: Readonly<Air>;
  readonly #set: (wind: Wind) => void;
  /** When the gust began, or that none blows. */
  #began: number | undefined;

  /** `air` is read each time; `set` hears of every change. */
  constructor(air: Readonly<Air>, set: (wind: Wind) => void) {
    this.#air = air;
    this.#set = set;
  }

  /** What the visitor set has changed, or everything begins anew: a gust ends. */
  apply() {
    this.#began = undefined;
    this.#blow(0);
  }

  /** Doubles the wind for a moment, beginning at a time of the simulation. */
  gust(seconds: number) {
    this.#began = seconds;
  }

  /** Whether a gust of the button blows. */
  get gusting(): boolean {
    return this.#began !== undefined;
  }

  /** Has to hear of every frame. */
  advance(seconds: number) {
    if (this.#began === undefined) return;
    const age = seconds - this.#began;
    if (age < 0 || age >= LENGTH) return this.apply();
    this.#blow(smooth(age / RISE) * (1 - smooth((age - RISE) / (LENGTH - RISE))));
  }

  #blow(more: number) {
    const { speed, towards, gusts } = this.#air;
    const angle = (towards * Math.PI) / 180;
    const total = speed + more * Math.max(speed, LEAST_GUST);
    const velocity: Vector = [total * Math.sin(angle), 0, -total * Math.cos(angle)];
    this.#set({ velocity, gusts });
  }
}

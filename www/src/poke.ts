// The poke of the button: a sudden velocity where it shows best.
import type { SoftBody } from "webgpu-softbody";
import type { Vector } from "./camera";
import { boundsOf, longestSide } from "./sizing";
import { isSheet, type Subject } from "./subject";

/** Of a cloth: what is pushed, how fast, m/s, and how far round it, m. */
export interface Poke {
  particle: number;
  velocity: Vector;
  radius: number;
}

/** A solid's: to where, with y up, */
const DIRECTION: Vector = [-0.35, 0.75, -0.55];
/** how far round its middle, over its longest side, */
const RADIUS = 0.6;
/** and how high that would throw it, likewise. */
const HEIGHT = 0.4;
const GRAVITY = 9.81;

/** Pokes what is shown. Throws a SoftBodyError where the body refuses. */
export async function poke(body: SoftBody, subject: Subject): Promise<void> {
  const positions = await body.readPositions();
  if (isSheet(subject)) {
    const { particle, velocity, radius } = subject.start.poke;
    const [x, y, z] = positions.subarray(3 * particle);
    // Another one may have been loaded meanwhile.
    if (x === undefined || y === undefined || z === undefined) return;
    body.impulse(velocity, 0, { point: [x, y, z], radius });
    return;
  }
  const bounds = boundsOf(positions);
  const side = longestSide(bounds);
  const speed = Math.sqrt(2 * GRAVITY * HEIGHT * side);
  const point = bounds.min.map((low, axis) => (low + (bounds.max[axis] ?? low)) / 2) as Vector;
  body.impulse(DIRECTION.map((part) => part * speed) as Vector, 0, { point, radius: RADIUS * side });
}

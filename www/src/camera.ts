// Where the viewer stands: round what may roll anywhere, or close round what stays in a box.
import type { Camera } from "webgpu-softbody";
import { boundsOf } from "./sizing";

export type Vector = [number, number, number];

/** What is to be seen of a scene, m, and from which side. */
export interface View {
  min: Vector;
  max: Vector;
  /** From the middle of the box towards the viewer. */
  from: Vector;
}

const FIELD_OF_VIEW_DEGREES = 38;
const HALF_ANGLE = (FIELD_OF_VIEW_DEGREES * Math.PI) / 360;
/** From the target towards the viewer. */
const VIEW_DIRECTION: Vector = [0.42, 0.3, 1];

const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (a: Vector, factor: number): Vector => [a[0] * factor, a[1] * factor, a[2] * factor];
const unit = (a: Vector) => scaled(a, 1 / Math.hypot(...a));
const sum = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const middle = ({ min, max }: { min: Vector; max: Vector }) => scaled(sum(min, max), 0.5);

const standing = (target: Vector, towards: Vector, distance: number): Camera => ({
  position: sum(target, scaled(towards, distance)),
  target,
  fovYDegrees: FIELD_OF_VIEW_DEGREES,
});

/** A camera that shows a body where it stands and the floor below it; `positions` are its vertices. */
export function cameraFor(positions: Float32Array, room: number, aspect: number): Camera {
  const { min, max } = boundsOf(positions);
  min[1] = Math.min(min[1], 0);
  const radius = (room * Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2])) / 2;
  // In portrait the horizontal angle is the narrow one.
  const halfAngle = Math.atan(Math.tan(HALF_ANGLE) * Math.min(1, aspect));
  return standing(middle({ min, max }), unit(VIEW_DIRECTION), radius / Math.sin(halfAngle));
}

/** A camera as near as shows the whole box. */
export function cameraOn({ min, max, from }: View, aspect: number): Camera {
  const back = unit(from);
  const right = unit([back[2], 0, -back[0]]);
  const up: Vector = [back[1] * right[2], back[2] * right[0] - back[0] * right[2], -back[1] * right[0]];
  const target = middle({ min, max });
  const half = sum(max, scaled(target, -1));
  let distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const offset = half.map((side, axis) => (corner & (1 << axis) ? side : -side)) as Vector;
    const high = Math.abs(dot(offset, up));
    const wide = Math.abs(dot(offset, right)) / aspect;
    distance = Math.max(distance, dot(offset, back) + Math.max(high, wide) / Math.tan(HALF_ANGLE));
  }
  return standing(target, back, distance);
}

// The package as something to be timed: frame by frame as a page does it, and a second at a time.
import type { SoftBody } from "webgpu-softbody";
import type { Scheme } from "./measure";

export function schemesOf(body: SoftBody): [ours: Scheme, together: Scheme] {
  const ours: Scheme = {
    reset: () => body.reset(),
    submit: (frames) => {
      for (let frame = 0; frame < frames; frame++) body.step();
    },
    settled: () => body.settled(),
  };
  const together: Scheme = {
    ...ours,
    submit: (frames) => {
      for (let left = frames; left > 0; left -= 60) body.step(Math.min(left, 60) / 60);
    },
  };
  return [ours, together];
}

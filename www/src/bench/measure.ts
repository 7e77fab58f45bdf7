// Times by the clock: of frames, from submission to completion of a batch, and of answers while a body runs.
import type { SoftBody } from "webgpu-softbody";

export interface Scheme {
  reset(): void;
  submit(frames: number): void;
  settled(): Promise<unknown>;
}

/** Milliseconds per frame. */
export interface Times {
  median: number;
  p95: number;
  samples: number;
  framesPerSample: number;
}

export interface Effort {
  /** Most frames of a batch. */
  frames: number;
  /** Most seconds per case. */
  seconds: number;
}

/** A batch takes at least this long, so that the wait for its end does not count. */
const BATCH_MS = 100;
const LEAST_SAMPLES = 3;
const MOST_SAMPLES = 11;
const MOST_ANSWERS = 60;

async function batch(scheme: Scheme, frames: number): Promise<number> {
  scheme.reset();
  await scheme.settled();
  const begun = performance.now();
  scheme.submit(frames);
  await scheme.settled();
  return (performance.now() - begun) / frames;
}

/** Times every scheme; they take turns, so that whatever else the machine does meets all of them. */
export async function measure(schemes: Scheme[], effort: Effort): Promise<Times[]> {
  const running: { scheme: Scheme; frames: number; times: number[] }[] = [];
  for (const scheme of schemes) {
    // The first frame waits for the driver's compiler; the second says how many make a batch.
    await batch(scheme, 1);
    const once = await batch(scheme, 1);
    let frames = Math.min(effort.frames, Math.ceil(BATCH_MS / once));
    // One frame alone is mostly waiting where frames are short.
    if (frames > 1) frames = Math.min(effort.frames, Math.ceil(BATCH_MS / (await batch(scheme, frames))));
    running.push({ scheme, frames, times: [] });
  }
  const begun = performance.now();
  for (let round = 0; round < MOST_SAMPLES; round++) {
    if (round >= LEAST_SAMPLES && performance.now() - begun > 1e3 * effort.seconds) break;
    for (const { scheme, frames, times } of running) times.push(await batch(scheme, frames));
  }
  return running.map(({ frames, times }) => timesOf(times, frames));
}

function timesOf(times: number[], framesPerSample: number): Times {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? NaN;
  return { median: at(0.5), p95: at(0.95), samples: times.length, framesPerSample };
}

/**
 * From the beginning, in real time and drawn: times of answers to `pick` in the middle of the canvas, each asked at the
 * beginning of a picture, and the substeps of a frame.
 */
export async function whileRunning(body: SoftBody, canvas: HTMLCanvasElement, effort: Effort): Promise<{ pickMs: Times; substeps: number }> {
  let substeps = 0;
  let simulated = 0;
  body.reset();
  const forget = body.on("frame", (stats) => {
    const frames = Math.round(60 * (stats.simulatedSeconds - simulated));
    simulated = stats.simulatedSeconds;
    if (frames > 0) substeps = stats.substeps / frames;
  });
  const times: number[] = [];
  const ask = async () => {
    await new Promise(requestAnimationFrame);
    const asked = performance.now();
    await body.pick(canvas.width / 2, canvas.height / 2);
    return performance.now() - asked;
  };
  body.start();
  try {
    // The first answer waits for the driver's compiler.
    await ask();
    const begun = performance.now();
    const enough = () => times.length >= LEAST_SAMPLES && substeps > 0 && performance.now() - begun > 1e3 * effort.seconds;
    while (times.length < MOST_ANSWERS && !enough()) times.push(await ask());
  } finally {
    body.stop();
    forget();
  }
  await body.settled();
  return { pickMs: timesOf(times, 0), substeps };
}

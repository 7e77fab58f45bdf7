// Times of frames by the clock, from submission to completion of a batch.

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
  return running.map(({ frames, times }) => {
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? NaN;
    return { median: at(0.5), p95: at(0.95), samples: times.length, framesPerSample: frames };
  });
}

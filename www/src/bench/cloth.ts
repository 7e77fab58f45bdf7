// Silk curtains of 2 m in the wind: the package beside the article's scheme, times and stretch.
import type { SoftBody } from "webgpu-softbody";
import type { ClothArticle } from "./cloth-baseline";
import { measure, whileRunning, type Effort, type Times } from "./measure";
import { schemesOf } from "./schemes";

/** m/s; to the article's scheme an acceleration, m/s². */
const WIND: [number, number, number] = [3, 0, 1];
/** Both ways, m. */
const WIDTH = 2;
/** Height of the lower edge, m: the floor, of which the article's scheme knows nothing, is out of reach. */
const HEM = 0.5;
/** After which the stretch is looked at. */
const STRETCHED_SECONDS = 2;
/** Of silk. */
const STRAIN_LIMIT = 0.02;

/** Of threads between neighbours along warp and weft. */
export interface Stretch {
  largestStrain: number;
  /** Part of them that is stretched beyond silk's limit, 0 … 1. */
  shareBeyondLimit: number;
  /** How far below its place in the flat curtain the lowest particle hangs, m. */
  sag: number;
}

export interface ClothFigures {
  ms: Times;
  togetherMs: Times;
  baselineMs: Times;
  baselineFinite: boolean;
  ratio: number;
  pickMs: Times;
  substeps: number;
  edgeSolvesPerSecond: number;
  stretch: Stretch;
  baselineStretch: Stretch;
  loadMs: number;
}

export async function runCloth(body: SoftBody, canvas: HTMLCanvasElement, article: ClothArticle, side: number, effort: Effort): Promise<ClothFigures> {
  const spacing = WIDTH / (side - 1);
  const begun = performance.now();
  const pinned = Uint32Array.from({ length: side }, (_, column) => column);
  await body.loadCloth({ grid: { columns: side, rows: side, spacing } }, { material: "silk", pinned, transform: { translation: [0, HEM, 0] } });
  body.setWind(WIND);
  await body.settled();
  const loadMs = performance.now() - begun;
  const other = article.sheet(side, spacing, await body.readPositions(), WIND);
  try {
    const [ms, togetherMs, baselineMs] = await measure([...schemesOf(body), other], effort);
    if (!ms || !togetherMs || !baselineMs) throw new Error("a scheme was not timed");
    body.reset();
    body.step(STRETCHED_SECONDS);
    const stretch = stretchOf(await body.readPositions(), side, spacing);
    other.reset();
    other.submit(60 * STRETCHED_SECONDS);
    const baselineStretch = stretchOf(await other.positions(), side, spacing);
    const { pickMs, substeps } = await whileRunning(body, canvas, effort);
    const edges = 2 * side * (side - 1) + 2 * (side - 1) ** 2;
    return {
      ms,
      togetherMs,
      baselineMs,
      baselineFinite: Number.isFinite(baselineStretch.largestStrain),
      ratio: baselineMs.median / ms.median,
      pickMs,
      substeps,
      edgeSolvesPerSecond: (1e3 * substeps * edges) / ms.median,
      stretch,
      baselineStretch,
      loadMs,
    };
  } finally {
    other.destroy();
    body.setWind([0, 0, 0]);
  }
}

/** Not a number where a position is none. */
export function stretchOf(positions: Float32Array, side: number, spacing: number): Stretch {
  const at = (particle: number, axis: number) => positions[3 * particle + axis] ?? NaN;
  const distance = (a: number, b: number) => Math.hypot(at(a, 0) - at(b, 0), at(a, 1) - at(b, 1), at(a, 2) - at(b, 2));
  let largest = -Infinity;
  let beyond = 0;
  let lowest = Infinity;
  const thread = (a: number, b: number) => {
    const strain = distance(a, b) / spacing - 1;
    // Math.max and Math.min keep what is not a number.
    largest = Math.max(largest, strain);
    if (strain > STRAIN_LIMIT) beyond += 1;
  };
  for (let particle = 0; particle < side * side; particle++) {
    if (particle % side < side - 1) thread(particle, particle + 1);
    if (particle + side < side * side) thread(particle, particle + side);
    lowest = Math.min(lowest, at(particle, 1));
  }
  return { largestStrain: largest, shareBeyondLimit: beyond / (2 * side * (side - 1)), sag: HEM - lowest };
}

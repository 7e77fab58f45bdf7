// The page's bench, ?bench=1: the package and the article's scheme on the same bodies, on screen and in window.bench.
//
// ?cases=cube,box-4k,box:3,cloth-64  ?moduli=1e5,1e6  ?frames=1000 (most of a batch)  ?seconds=10 (most per case)
import { SoftBody } from "webgpu-softbody";
import { describe } from "../fail";
import { openMachine, type Adapter } from "./adapter";
import { Article, type ArticleBody } from "./baseline";
import { chooseCases, type Mesh, type SolidCase } from "./cases";
import { runCloth, type Stretch } from "./cloth";
import { ClothArticle } from "./cloth-baseline";
import { measure, whileRunning, type Effort, type Times } from "./measure";
import { probe, type Probes } from "./probes";
import { restOf } from "./rest";
import { schemesOf } from "./schemes";
import { BenchView } from "./view";

export interface CaseResult {
  case: string;
  /** Of a solid, Pa. */
  youngsModulus?: number;
  /** Of a solid; absent where the mesh could not be made. */
  tets?: number;
  /** Of a cloth. */
  particles?: number;
  /** Of the package, a `step()` per frame as a page does it; absent where the case did not run. */
  ms?: Times;
  /** The same by one `step(seconds)` per second, which submits short frames together. */
  togetherMs?: Times;
  substeps?: number;
  /** Highest frequency of the mesh × frame time ÷ substeps. */
  r?: number;
  evaluationsPerSecond?: number;
  /** Of the article's scheme. */
  baselineMs?: Times;
  /** False where the article's scheme lost its numbers. */
  baselineFinite?: boolean;
  /** How many times as fast the package is. */
  ratio?: number;
  /** From `pick()` to its answer, while the body runs in real time and is drawn. */
  pickMs?: Times;
  /** Of a cloth, after 2 s; the article's has no units, and this is what it comes to. */
  stretch?: Stretch;
  baselineStretch?: Stretch;
  edgeSolvesPerSecond?: number;
  loadMs?: number;
  error?: string;
}

export interface BenchResult {
  adapter: Adapter & { kind: "GPU" | "software" };
  userAgent: string;
  probes: Probes;
  cases: CaseResult[];
  /** What the device of the baseline and the probes complained of. */
  errors: string[];
}

declare global {
  interface Window {
    /** With ?bench=1: everything that was measured, or why not, once that is known. */
    bench?: BenchResult | { error: string };
  }
}

const MATERIAL = { poissonRatio: 0.3, density: 1000, damping: 1, friction: 0.5 };

/** Shows and returns what it finds. */
export function startBench(search: string): Promise<BenchResult> {
  const view = new BenchView();
  const result = run(new URLSearchParams(search), view);
  result.then(
    (measured) => {
      view.done();
      window.bench = measured;
    },
    (thrown: unknown) => {
      const error = describe(thrown).message;
      view.failed(error);
      window.bench = { error };
    },
  );
  return result;
}

function numberOf(query: URLSearchParams, key: string, usual: number, least: number, most: number, whole = false): number {
  const text = query.get(key);
  if (text === null) return usual;
  const value = Number(text);
  if (text.trim() !== "" && value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  throw new Error(`?${key}=${text} is no ${whole ? "whole " : ""}number from ${least} to ${most}`);
}

async function run(query: URLSearchParams, view: BenchView): Promise<BenchResult> {
  const effort: Effort = {
    frames: numberOf(query, "frames", 1000, 1, 5000, true),
    seconds: numberOf(query, "seconds", 10, 0, 600),
  };
  const support = await SoftBody.isSupported();
  if (!support.supported) throw new Error(support.detail ?? "WebGPU is not available here");
  const machine = await openMachine();
  const { adapter } = machine;
  view.adapter(adapter);
  const cases = chooseCases(query.get("cases"), query.get("moduli"), adapter.software);
  view.doing("Measuring the machine");
  const probes = await probe(machine);
  view.probes(probes);
  const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
  const body = await SoftBody.create(canvas, { autoResize: false, interactive: false });
  const bench: Bench = { body, canvas, article: new Article(machine), clothArticle: new ClothArticle(machine), effort };
  const results: CaseResult[] = [];
  const add = (result: CaseResult) => {
    results.push(result);
    view.add(result);
  };
  // A picture of the progress before seconds of work.
  const picture = () => new Promise((resume) => setTimeout(resume, 20));
  try {
    for (const one of cases) {
      if (one.kind === "cloth") {
        view.doing(one.name);
        await picture();
        add(await clothResult(bench, one.name, one.side));
        continue;
      }
      view.doing(`${one.name}: making the mesh`);
      const mesh = one.make();
      // Every result of the case tells why there is no mesh; nobody else needs to hear of it.
      mesh.catch(() => {});
      for (const youngsModulus of one.moduli) {
        view.doing(`${one.name} at ${youngsModulus.toExponential(0)} Pa`);
        await picture();
        add(await runCase(bench, one, mesh, youngsModulus));
      }
    }
  } finally {
    body.dispose();
  }
  return {
    adapter: { ...adapter, kind: adapter.software ? "software" : "GPU" },
    userAgent: navigator.userAgent,
    probes,
    cases: results,
    errors: machine.errors,
  };
}

interface Bench {
  body: SoftBody;
  canvas: HTMLCanvasElement;
  article: Article;
  clothArticle: ClothArticle;
  effort: Effort;
}

async function clothResult({ body, canvas, clothArticle, effort }: Bench, name: string, side: number): Promise<CaseResult> {
  const result: CaseResult = { case: name, particles: side * side };
  try {
    return { ...result, ...(await runCloth(body, canvas, clothArticle, side, effort)) };
  } catch (thrown) {
    // One body too many is no reason to lose the others.
    return { ...result, error: describe(thrown).message };
  }
}

async function runCase({ body, canvas, article, effort }: Bench, { name, options }: SolidCase, made: Promise<Mesh>, youngsModulus: number): Promise<CaseResult> {
  const result: CaseResult = { case: name, youngsModulus };
  let other: ArticleBody | undefined;
  try {
    const mesh = await made;
    const tets = mesh.tets.length / 4;
    result.tets = tets;
    const begun = performance.now();
    const material = { ...MATERIAL, youngsModulus };
    const report = await body.load(mesh, { ...options, material });
    await body.settled();
    result.loadMs = performance.now() - begun;
    if (report.dynamics) Object.assign(result, { substeps: report.dynamics.substeps, r: report.dynamics.r });
    const start = await body.readPositions();
    const box = options.pinned && "box" in options.pinned ? options.pinned.box : undefined;
    const held = (...point: number[]) => box !== undefined && point.every((x, axis) => x >= (box.min[axis] ?? 0) && x <= (box.max[axis] ?? 0));
    other = article.body(restOf(mesh, MATERIAL.density, held), start, material);
    const [ms, togetherMs, baselineMs] = await measure([...schemesOf(body), other], effort);
    if (!ms || !togetherMs || !baselineMs) throw new Error("a scheme was not timed");
    Object.assign(result, { ms, togetherMs, baselineMs, ratio: baselineMs.median / ms.median });
    result.baselineFinite = !Number.isNaN(await other.lowest());
    if (result.substeps) result.evaluationsPerSecond = (1e3 * result.substeps * tets) / ms.median;
    result.pickMs = (await whileRunning(body, canvas, effort)).pickMs;
  } catch (thrown) {
    // One body too many is no reason to lose the others.
    result.error = describe(thrown).message;
  } finally {
    other?.destroy();
  }
  return result;
}

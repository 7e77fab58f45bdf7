// The bench on the screen: what it runs on, what the machine can do, and a table that grows.
import { make } from "../dom";
import { count, number } from "../text";
import type { Adapter } from "./adapter";
import type { CaseResult } from "./index";
import type { Probes } from "./probes";
import "./bench.css";

const COLUMNS = ["Case", "Size", "E, Pa", "Substeps", "ms a frame", "p95, ms", "Together, ms", "Article, ms", "Ratio", "Pick, ms"] as const;

export class BenchView {
  readonly #state = make("p", "Starting", "bench-state");
  readonly #adapter = make("p", "", "bench-adapter");
  readonly #probes = make("p", "", "bench-probes");
  readonly #rows = make("tbody");
  readonly #copy = make("button", "Copy as JSON");

  constructor() {
    const head = make("tr");
    for (const title of COLUMNS) {
      const cell = make("th", title);
      cell.scope = "col";
      head.append(cell);
    }
    const thead = make("thead");
    thead.append(head);
    const table = make("table");
    table.append(thead, this.#rows);
    this.#state.setAttribute("role", "status");
    this.#copy.type = "button";
    this.#copy.hidden = true;
    this.#copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(JSON.stringify(window.bench, null, 2));
      this.#copy.textContent = "Copied";
    });
    const about = make(
      "p",
      "Simulation only, nothing is drawn. A frame is 1/60 s, timed from submission to completion of many at once; median and 95th percentile of these batches. Together: the same frames, asked for a second at a time, so that short ones share a submission. " +
        "Article: the schemes this project is compared with, on the same body; for solids under-relaxed XPBD with float atomics, 10 substeps of 8 iterations; for cloth Verlet and five passes of hard springs once a frame. " +
        "Pick: from the question to its answer while the body runs and is drawn.",
      "bench-about",
    );
    const main = make("main", "", "bench");
    main.append(make("h1", "webgpu-softbody: bench"), this.#adapter, this.#probes, this.#state, table, about, this.#copy);
    document.documentElement.dataset["softbody"] = "bench";
    document.title = "webgpu-softbody: bench";
    document.body.replaceChildren(main);
    document.documentElement.classList.add("bench-page");
  }

  adapter({ name, software }: Adapter) {
    this.#adapter.textContent = software
      ? `Software adapter: ${name}. A processor plays the GPU, so no figure here is one of a GPU; the ratios do compare the two schemes.`
      : `GPU: ${name}`;
    this.#adapter.classList.toggle("bench-software", software);
  }

  probes({ copyGBs, dispatchMicroseconds, gflops }: Probes) {
    this.#probes.textContent = `Copies ${number(copyGBs)} GB/s, multiplies and adds ${number(gflops)} GFLOP/s, a dispatch that waits for the last one takes ${number(dispatchMicroseconds)} µs.`;
  }

  doing(what: string) {
    this.#state.textContent = what;
  }

  add(result: CaseResult) {
    const row = make("tr");
    const { ms, togetherMs, baselineMs, ratio, tets, particles, youngsModulus, pickMs, stretch, baselineStretch } = result;
    const cells = [
      result.case,
      tets !== undefined ? `${count(tets)} tets` : particles !== undefined ? `${count(particles)} particles` : "–",
      youngsModulus === undefined ? "–" : youngsModulus.toExponential(0),
      result.substeps === undefined ? "–" : String(result.substeps),
      ms ? number(ms.median) : "–",
      ms ? number(ms.p95) : "–",
      togetherMs ? number(togetherMs.median) : "–",
      baselineMs ? number(baselineMs.median) + (result.baselineFinite === false ? " (NaN)" : "") : "–",
      ratio === undefined ? "–" : `${number(ratio)}×`,
      pickMs ? number(pickMs.median) : "–",
    ];
    cells.forEach((text, column) => {
      const cell = make(column === 0 ? "th" : "td", text);
      if (column === 0) cell.setAttribute("scope", "row");
      cell.dataset["label"] = COLUMNS[column] ?? "";
      row.append(cell);
    });
    this.#rows.append(row);
    if (stretch && baselineStretch) {
      const percent = (strain: number) => `${number(100 * strain)} %`;
      const told = (of: typeof stretch) => `${percent(of.largestStrain)} at most, ${percent(of.shareBeyondLimit)} of the threads beyond 2 %`;
      this.#tell(`Stretched after 2 s by ${told(stretch)}; the article's by ${told(baselineStretch)}.`);
    }
    if (result.error) this.#tell(result.error, " bench-error");
  }

  /** A row of its own, across all columns. */
  #tell(text: string, kind = "") {
    const row = make("tr");
    const cell = make("td", text, `bench-told${kind}`);
    cell.colSpan = COLUMNS.length;
    row.append(cell);
    this.#rows.append(row);
  }

  done() {
    this.doing("Done");
    this.#copy.hidden = false;
  }

  failed(message: string) {
    this.doing(`Stopped: ${message}`);
    this.#state.classList.add("bench-error");
  }
}

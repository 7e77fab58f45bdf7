// The mesh report of what is shown: counts, volume and mass, the tets' angles, and what was found in the mesh.
import type { MeshFinding, MeshReport } from "webgpu-softbody";
import type { MeshShape } from "webgpu-softbody/mesh";
import { element, find, make } from "./dom";
import { sidesOf } from "./sizing";
import { count, counted, cubicMetres, degrees, kilograms, number, sides } from "./text";
import { SCALE_FINDING, importedOf, isSheet, remarksOn, type NamedFile, type Subject } from "./subject";

/** What a closer examination of the mesh adds to the report of loading it. */
export interface Examination {
  shape?: MeshShape;
  findings: MeshFinding[];
}

type Examine = (files: NamedFile[]) => Promise<Examination>;

export class ReportPanel {
  readonly #root = find("report", HTMLDetailsElement);
  readonly #badge = element("report-badge");
  readonly #content = element("report-content");
  readonly #examine: Examine;
  #subject: Subject | undefined;
  #report: MeshReport | undefined;
  #examination: Examination | undefined;
  #trouble = "";

  /** `examine` is asked once per mesh, when the panel is open; `opened` hears of every opening. */
  constructor(examine: Examine, opened: () => void) {
    this.#examine = examine;
    this.#root.addEventListener("toggle", () => {
      if (!this.#root.open) return;
      opened();
      void this.#complete();
    });
  }

  show(subject: Subject, report: MeshReport) {
    this.#subject = subject;
    this.#report = report;
    this.#trouble = "";
    const shown = importedOf(subject);
    const imported = shown?.result.report;
    // What was made larger or smaller since is no longer of the file's size; loading says what is odd about the new one.
    const holds = ({ code }: MeshFinding) => code !== SCALE_FINDING || shown?.size === "m";
    this.#examination = imported && { findings: imported.findings.filter(holds), ...(imported.shape && { shape: imported.shape }) };
    this.#draw();
    if (this.#root.open) void this.#complete();
  }

  /** The same mesh in another material or by another solver. */
  update(report: MeshReport) {
    this.#report = report;
    this.#draw();
  }

  close() {
    this.#root.open = false;
  }

  async #complete() {
    const subject = this.#subject;
    if (!subject || isSheet(subject) || !subject.binary || this.#examination || this.#trouble) return;
    try {
      const found = await this.#examine(await subject.binary());
      if (subject === this.#subject) this.#examination = found;
    } catch (thrown) {
      if (subject === this.#subject) this.#trouble = thrown instanceof Error ? thrown.message : String(thrown);
    }
    if (subject === this.#subject) this.#draw();
  }

  #draw() {
    const subject = this.#subject;
    const report = this.#report;
    if (!subject || !report) return;
    const findings = merged(this.#examination?.findings ?? [], report.findings);
    const imported = importedOf(subject);
    const remarks = imported ? remarksOn(imported.result).length : 0;
    this.#badge.textContent = findings.length + remarks === 0 ? "" : count(findings.length + remarks);
    this.#badge.title = `${counted(findings.length, "finding")}, ${counted(remarks, "note")}`;
    const parts: HTMLElement[] = [facts(subject, report)];
    if (this.#examination?.shape) parts.push(angles(this.#examination.shape));
    else if (this.#trouble) parts.push(make("p", `The tets' angles are not known: ${this.#trouble}`, "note"));
    else if (!this.#examination && !isSheet(subject)) parts.push(make("p", "Measuring the tets' angles …", "note"));
    parts.push(findingList(findings));
    for (const note of imported?.result.notes ?? []) parts.push(make("p", note, "note"));
    this.#content.replaceChildren(...parts);
  }
}

/** The closer examination says more; what only loading found comes after it. */
function merged(examined: MeshFinding[], loaded: MeshFinding[]): MeshFinding[] {
  const codes = new Set(examined.map(({ code }) => code));
  return [...examined, ...loaded.filter(({ code }) => !codes.has(code))];
}

function facts(subject: Subject, report: MeshReport): HTMLElement {
  const list = make("dl");
  const add = (term: string, value: string) => {
    const row = make("div");
    row.append(make("dt", term), make("dd", value));
    list.append(row);
  };
  const imported = importedOf(subject);
  add("Mesh", subject.name);
  if (imported) add("Format", imported.result.format);
  add("Vertices", count(report.vertices));
  if (!isSheet(subject)) add("Tets", count(report.tets));
  add("Surface", counted(report.surfaceTriangles, "triangle"));
  if (imported?.result.surface) add("Shown", counted(imported.result.surface.triangles.length / 3, "triangle"));
  if (report.components !== 1) add("Parts", count(report.components));
  add("Size", sides(sidesOf(report.bounds)));
  if (imported && imported.size !== "m") add("In the file", sidesOf(imported.bounds).map(number).join(" × "));
  if (!isSheet(subject)) add("Volume", cubicMetres(report.volume));
  add("Mass", kilograms(report.mass));
  if (report.dynamics) add("Substeps", `${report.dynamics.substeps} (r ${number(report.dynamics.r)})`);
  return list;
}

/** The dihedral angles as bars of 10° each: good tets have none at the ends. */
function angles({ minDihedralDegrees, maxDihedralDegrees, dihedralHistogram }: MeshShape): HTMLElement {
  const figure = make("figure", "", "angles");
  const range = `${degrees(minDihedralDegrees)} to ${degrees(maxDihedralDegrees)}`;
  const caption = make("figcaption", "Dihedral angles ");
  caption.append(make("b", range));
  const chart = make("div", "", "bars");
  chart.setAttribute("role", "img");
  chart.setAttribute("aria-label", `Histogram of the tets' dihedral angles: ${range}`);
  const most = Math.max(1, ...dihedralHistogram);
  dihedralHistogram.forEach((value, index) => {
    const bar = make("span");
    // What is there at all can be seen.
    bar.style.height = value === 0 ? "0" : `max(2px, ${((100 * value) / most).toFixed(1)}%)`;
    bar.title = `${index * 10}° to ${index * 10 + 10}°: ${count(value)}`;
    if (index === 0 || index === dihedralHistogram.length - 1) bar.className = "flat";
    chart.append(bar);
  });
  const axis = make("div", "", "axis");
  axis.setAttribute("aria-hidden", "true");
  axis.append(make("span", "0°"), make("span", "90°"), make("span", "180°"));
  figure.append(caption, chart, axis);
  return figure;
}

function findingList(findings: MeshFinding[]): HTMLElement {
  if (findings.length === 0) return make("p", "Nothing to object to.", "note");
  const list = make("ul", "", "findings");
  for (const { code, count: concerned, mended, message } of findings) {
    const item = make("li");
    const head = make("div", "", "head");
    head.append(make("code", code), make("span", `× ${count(concerned)}`), make("span", mended ? "mended" : "as it is", mended ? "tag mended" : "tag"));
    item.append(head, make("p", message));
    list.append(item);
  }
  return list;
}

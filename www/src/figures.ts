// The live figures of the card: averaged over half a second so that they can be read.
import type { FrameStats } from "webgpu-softbody";
import { element } from "./dom";

const PERIOD_MS = 500;

export class Figures {
  readonly #fields = new Map<string, HTMLElement>();
  #since = performance.now();
  #frames = 0;
  #milliseconds = 0;
  #simulated = 0;
  /** What the frames of the period took and simulated; written where nothing else says the substeps. */
  #taken = { substeps: 0, seconds: 0, shown: false };
  /** Since creation, as the body counts it, and what of that belongs to before the last start. */
  #dropped = { now: 0, before: 0 };

  readonly #elements = element("elements-name");

  constructor(root: HTMLElement) {
    for (const field of root.querySelectorAll<HTMLElement>("[data-figure]")) this.#fields.set(field.dataset["figure"] ?? "", field);
  }

  #write(name: string, text: string) {
    const field = this.#fields.get(name);
    if (field && field.textContent !== text) field.textContent = text;
  }

  frame(stats: FrameStats) {
    this.#frames += 1;
    this.#milliseconds += stats.cpuMs;
    this.#dropped.now = stats.droppedSeconds;
    this.#taken.substeps += stats.substeps;
    this.#taken.seconds += Math.max(0, stats.simulatedSeconds - this.#simulated);
    this.#simulated = stats.simulatedSeconds;
    const now = performance.now();
    if (now - this.#since < PERIOD_MS) return;
    this.#write("fps", ((this.#frames * 1000) / (now - this.#since)).toFixed(0));
    this.#write("ms", (this.#milliseconds / this.#frames).toFixed(1));
    this.#writeDropped();
    const { substeps, seconds, shown } = this.#taken;
    if (shown && seconds > 0) this.#write("substeps", (substeps / seconds / 60).toFixed(0));
    this.simulated(stats.simulatedSeconds);
    this.#restart(now);
  }

  #writeDropped() {
    this.#write("dropped", (this.#dropped.now - this.#dropped.before).toFixed(1));
  }

  /** Another body, or the same from its start. */
  anew() {
    this.simulated(0);
    this.#dropped.before = this.#dropped.now;
    this.#writeDropped();
  }

  simulated(seconds: number) {
    this.#simulated = seconds;
    this.#write("simulated", seconds.toFixed(2));
  }

  /** Tets, or the triangles of a cloth. */
  elements(name: "Tets" | "Triangles", count: number) {
    this.#elements.textContent = name;
    this.#write("tets", count.toLocaleString("en"));
  }

  /** Per 1/60 s, undefined where only the frames tell; `slowed` where they are too few to follow every vibration. */
  substeps(text: string | undefined, slowed: boolean) {
    this.#taken.shown = text === undefined;
    this.#write("substeps", text ?? "–");
    this.#fields.get("substeps")?.classList.toggle("slowed", slowed);
  }

  /** While nothing runs there is no rate to show. */
  pause() {
    this.#write("fps", "–");
    this.#write("ms", "–");
    this.#restart(performance.now());
  }

  #restart(now: number) {
    this.#since = now;
    this.#frames = 0;
    this.#milliseconds = 0;
    this.#taken.substeps = 0;
    this.#taken.seconds = 0;
  }
}

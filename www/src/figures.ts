// The live figures of the card: averaged over half a second so that they can be read.
import type { FrameStats } from "webgpu-softbody";

const PERIOD_MS = 500;

export class Figures {
  readonly #fields = new Map<string, HTMLElement>();
  #since = performance.now();
  #frames = 0;
  #milliseconds = 0;
  /** Since creation, as the body counts it, and what of that belongs to before the last start. */
  #dropped = { now: 0, before: 0 };

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
    const now = performance.now();
    if (now - this.#since < PERIOD_MS) return;
    this.#write("fps", ((this.#frames * 1000) / (now - this.#since)).toFixed(0));
    this.#write("ms", (this.#milliseconds / this.#frames).toFixed(1));
    this.#writeDropped();
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
    this.#write("simulated", seconds.toFixed(2));
  }

  tets(count: number) {
    this.#write("tets", count.toLocaleString("en"));
  }

  /** Per frame; `slowed` where they are too few to follow every vibration. */
  substeps(text: string, slowed: boolean) {
    this.#write("substeps", text);
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
  }
}

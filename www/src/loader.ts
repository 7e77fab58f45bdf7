// One load after the other: the newest wins, and the body that is there goes on until its successor is ready.
import type { MeshReport, SoftBody } from "webgpu-softbody";
import { isSheet, type Subject } from "./subject";

export interface Outcome {
  shown(subject: Subject, report: MeshReport): Promise<void>;
  failed(thrown: unknown): void;
  cancelled(): void;
  /** After every load, whatever became of it, unless a newer one has begun. */
  done(): void;
}

export class Loader {
  readonly #body: SoftBody;
  readonly #outcome: Outcome;
  #queue = Promise.resolve();
  #newest: AbortController | undefined;

  constructor(body: SoftBody, outcome: Outcome) {
    this.#body = body;
    this.#outcome = outcome;
  }

  /** Whether something is on its way. */
  get busy(): boolean {
    return this.#newest !== undefined;
  }

  cancel() {
    this.#newest?.abort();
  }

  /** Ends what is on its way and starts this instead. */
  load(prepare: (signal: AbortSignal) => Promise<Subject>, options: (subject: Subject) => Subject["options"]) {
    this.#newest?.abort();
    const mine = new AbortController();
    this.#newest = mine;
    const { signal } = mine;
    this.#queue = this.#queue.then(async () => {
      const overtaken = () => this.#newest !== mine;
      try {
        signal.throwIfAborted();
        const subject = await prepare(signal);
        signal.throwIfAborted();
        const given = { ...options(subject), signal };
        const report = await (isSheet(subject) ? this.#body.loadCloth(subject.cloth, given) : this.#body.load(subject.mesh, given));
        await this.#outcome.shown(subject, report);
      } catch (thrown) {
        if (overtaken()) return;
        if (signal.aborted) this.#outcome.cancelled();
        else this.#outcome.failed(thrown);
      } finally {
        if (!overtaken()) {
          this.#newest = undefined;
          this.#outcome.done();
        }
      }
    });
  }
}

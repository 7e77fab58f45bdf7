// Large bodies in the browser: prepared in a worker while the page goes on, given up when asked, refused before any work.
import assert from "node:assert/strict";
import { largeTools } from "./large-box.mjs";
import { onPage, waitForState } from "./tools.mjs";

/** 162,000 tets. */
const CELLS = 30;
/** Generous: tests share the machine with others, and the GPU is a thread of it. docs/notes/large-input.md has the figures. */
const LONGEST_GAP_MS = 250;

const onLarge = (work) =>
  onPage("?preset=cube&paused=1", async (page, opened) => {
    await waitForState(page, "paused");
    await page.evaluate(largeTools);
    await page.evaluate((cells) => (window.box = window.kuhnBox(cells)), CELLS);
    await work(page, opened);
  });

export const largeTests = {
  async "a large body is prepared beside the page, and is the same body"() {
    await onLarge(async (page) => {
      const workers = [];
      page.on("worker", (worker) => workers.push(worker.url()));
      const { result, gaps, told, other } = await page.evaluate(async () => {
        const told = [];
        window.softbody.setSolver({ scheme: "explicit", substeps: 8 });
        const options = { dropToFloor: true, onPrepare: (fraction) => told.push(fraction) };
        const measured = await window.longestGap(() => window.softbody.load(window.box, options));
        window.softbody.step(1 / 60);
        const positions = await window.softbody.readPositions();
        // Without workers it is prepared on this thread, to the same bits.
        const native = window.Worker;
        window.Worker = class {
          constructor() {
            throw new Error("no workers here");
          }
        };
        await window.softbody.load(window.box, { dropToFloor: true });
        window.Worker = native;
        window.softbody.step(1 / 60);
        const again = await window.softbody.readPositions();
        const moved = positions.some((x, index) => x !== window.box.positions[index]);
        const other = { length: again.length, moved, different: again.findIndex((x, index) => !Object.is(x, positions[index])) };
        return { ...measured, told, other };
      });
      assert.equal(result.refused, undefined);
      assert.equal(result.tets, 6 * CELLS ** 3);
      assert.ok(Math.abs(result.volume - 1) < 1e-6, `${result.volume} m³`);
      assert.deepEqual(result.findings.filter(({ code }) => code !== "scaled-dynamics"), []);
      assert.equal(workers.length, 1, workers.join());
      assert.ok(told.length >= 6 && told.every((fraction, index) => fraction > (told[index - 1] ?? 0)), told.join());
      assert.equal(told.at(-1), 1);
      assert.deepEqual(other, { length: 3 * (CELLS + 1) ** 3, moved: true, different: -1 });
      console.log(`    longest gap: ${gaps.timer.toFixed(0)} ms between timers, ${gaps.frame.toFixed(0)} ms between frames`);
      assert.ok(gaps.timer < LONGEST_GAP_MS, `the page stood still for ${gaps.timer.toFixed(0)} ms`);
    });
  },

  async "a large load ends when it is aborted, overtaken or disposed, and its worker with it"() {
    await onLarge(async (page) => {
      const before = await page.evaluate(() => window.softbody.report().tets);
      const told = await page.evaluate(async () => {
        const ended = async (change) => {
          const controller = new AbortController();
          const { result } = await window.longestGap(() => {
            let changed = false;
            const onPrepare = () => {
              if (!changed) setTimeout(() => change(controller));
              changed = true;
            };
            return window.softbody.load(window.box, { signal: controller.signal, onPrepare });
          });
          return result.refused;
        };
        const aborted = await ended((controller) => controller.abort(new Error("enough")));
        const tets = window.softbody.report().tets;
        const tet = { positions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]), tets: new Uint32Array([0, 1, 2, 3]) };
        let later;
        const overtaken = await ended(() => (later = window.softbody.load(tet)));
        const { tets: one } = await later;
        const disposed = await ended(() => window.softbody.dispose());
        return { aborted, tets, overtaken, one, disposed };
      });
      assert.match(told.aborted, /^aborted: .*enough/);
      assert.equal(told.tets, before);
      assert.match(told.overtaken, /^aborted: load: a later call/);
      assert.equal(told.one, 1);
      assert.match(told.disposed, /^disposed: /);
      // A busy worker is stopped at the next turn of a loop, and missed by the browser's own book-keeping some time later.
      const start = performance.now();
      while (page.workers().length > 0 && performance.now() - start < 10_000) await page.waitForTimeout(100);
      assert.equal(page.workers().length, 0, "workers left");
    });
  },

  async "a large mesh that cannot be simulated, or is too large for the GPU, is refused by name"() {
    await onLarge(async (page) => {
      const told = await page.evaluate(async () => {
        const { positions, tets } = window.box;
        const refusal = (mesh, options) => window.softbody.load(mesh, options).catch(({ code, message }) => `${code}: ${message}`);
        const wrong = tets.slice();
        wrong[4 * 150_000 + 2] = 99_999_999;
        const index = await refusal({ positions, tets: wrong });
        const pinned = await refusal(window.box, { pinned: new Uint32Array([7, 40_000_000]) });
        // 144 MB of tets, where 128 MiB can be bound; what they say does not matter yet.
        const large = await refusal({ positions, tets: new Uint32Array(4 * 9_000_000) });
        return { index, pinned, large };
      });
      assert.match(told.index, /^invalid-mesh: tet 150000 corner 2 refers to vertex 99999999, but there are 29791 vertices/);
      assert.match(told.pinned, /^invalid-option: pins: vertex 40000000 does not exist/);
      assert.match(told.large, /^limits: tets of a body of 9000000 tets and 29791 vertices needs 144000000.* allows 134217728; about 8300000 tets fit/);
    });
  },
};

// Tests of the page's bench: it measures both schemes, says what it runs on, and fits a phone.
import assert from "node:assert/strict";
import { keep, onPage } from "./tools.mjs";

const TINY = "?bench=1&cases=box:2,cube&moduli=1e5&frames=2&seconds=0";

export const benchTests = {
  async "the bench measures both schemes and calls a software adapter software"() {
    await onPage(TINY, async (page) => {
      await page.waitForFunction(() => window.bench !== undefined);
      const result = await page.evaluate(() => window.bench);
      assert.equal(result.adapter.kind, "software", result.adapter.name);
      assert.deepEqual(result.errors, []);
      assert.deepEqual(result.cases.map(({ case: name, tets, youngsModulus, error }) => [name, tets, youngsModulus, error]), [
        ["box:2", 48, 1e5, undefined],
        ["cube", 1296, 1e5, undefined],
      ]);
      for (const { case: name, ms, togetherMs, baselineMs, ratio, baselineFinite, pickMs } of result.cases) {
        assert.ok(pickMs.median > 0 && pickMs.p95 >= pickMs.median, name);
        assert.ok(ms.median > 0 && ms.p95 >= ms.median && ms.samples >= 3, name);
        assert.ok(togetherMs.median > 0 && togetherMs.samples >= 3, name);
        assert.ok(Math.abs(ratio - baselineMs.median / ms.median) < 1e-9, name);
        assert.equal(baselineFinite, true, name);
      }
      const { copyGBs, dispatchMicroseconds, gflops } = result.probes;
      assert.ok(copyGBs > 0 && dispatchMicroseconds > 0 && gflops > 0);
      const text = await page.locator("main").innerText();
      assert.match(text, /Software adapter: .*swiftshader/i);
      assert.doesNotMatch(text, /^GPU:/m);
      assert.match(text, /^Done$/m);
      assert.equal(await page.locator("tbody tr").count(), 2);
      await keep(page, "bench");
      await page.setViewportSize({ width: 390, height: 700 });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "wider than a phone");
      assert.ok(await page.getByRole("button", { name: "Copy as JSON" }).isVisible());
      await keep(page, "bench-phone");
    });
  },

  async "the bench measures curtains, their stretch and how long an answer takes"() {
    await onPage("?bench=1&cases=cloth:12&frames=2&seconds=0", async (page) => {
      await page.waitForFunction(() => window.bench !== undefined);
      const result = await page.evaluate(() => window.bench);
      assert.deepEqual(result.errors, []);
      const [cloth] = result.cases;
      assert.equal(cloth.error, undefined);
      assert.equal(result.cases.length, 1);
      // Eleven edges hang from the upper row: the fewest substeps that a cloth chooses.
      assert.deepEqual([cloth.case, cloth.particles, cloth.substeps], ["cloth:12", 144, 12]);
      const { ms, baselineMs, ratio, pickMs, stretch, baselineStretch } = cloth;
      assert.ok(ms.median > 0 && ms.samples >= 3 && pickMs.median > 0 && pickMs.samples >= 3);
      assert.ok(Math.abs(ratio - baselineMs.median / ms.median) < 1e-9);
      assert.ok(stretch.largestStrain > 0 && stretch.largestStrain < 0.03, JSON.stringify(stretch));
      assert.ok(baselineStretch.largestStrain > stretch.largestStrain && baselineStretch.sag > 0, JSON.stringify(baselineStretch));
      assert.match(await page.locator("main").innerText(), /144 particles[^]*Stretched after 2 s by/);
    });
  },

  async "the bench says which case it does not know"() {
    // Names that every object inherits are none either.
    for (const name of ["teapot", "constructor", "__proto__", "toString"]) {
      await onPage(`?bench=1&cases=${name}`, async (page) => {
        await page.waitForFunction(() => window.bench !== undefined);
        const told = await page.evaluate(() => window.bench.error ?? "measured");
        assert.match(told, new RegExp(`\\?cases=${name}: there are .*box-4k`));
        await page.getByText(new RegExp(`Stopped: .*${name}`)).waitFor();
      });
    }
  },

  async "the bench takes whole frames only"() {
    await onPage("?bench=1&cases=box:1&frames=1.5", async (page) => {
      await page.waitForFunction(() => window.bench !== undefined);
      assert.equal(await page.evaluate(() => window.bench.error), "?frames=1.5 is no whole number from 1 to 5000");
    });
  },

  async "a model that fails leaves the other cases their figures"() {
    const query = "?bench=1&cases=box:1,torus,box:2&frames=1&seconds=0&moduli=1e5,1e6";
    const gone = (page) => page.route("**/models/torus*", (route) => route.fulfill({ status: 404, body: "gone" }));
    await onPage(query, async (page) => {
      await page.waitForFunction(() => window.bench !== undefined);
      const cases = await page.evaluate(() => window.bench.cases.map(({ case: name, tets, ms, error }) => [name, tets, ms !== undefined, error]));
      assert.deepEqual(cases.map(([name, , measured]) => [name, measured]), ["box:1", "torus", "box:2"].flatMap((name) => [[name, name !== "torus"], [name, name !== "torus"]]));
      for (const [, tets, , error] of cases.slice(2, 4)) {
        assert.equal(tets, undefined);
        assert.match(error, /torus/);
      }
    }, { prepare: gone, expected: /404/ });
  },
};

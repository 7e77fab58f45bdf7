// Tests of the bodies in the page: that they behave, change without traces, and refuse what is no mesh.
import assert from "node:assert/strict";
import { countGpuMemory } from "./browser.mjs";
import { BAD, MODELS, choose, drop, extremes, figure, keep, modelFiles, onPage, simulate, state, waitForPreset, waitForState } from "./tools.mjs";

export const bodyTests = {
  async "a body falls, lands and comes to rest on the floor"() {
    await onPage("?preset=cube&stiffness=stiff&paused=1&substeps=10&iterations=2", async (page) => {
      await waitForState(page, "paused");
      const start = await extremes(page);
      assert.ok(start.minY > 0.1, `starts at ${start.minY}`);
      await simulate(page, 360);
      const end = await extremes(page);
      assert.ok(end.finite);
      assert.ok(end.minY >= -1e-3, `lowest vertex at ${end.minY}`);
      assert.ok(end.minY < 0.02, `lowest vertex at ${end.minY}`);
      assert.ok(end.meanSpeed < 0.05, `mean speed ${end.meanSpeed} m/s after 6 s`);
      // Nothing of its height is lost: a 1 m cube rests with its middle at half a metre, on whichever face.
      assert.ok(end.meanY > 0.4 && end.meanY < 0.75, `middle at ${end.meanY}`);
      await page.evaluate(() => window.softbody.render());
      await keep(page, "at-rest");
    });
  },

  async "the pinned beam hangs from its left face"() {
    await onPage("?preset=beam&paused=1&substeps=10&iterations=2", async (page) => {
      await waitForState(page, "paused");
      const positions = () => page.evaluate(async () => [...(await window.softbody.readPositions())]);
      const before = await positions();
      await simulate(page, 60);
      const after = await positions();
      const minX = Math.min(...before.filter((_, i) => i % 3 === 0));
      const maxX = Math.max(...before.filter((_, i) => i % 3 === 0));
      let pinned = 0;
      let tip = 0;
      for (let i = 0; i < before.length; i += 3) {
        if (before[i] === minX) {
          pinned += 1;
          for (const axis of [0, 1, 2]) assert.ok(Math.abs(after[i + axis] - before[i + axis]) < 1e-6, `pinned vertex ${i / 3} moved`);
        }
        if (before[i] === maxX) tip = Math.min(tip, after[i + 1] - before[i + 1]);
      }
      assert.equal(pinned, 25);
      assert.ok(tip < -0.02, `the tip moved by ${tip} m`);
    });
  },

  async "changing bodies ten times while running leaves no error and no memory behind"() {
    await onPage(
      "?preset=cube&substeps=4&iterations=1",
      async (page) => {
        await waitForState(page, "running");
        await page.evaluate(() => {
          window.heard = [];
          window.softbody.on("error", (error) => window.heard.push(`${error.code}: ${error.message}`));
        });
        const order = [["Torus", "torus"], ["Beam", "beam"], ["Beam, 70 cm", "beam_t42"], ["Cylinder, 10 cm", "cylinder"], ["Cube", "cube"]];
        const memory = [];
        for (let round = 0; round < 2; round++) {
          for (const [label, name] of order) {
            await choose(page, label);
            await waitForPreset(page, name);
            await page.waitForTimeout(150);
          }
          await page.evaluate(() => window.softbody.settled());
          memory.push(await page.evaluate(() => window.gpuMemory()));
        }
        assert.deepEqual(await page.evaluate(() => window.heard), []);
        assert.equal(await state(page), "running");
        assert.ok(memory[0].objects > 5, `${memory[0].objects} GPU objects counted`);
        assert.deepEqual(memory[1], memory[0]);
      },
      { init: [countGpuMemory] },
    );
  },

  async "bad files say what is wrong and leave the running body alone"() {
    await onPage("?preset=cube&substeps=4&iterations=1", async (page) => {
      await waitForState(page, "running");
      await page.evaluate(() => window.softbody.on("frame", (stats) => (window.lastFrame = stats)));
      const before = await page.evaluate(() => window.softbody.report());
      const cases = [
        ["index_equals_count", /\b27\b/],
        ["nan_coordinate", /\b13\b/],
        ["truncated_positions", /\b317\b/],
      ];
      for (const [name, message] of cases) {
        await drop(page, modelFiles(BAD, name));
        await page.waitForFunction((source) => new RegExp(source).test(document.getElementById("toast").innerText), message.source);
        if (name === "nan_coordinate") await keep(page, "bad-file");
        await page.getByRole("button", { name: "Close" }).click();
      }
      await drop(page, modelFiles(BAD, "nan_coordinate").slice(0, 1));
      await page.waitForFunction(() => /a mesh is two files/.test(document.getElementById("toast").innerText));
      assert.deepEqual(await page.evaluate(() => window.softbody.report()), before);
      assert.equal(await state(page), "running");
      const frame = await page.evaluate(() => window.lastFrame.frame);
      await page.waitForFunction((last) => window.lastFrame.frame > last + 2, frame);
      assert.ok((await extremes(page)).finite);
    });
  },

  async "a model that is missing leaves the body alone, or says why there is none"() {
    // A refused answer's body is not read to its end.
    const expected = /status of 404|models\/[\w.]+ net::ERR_ABORTED/;
    const gone = (page, pattern) => page.route(pattern, (route) => route.fulfill({ status: 404, body: "gone" }));
    await onPage(
      "?preset=cube&substeps=4&iterations=1",
      async (page) => {
        await waitForState(page, "running");
        await gone(page, "**/models/torus_tet*");
        await choose(page, "Torus");
        await page.locator("#toast").waitFor({ state: "visible" });
        assert.match(await page.locator("#toast").innerText(), /http:.*\/models\/torus_tet_indices\.vec4u32bin answered 404/);
        assert.equal(await page.evaluate(() => document.documentElement.dataset.preset), "cube");
        assert.equal(await page.locator("#panel select").first().inputValue(), "Cube");
        assert.equal(await state(page), "running");
      },
      { expected },
    );
    for (const [pattern, message] of [["**/models/bunny_pos*", /mesh-load: .*bunny_positions.*404/], ["**/*.wasm", /wasm-load: .*\.wasm answered 404/]]) {
      await onPage(
        "",
        async (page) => {
          await waitForState(page, "failed");
          assert.match(await page.locator("#fail").innerText(), message);
        },
        { expected, prepare: (page) => gone(page, pattern) },
      );
    }
  },

  async "files of the visitor's own are loaded, dropped or picked"() {
    await onPage("?preset=cube&paused=1&substeps=5", async (page) => {
      await waitForState(page, "paused");
      // The order in which they are chosen does not matter.
      await drop(page, modelFiles(MODELS, "beam_t42").reverse());
      await waitForPreset(page, "own");
      assert.equal(await figure(page, "tets"), "42");
      assert.ok(Math.abs((await extremes(page)).minY) < 1e-5);
      await page.locator("#picker").setInputFiles(modelFiles(MODELS, "unit_ball"));
      await page.waitForFunction(() => document.querySelector("[data-figure=tets]").textContent === "1,110");
    });
  },

  async "the real meshes load with the right figures, fall, bounce and rest for 600 frames"() {
    const facts = {
      unit_ball: { vertices: 363, tets: 1110, unusedVertices: 1, flippedTets: 0, surfaceTriangles: 602 },
      cylinder: { vertices: 354, tets: 1348, unusedVertices: 0, flippedTets: 0, surfaceTriangles: 440 },
      beam_t42: { vertices: 32, tets: 42, unusedVertices: 0, flippedTets: 42, surfaceTriangles: 88 },
    };
    for (const [name, expected] of Object.entries(facts)) {
      await onPage(`?preset=${name}&paused=1&substeps=10&iterations=2`, async (page) => {
        await waitForState(page, "paused");
        const report = await page.evaluate(() => window.softbody.report());
        // Nothing but this takes energy from a ball that rocks: the explicit scheme takes next to none.
        await page.evaluate(() => window.softbody.setMaterial({ damping: 2 }));
        assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, report[key]])), expected, name);
        await keep(page, name);
        let end;
        let [fell, rose] = [0, 0];
        for (let frame = 0; frame < 600; frame += 4) {
          await simulate(page, 4);
          end = await extremes(page);
          assert.equal(end.vertices, expected.vertices);
          assert.ok(end.finite, `${name}: not finite after ${frame + 4} frames`);
          // The unused vertex of the ball is no particle of the body, but it must not be nonsense either.
          assert.ok(end.minY >= -1e-5, `${name}: lowest vertex at ${end.minY} after ${frame + 4} frames`);
          assert.ok(end.maxY < 4, `${name}: highest vertex at ${end.maxY}`);
          fell = Math.max(fell, -end.meanRise);
          rose = Math.max(rose, end.meanRise);
        }
        assert.ok(rose > 0.02 * fell && fell > 0.5, `${name} fell at ${fell} m/s and rose at ${rose} m/s`);
        assert.ok(end.meanSpeed < 0.05, `${name} still moves at ${end.meanSpeed} m/s`);
      });
    }
  },
};

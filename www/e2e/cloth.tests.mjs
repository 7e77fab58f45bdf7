// Tests of cloth on the page and through the class: its scenes, its controls, the wind and its dial, and what is refused.
import assert from "node:assert/strict";
import { colours, difference } from "./picture.mjs";
import { choose, extremes, figure, keep, onPage, scene, simulate, waitForPreset, waitForState } from "./tools.mjs";

const SCENES = { curtain: "Curtain", flag: "Flag", tablecloth: "Tablecloth", hammock: "Rubber sheet" };
/** Whether folders of the panel or buttons below the scene are seen. */
const visible = (page, names) => Promise.all(names.map((name) => page.locator("#panel .lil-title, #actions button", { hasText: new RegExp(`^${name}$`) }).isVisible()));
const dial = (page) => page.getByRole("slider", { name: "Blows to" });

/** Runs in the page: writes down what the class is asked, as window.asked[method]. */
function listen() {
  window.asked = {};
  const prototype = Object.getPrototypeOf(window.softbody);
  for (const method of ["setWind", "setMaterial", "setAppearance"]) {
    const original = prototype[method];
    window.asked[method] = [];
    prototype[method] = function (...given) {
      window.asked[method].push(structuredClone(given[0]));
      return original.apply(this, given);
    };
  }
}
const asked = (page, method) => page.evaluate((name) => window.asked[name].splice(0), method);
const near = (found, expected, told = JSON.stringify(found)) => {
  assert.equal(found.length, expected.length, told);
  found.forEach((value, axis) => assert.ok(Math.abs(value - expected[axis]) < 1e-9, told));
};

/** Positions and how fast the fastest particle is. */
const state = (page) =>
  page.evaluate(async () => {
    const [positions, velocities] = [await window.softbody.readPositions(), await window.softbody.readVelocities()];
    let speed = 0;
    for (let i = 0; i < velocities.length; i += 3) speed = Math.max(speed, Math.hypot(velocities[i], velocities[i + 1], velocities[i + 2]));
    return { positions: [...positions], speed };
  });

const scenes = Object.fromEntries(
  Object.entries(SCENES).map(([name, label]) => [
    `cloth: the scene ${name} runs, holds together and shows its controls`,
    () =>
      onPage(`?scene=${name}&paused=1&substeps=8`, async (page) => {
        await waitForState(page, "paused");
        assert.equal(await page.locator("#panel select").first().inputValue(), label);
        assert.deepEqual(await visible(page, ["Cloth", "Wind", "Material", "Imported mesh", "Gust"]), [true, true, false, false, true]);
        const before = await scene(page);
        assert.ok(colours(before) > 100, `${colours(before)} colours`);
        assert.equal(Number(await figure(page, "tets")), await page.evaluate(() => window.softbody.report().surfaceTriangles));
        const start = await state(page);
        await simulate(page, 6);
        await page.evaluate(() => window.softbody.render());
        const after = await state(page);
        assert.ok(after.positions.every(Number.isFinite));
        assert.notDeepEqual(after.positions, start.positions);
        assert.ok(after.speed < 30, `${after.speed} m/s`);
        await page.getByRole("button", { name: "Drop again" }).click();
        assert.deepEqual((await state(page)).positions, start.positions);
        await page.keyboard.press("Space");
        await waitForState(page, "running");
        await page.waitForFunction(() => Number(document.querySelector("[data-figure=simulated]").textContent) > 0);
        await page.waitForFunction(() => Number(document.querySelector("[data-figure=substeps]").textContent) === 8);
        assert.ok(difference(before, await scene(page)) > 0);
      }),
  ]),
);

export const clothTests = {
  ...scenes,

  async "cloth: scenes and solids take turns, and the address keeps which"() {
    await onPage("?preset=cube&paused=1&wind=3", async (page) => {
      await waitForState(page, "paused");
      const groups = await page.locator("#panel select").first().locator("optgroup").evaluateAll((found) => found.map(({ label, children }) => [label, children.length]));
      assert.deepEqual(groups, [["Solids", 8], ["Cloth", Object.keys(SCENES).length]]);
      assert.deepEqual(await visible(page, ["Cloth", "Wind", "Material", "Gust"]), [false, false, true, false]);

      await choose(page, "Tablecloth");
      await waitForPreset(page, "tablecloth");
      assert.match(page.url(), /\?paused=1&scene=tablecloth$/);
      assert.deepEqual(await visible(page, ["Cloth", "Wind", "Material", "Gust"]), [true, true, false, true]);
      assert.equal(await page.getByRole("combobox", { name: "Fabric" }).inputValue(), "cotton");
      assert.equal(await page.locator("#elements-name").innerText(), "Triangles");
      await page.locator("#report summary").click();
      const report = await page.locator("#report-content").innerText();
      assert.match(report, /Vertices\s+4,096/);
      assert.match(report, /Mass\s+46\d g/);
      assert.doesNotMatch(report, /Tets|Volume|Dihedral/);

      await choose(page, "Torus");
      await waitForPreset(page, "torus");
      assert.match(page.url(), /scene=torus$/);
      assert.deepEqual(await visible(page, ["Cloth", "Wind", "Material", "Gust"]), [false, false, true, false]);
      assert.equal(await page.locator("#elements-name").innerText(), "Tets");
      await page.reload();
      await waitForState(page, "paused");
      assert.equal(await page.evaluate(() => document.documentElement.dataset.preset), "torus");
    });
  },

  async "cloth: the address sets fabric and wind; what it cannot choose is said"() {
    await onPage("?scene=curtain&paused=1&fabric=cotton&wind=7.5&towards=90&gusts=0.25", async (page) => {
      await waitForState(page, "paused");
      const field = (name) => page.getByRole("textbox", { name }).inputValue();
      assert.deepEqual([await field("Speed"), await field("Gusts"), await field("Strain limit")], ["7.5 m/s", "25 %", "3 %"]);
      assert.equal(await page.getByRole("combobox", { name: "Fabric" }).inputValue(), "cotton");
      assert.equal(await dial(page).getAttribute("aria-valuetext"), "to the east, 90°");
      // 0.18 kg/m² on 4 m².
      const { mass } = await page.evaluate(() => window.softbody.report());
      assert.ok(Math.abs(mass - 0.72) < 1e-3, `${mass} kg`);
    });
    await onPage("?scene=teapot&fabric=wool&wind=21&gusts=x&paused=1", async (page) => {
      await waitForState(page, "paused");
      const told = await page.locator("#toast").innerText();
      assert.match(told, /\?scene=teapot is none of bunny, .*curtain, flag/);
      assert.match(told, /\?fabric=wool is none of silk, cotton, rubber/);
      assert.match(told, /\?wind=21 is no number from 0 to 20/);
      assert.match(told, /\?gusts=x is no number from 0 to 1/);
    });
  },

  async "cloth: speed, gusts and the dial reach the wind, by keys and by pointer"() {
    await onPage(
      "?scene=curtain&paused=1&wind=4&towards=0&gusts=0",
      async (page) => {
        await waitForState(page, "paused");
        await page.evaluate(listen);
        await page.getByRole("textbox", { name: "Speed" }).press("PageUp");
        const [{ velocity, gusts }] = await asked(page, "setWind");
        near(velocity, [0, 0, -5]);
        assert.equal(gusts, 0);
        await page.getByRole("textbox", { name: "Gusts" }).press("PageUp");
        assert.equal((await asked(page, "setWind"))[0].gusts, 0.1);

        await dial(page).focus();
        const said = async () => [await dial(page).getAttribute("aria-valuenow"), await dial(page).getAttribute("aria-valuetext")];
        for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowRight");
        assert.deepEqual(await said(), ["45", "to the north-east, 45°"]);
        near((await asked(page, "setWind")).at(-1).velocity, [5 * Math.SQRT1_2, 0, -5 * Math.SQRT1_2]);
        await page.keyboard.press("PageUp");
        assert.deepEqual(await said(), ["90", "to the east, 90°"]);
        await page.keyboard.press("Home");
        await page.keyboard.press("ArrowLeft");
        assert.deepEqual(await said(), ["355", "to the north, 355°"]);
        await asked(page, "setWind");

        await dial(page).scrollIntoViewIfNeeded();
        const box = await dial(page).boundingBox();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        await page.mouse.move(x, y - 20);
        await page.mouse.down();
        // Far outside it is still held.
        await page.mouse.move(x - 200, y + 200, { steps: 3 });
        await page.mouse.up();
        assert.deepEqual(await said(), ["225", "to the south-west, 225°"]);
        near((await asked(page, "setWind")).at(-1).velocity, [-5 * Math.SQRT1_2, 0, 5 * Math.SQRT1_2]);
        await page.mouse.move(x + 20, y);
        assert.deepEqual(await asked(page, "setWind"), []);
        await keep(page, "wind");
      },
      { context: { viewport: { width: 1280, height: 800 } } },
    );
  },

  async "cloth: a gust doubles the wind, fades in a second and a half of the simulation, and ends with a reset"() {
    await onPage("?scene=flag&paused=1&substeps=1&wind=8&towards=90&gusts=0", async (page) => {
      await waitForState(page, "paused");
      await page.evaluate(listen);
      const gust = page.getByRole("button", { name: "Gust" });
      await gust.click();
      await page.locator("#scene").focus();
      for (let i = 0; i < 92; i++) await page.keyboard.press("s");
      const speeds = (await asked(page, "setWind")).map(({ velocity }) => velocity[0]);
      assert.ok(Math.abs(Math.max(...speeds) - 16) < 0.1, `at most ${Math.max(...speeds)} m/s`);
      const steps = speeds.map((speed, index) => Math.abs(speed - (speeds[index - 1] ?? 8)));
      assert.ok(Math.max(...steps) < 0.8, `jumps by ${Math.max(...steps)} m/s`);
      assert.equal(speeds.at(-1), 8);
      // The last frame within 1.5 s, or the first after it, by rounding.
      assert.ok(speeds.length === 90 || speeds.length === 91, `${speeds.length} frames`);

      await gust.click();
      await page.locator("#scene").focus();
      for (let i = 0; i < 10; i++) await page.keyboard.press("s");
      assert.ok((await asked(page, "setWind")).at(-1).velocity[0] > 10);
      await page.keyboard.press("r");
      assert.equal((await asked(page, "setWind")).at(-1).velocity[0], 8);
      await page.keyboard.press("s");
      assert.deepEqual(await asked(page, "setWind"), []);
    });
  },

  async "cloth: the button pokes a solid upwards and away, and a cloth where it is free"() {
    for (const name of ["cube", ...Object.keys(SCENES)]) {
      await onPage(`?scene=${name}&paused=1&substeps=8`, async (page) => {
        await waitForState(page, "paused");
        const before = await state(page);
        assert.equal(before.speed, 0);
        await page.getByRole("button", { name: "Poke" }).click();
        await page.waitForFunction(async () => (await window.softbody.readVelocities()).some((speed) => speed !== 0));
        await page.locator("#scene").focus();
        await page.keyboard.press("s");
        const { speed, positions } = await state(page);
        assert.ok(speed > 1 && speed < 20, `${name}: ${speed} m/s`);
        const farthest = Math.max(...positions.map((value, index) => Math.abs(value - before.positions[index])));
        assert.ok(farthest > 0.01, `${name}: ${farthest} m`);
        assert.ok(await page.locator("#toast").isHidden(), await page.locator("#toast").innerText());
        if (name === "cube") assert.ok((await extremes(page)).meanRise > 0.2);
      });
    }
  },

  async "cloth: fabrics change material and look, and the strain limit goes to none"() {
    await onPage("?scene=tablecloth&paused=1", async (page) => {
      await waitForState(page, "paused");
      await page.evaluate(() => window.softbody.settled());
      await page.evaluate(listen);
      const before = await scene(page);
      const fabric = page.getByRole("combobox", { name: "Fabric" });
      const limit = page.getByRole("textbox", { name: "Strain limit" });
      await fabric.selectOption("rubber");
      assert.deepEqual(await asked(page, "setMaterial"), ["rubber"]);
      assert.equal((await asked(page, "setAppearance"))[0].roughness, 0.5);
      assert.equal(await limit.inputValue(), "none");
      await page.evaluate(() => window.softbody.settled());
      await page.waitForTimeout(100);
      assert.ok(difference(before, await scene(page)) > 0.005);
      await limit.press("ArrowDown");
      assert.equal(await limit.inputValue(), "19.5 %");
      await limit.press("ArrowUp");
      assert.deepEqual(await asked(page, "setMaterial"), [{ strainLimit: 0.195 }, { strainLimit: Infinity }]);
    });
  },

  async "cloth: a phone shows the buttons apart from card and panel, and the dial turns under a finger"() {
    await onPage(
      "?scene=flag&paused=1",
      async (page) => {
        await waitForState(page, "paused");
        const boxes = Object.fromEntries(await Promise.all(["card", "panel", "actions"].map(async (id) => [id, await page.locator(`#${id}`).boundingBox()])));
        assert.ok(boxes.card.y + boxes.card.height <= boxes.actions.y && boxes.actions.y + boxes.actions.height <= boxes.panel.y, JSON.stringify(boxes));
        assert.ok(boxes.actions.x >= 0 && boxes.actions.x + boxes.actions.width <= 390, JSON.stringify(boxes));
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
        await keep(page, "cloth-phone");
        await page.getByRole("button", { name: "Controls" }).tap();
        await page.waitForTimeout(500);
        assert.ok(await page.locator("#actions").isHidden());
        await dial(page).scrollIntoViewIfNeeded();
        const box = await dial(page).boundingBox();
        await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height - 8);
        assert.equal(await dial(page).getAttribute("aria-valuetext"), "to the south, 180°");
        await keep(page, "cloth-phone-panel");
      },
      { context: { viewport: { width: 390, height: 800 }, deviceScaleFactor: 1, hasTouch: true, isMobile: true } },
    );
  },

  async "cloth: the class makes, blows, pins and reads a cloth, and refuses by name"() {
    await onPage("?scene=cube&paused=1", async (page) => {
      await waitForState(page, "paused");
      const found = await page.evaluate(async () => {
        const SoftBody = window.softbody.constructor;
        const canvas = () => Object.assign(document.createElement("canvas"), { width: 64, height: 48 });
        const refusal = (work) => work().then(() => "accepted", ({ code, message }) => `${code}: ${message}`);
        const cloth = { grid: { columns: 8, rows: 8, spacing: 0.1 } };
        const top = Uint32Array.from({ length: 8 }, (_, index) => index);
        const mean = (positions, axis) => positions.reduce((sum, value, index) => (index % 3 === axis ? sum + value : sum), 0) / (positions.length / 3);
        const body = await SoftBody.create(canvas(), { cloth, pinned: top, wind: [0, 0, 3], substeps: 12, transform: { translation: [0, 1, 0] } });
        const start = await body.readPositions();
        for (let i = 0; i < 30; i++) body.step();
        const blown = await body.readPositions();
        body.setWind({ velocity: [0, 0, -3] });
        for (let i = 0; i < 60; i++) body.step();
        const back = await body.readPositions();
        body.unpin(top);
        body.setWind([0, 0, 0]);
        for (let i = 0; i < 90; i++) body.step();
        const fallen = await body.readPositions();
        const report = body.report();
        body.dispose();
        return {
          report,
          vertices: start.length / 3,
          top: [start[1], start[0]],
          held: Math.max(...[...back.slice(0, 24)].map((value, index) => Math.abs(value - start[index]))),
          blown: mean(blown, 2),
          back: mean(back, 2),
          fallen: Math.max(...fallen.filter((_, index) => index % 3 === 1)),
          refusals: await Promise.all(
            [
              { cloth, mesh: { positions: new Float32Array(12), tets: new Uint32Array(4) } },
              { cloth: { grid: { columns: 1, rows: 8, spacing: 0.1 } } },
              { cloth: { grid: { columns: 8, rows: 8 } } },
              { cloth, material: "wool" },
              { cloth, pinned: new Uint32Array([64]) },
              { cloth, wind: [0, 201, 0] },
              { cloth, wind: { gusts: 3 } },
            ].map((options) => refusal(() => SoftBody.create(canvas(), options))),
          ),
        };
      });
      assert.equal(found.vertices, 64);
      assert.deepEqual([found.report.tets, found.report.surfaceTriangles], [0, 98]);
      assert.ok(Math.abs(found.top[0] - 1.7) < 1e-6 && Math.abs(found.top[1] + 0.35) < 1e-6, JSON.stringify(found.top));
      assert.ok(found.held < 1e-6, `pins moved ${found.held} m`);
      assert.ok(found.blown > 0.02 && found.back < -0.02, `${found.blown}, ${found.back} m`);
      assert.ok(found.fallen < 0.2, `${found.fallen} m above the floor`);
      const expected = [/invalid-option: mesh/, /cloth\.grid|columns/, /cloth\.grid\.spacing/, /material is "wool".*"silk"/, /vertex 64 does not exist: the mesh has 64/, /wind/, /gusts is 3/];
      expected.forEach((pattern, index) => assert.match(found.refusals[index], pattern));
    });
  },
};

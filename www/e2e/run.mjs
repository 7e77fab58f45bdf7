// Tests of the built page in Chromium: `node e2e/run.mjs [part of a test's name]`. CHROMIUM names another browser binary.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { countGpuMemory, launch, open, withoutAdapter, withoutWebGpu } from "./browser.mjs";
import { runTests } from "./harness.mjs";
import { colours, difference } from "./picture.mjs";
import { serve } from "./server.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const DIST = join(HERE, "../dist");
const BAD = join(HERE, "data/bad");
const MODELS = join(HERE, "../public/models");
const RESULTS = join(HERE, "../../test-results");
const PREFIX = "/some/sub/path/";
/** Free of panels at 900 × 600: what is drawn here is the scene. */
const SCENE = { x: 300, y: 40, width: 280, height: 500 };

if (!existsSync(join(DIST, "index.html"))) {
  console.error(`${DIST} has no page: run "npm run build" first`);
  process.exit(1);
}
mkdirSync(RESULTS, { recursive: true });
const server = await serve(DIST, PREFIX);
const browser = await launch();

const state = (page) => page.evaluate(() => document.documentElement.dataset.softbody);
const waitForState = (page, wanted) =>
  page.waitForFunction((name) => document.documentElement.dataset.softbody === name, wanted).catch(async (error) => {
    const told = await page.locator("#fail, #toast").allInnerTexts();
    throw new Error(`state is ${await state(page)}, not ${wanted}: ${told.join(" ")}`, { cause: error });
  });
const waitForPreset = (page, name) => page.waitForFunction((wanted) => document.documentElement.dataset.preset === wanted, name);
const scene = (page) => page.screenshot({ clip: SCENE });
const keep = (page, name) => page.screenshot({ path: join(RESULTS, `${name}.png`) });
const figure = async (page, name) => (await page.locator(`[data-figure=${name}]`).innerText()).replace(",", "");
const choose = (page, label) => page.locator("#panel select").first().selectOption({ label });
const modelFiles = (folder, name) => ["positions.vec3f32bin", "tet_indices.vec4u32bin"].map((suffix) => join(folder, `${name}_${suffix}`));

/** Opens the page with a query, runs `work`, and fails on anything in the console. */
async function onPage(query, work, options = {}) {
  const opened = await open(browser, { url: server.url + query, ...options });
  try {
    await work(opened.page, opened);
    assert.deepEqual(opened.errors, []);
  } finally {
    await opened.context.close();
  }
}

/** Simulates `frames` frames of 1/60 s without drawing; never more than a few ahead of the GPU. */
function simulate(page, frames) {
  return page.evaluate(async (count) => {
    for (let frame = 1; frame <= count; frame++) {
      window.softbody.step(1 / 60);
      if (frame % 20 === 0) await window.softbody.settled();
    }
    await window.softbody.settled();
  }, frames);
}

/** Extremes of the body's positions and speeds. */
function extremes(page) {
  return page.evaluate(async () => {
    const positions = await window.softbody.readPositions();
    const velocities = await window.softbody.readVelocities();
    const result = { vertices: positions.length / 3, finite: true, minY: Infinity, maxY: -Infinity, maxSpeed: 0, meanSpeed: 0, meanX: 0, meanY: 0 };
    for (let i = 0; i < positions.length; i += 3) {
      const speed = Math.hypot(velocities[i], velocities[i + 1], velocities[i + 2]);
      if (![positions[i], positions[i + 1], positions[i + 2], speed].every(Number.isFinite)) result.finite = false;
      result.minY = Math.min(result.minY, positions[i + 1]);
      result.maxY = Math.max(result.maxY, positions[i + 1]);
      result.maxSpeed = Math.max(result.maxSpeed, speed);
      result.meanSpeed += (3 * speed) / positions.length;
      result.meanX += (3 * positions[i]) / positions.length;
      result.meanY += (3 * positions[i + 1]) / positions.length;
    }
    return result;
  });
}

/** Drops files on the canvas as a visitor would. */
async function drop(page, paths) {
  const files = paths.map((path) => ({ name: path.slice(path.lastIndexOf("/") + 1), bytes: [...readFileSync(path)] }));
  await page.evaluate((given) => {
    const dataTransfer = new DataTransfer();
    for (const { name, bytes } of given) dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
    const send = (type) => document.getElementById("scene").dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    send("dragover");
    send("drop");
  }, files);
}

const tests = {
  async "the page runs, asks for what it has and nothing else"() {
    server.requests.length = 0;
    await onPage("", async (page) => {
      await waitForState(page, "running");
      await page.waitForFunction(() => document.querySelector("[data-figure=fps]").textContent !== "–");
      assert.equal(await figure(page, "tets"), String(await page.evaluate(() => window.softbody.report().tets)));
      await keep(page, "running");
    });
    assert.deepEqual(server.requests.filter(({ status }) => status !== 200), []);
    const paths = server.requests.map(({ path }) => path.slice(PREFIX.length));
    assert.equal(new Set(paths).size, paths.length, `something is fetched twice: ${paths}`);
    const expected = /^$|^assets\/[\w.-]+\.(js|css|wasm)$|^models\/cube_(positions\.vec3f32bin|tet_indices\.vec4u32bin)$/;
    assert.deepEqual(paths.filter((path) => !expected.test(path)), []);
    assert.equal(paths.filter((path) => path.endsWith(".wasm")).length, 1);
  },

  async "the picture is not blank and moves"() {
    await onPage("?substeps=5&iterations=1", async (page) => {
      await waitForState(page, "running");
      const first = await scene(page);
      assert.ok(colours(first) > 100, `${colours(first)} colours`);
      let most = 0;
      for (let i = 0; i < 10 && most < 0.01; i++) {
        await page.waitForTimeout(200);
        most = Math.max(most, difference(first, await scene(page)));
      }
      assert.ok(most >= 0.01, `at most ${most} of the pixels changed in 2 s`);
    });
  },

  async "paused: nothing moves, one step moves, reset and wireframe show"() {
    await onPage("?paused=1&substeps=5", async (page) => {
      await waitForState(page, "paused");
      const settled = () => page.evaluate(() => window.softbody.settled());
      await settled();
      const before = await scene(page);
      assert.ok(colours(before) > 100);
      await page.waitForTimeout(300);
      assert.equal(difference(before, await scene(page)), 0);

      for (let i = 0; i < 20; i++) await page.getByRole("button", { name: "Single step" }).click();
      await settled();
      assert.equal(await figure(page, "simulated"), "0.33");
      const stepped = await scene(page);
      assert.ok(difference(before, stepped) > 0.005, `${difference(before, stepped)}`);

      await page.getByRole("button", { name: "Reset" }).click();
      await settled();
      assert.equal(await figure(page, "simulated"), "0.00");
      assert.ok(difference(before, await scene(page)) < 0.001);

      await page.getByRole("checkbox", { name: "Wireframe" }).check();
      await settled();
      await page.waitForTimeout(100);
      const wire = await scene(page);
      assert.ok(difference(before, wire) > 0.005, `${difference(before, wire)}`);
      await keep(page, "wireframe");
    });
  },

  async "keys: Space, S, R, H, and the arrows turn the view"() {
    await onPage("?paused=1&substeps=5", async (page) => {
      await waitForState(page, "paused");
      assert.equal(await page.evaluate(() => document.activeElement?.id), "scene");
      const start = await extremes(page);
      await page.keyboard.press("s");
      await page.keyboard.press("s");
      assert.equal(await figure(page, "simulated"), "0.03");
      assert.ok((await extremes(page)).meanY < start.meanY);
      await page.keyboard.press("r");
      assert.equal(await figure(page, "simulated"), "0.00");
      assert.ok(Math.abs((await extremes(page)).meanY - start.meanY) < 1e-6);
      await page.keyboard.press("h");
      assert.ok(await page.locator("#panel").isHidden());
      await page.keyboard.press("h");
      assert.ok(await page.locator("#panel").isVisible());

      const before = await scene(page);
      for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowLeft");
      await page.evaluate(() => window.softbody.settled());
      await page.waitForTimeout(100);
      assert.ok(difference(before, await scene(page)) > 0.005);

      await page.keyboard.press("Space");
      await waitForState(page, "running");
      assert.equal(await page.evaluate(() => window.softbody.running), true);
      await page.keyboard.press("Space");
      await waitForState(page, "paused");
      assert.equal(await page.evaluate(() => window.softbody.running), false);
    });
  },

  async "the address chooses; what it cannot choose is said"() {
    await onPage("?preset=torus&stiffness=soft&paused=1&substeps=7&iterations=3", async (page) => {
      await waitForState(page, "paused");
      assert.equal(await page.evaluate(() => document.documentElement.dataset.preset), "torus");
      const selects = await page.locator("#panel select").evaluateAll((all) => all.map((select) => select.selectedOptions[0].textContent));
      assert.deepEqual(selects, ["Torus", "soft"]);
      const field = (name) => page.getByRole("textbox", { name }).inputValue();
      assert.deepEqual([await field("Substeps"), await field("Iterations"), await field("Young’s modulus")], ["7", "3", "20 kPa"]);
      assert.ok(await page.locator("#toast").isHidden());
    });
    await onPage("?preset=teapot&substeps=0&paused=1", async (page) => {
      await waitForState(page, "paused");
      const told = await page.locator("#toast").innerText();
      assert.match(told, /\?preset=teapot is none of cube, torus, beam/);
      assert.match(told, /\?substeps=0 is no whole number from 1 to 60/);
    });
  },

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
      "?substeps=4&iterations=1",
      async (page) => {
        await waitForState(page, "running");
        await page.evaluate(() => {
          window.heard = [];
          window.softbody.on("error", (error) => window.heard.push(`${error.code}: ${error.message}`));
        });
        const order = [["Torus", "torus"], ["Beam", "beam"], ["Coarse beam, 70 cm", "beam_t42"], ["Cylinder, 10 cm", "cylinder"], ["Cube", "cube"]];
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
    await onPage("?substeps=4&iterations=1", async (page) => {
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

  async "files of the visitor's own are loaded, dropped or picked"() {
    await onPage("?paused=1&substeps=5", async (page) => {
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

  async "the real meshes load with the right figures and stay sound for 600 frames"() {
    const facts = {
      unit_ball: { vertices: 363, tets: 1110, unusedVertices: 1, flippedTets: 0, surfaceTriangles: 602 },
      cylinder: { vertices: 354, tets: 1348, unusedVertices: 0, flippedTets: 0, surfaceTriangles: 440 },
      beam_t42: { vertices: 32, tets: 42, unusedVertices: 0, flippedTets: 42, surfaceTriangles: 88 },
    };
    for (const [name, expected] of Object.entries(facts)) {
      await onPage(`?preset=${name}&paused=1&substeps=10&iterations=2`, async (page) => {
        await waitForState(page, "paused");
        const report = await page.evaluate(() => window.softbody.report());
        assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, report[key]])), expected, name);
        await keep(page, name);
        await simulate(page, 600);
        const end = await extremes(page);
        assert.equal(end.vertices, expected.vertices);
        assert.ok(end.finite, `${name}: not finite`);
        // The unused vertex of the ball is no particle of the body, but it must not be nonsense either.
        assert.ok(end.minY >= -1e-3, `${name}: lowest vertex at ${end.minY}`);
        assert.ok(end.maxY < 3, `${name}: highest vertex at ${end.maxY}`);
      });
    }
  },

  async "the canvas follows the window in device pixels"() {
    await onPage(
      "?paused=1",
      async (page) => {
        await waitForState(page, "paused");
        const size = () => page.evaluate(() => [document.getElementById("scene").width, document.getElementById("scene").height]);
        await page.waitForFunction(() => document.getElementById("scene").width === 1000);
        assert.deepEqual(await size(), [1000, 800]);
        await page.setViewportSize({ width: 640, height: 300 });
        await page.waitForFunction(() => document.getElementById("scene").width === 1280);
        assert.deepEqual(await size(), [1280, 600]);
      },
      { context: { viewport: { width: 500, height: 400 }, deviceScaleFactor: 2 } },
    );
  },

  async "a phone: nothing scrolls sideways, the panel starts closed and opens"() {
    await onPage(
      "?paused=1",
      async (page) => {
        await waitForState(page, "paused");
        const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, document.body.scrollWidth]);
        assert.deepEqual(await widths(), [360, 360]);
        const [card, panel] = [await page.locator("#card").boundingBox(), await page.locator("#panel").boundingBox()];
        assert.ok(card.y + card.height <= panel.y, "the card and the panel overlap");
        assert.ok(panel.height < 80, `the closed panel is ${panel.height} px high`);
        await keep(page, "phone");
        const title = page.getByRole("button", { name: "Controls" });
        await title.tap();
        await page.waitForTimeout(500);
        assert.equal(await title.getAttribute("aria-expanded"), "true");
        const opened = await page.locator("#panel").boundingBox();
        assert.ok(opened.height > 200 && opened.y >= 0 && opened.x >= 0 && opened.x + opened.width <= 360, JSON.stringify(opened));
        assert.deepEqual(await widths(), [360, 360]);
        await keep(page, "phone-panel");
      },
      { context: { viewport: { width: 360, height: 640 }, deviceScaleFactor: 1, hasTouch: true, isMobile: true } },
    );
  },

  async "who prefers less motion starts paused, and may still ask for motion"() {
    const context = { reducedMotion: "reduce" };
    await onPage("", (page) => waitForState(page, "paused"), { context });
    await onPage("?paused=0", (page) => waitForState(page, "running"), { context });
  },

  async "without WebGPU the page says so, why, and what to do"() {
    server.requests.length = 0;
    await onPage(
      "",
      async (page) => {
        await waitForState(page, "unsupported");
        assert.match(await page.locator("#fail").innerText(), /This browser has no WebGPU[\s\S]*Chrome/);
        assert.equal(await page.evaluate(() => document.activeElement?.id), "fail");
        await keep(page, "unsupported");
      },
      { init: [withoutWebGpu] },
    );
    assert.deepEqual(server.requests.filter(({ path }) => /wasm|models/.test(path)), []);
    await onPage(
      "",
      async (page) => {
        await waitForState(page, "unsupported");
        assert.match(await page.locator("#fail").innerText(), /no usable GPU[\s\S]*driver/);
      },
      { init: [withoutAdapter] },
    );
  },
};

const passed = await runTests(tests, process.argv[2]);
await browser.close();
await server.close();
process.exit(passed ? 0 : 1);

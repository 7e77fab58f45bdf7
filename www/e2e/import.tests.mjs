// Tests of other meshes in the page: dropped, picked or named in the address, meshed, reported, and meshed again.
import assert from "node:assert/strict";
import { PNG } from "pngjs";
import { glb, gltf, msh, obj } from "./models.mjs";
import { MODELS, PREFIX, choose, drop, extremes, figure, keep, modelFiles, onPage, server, state, waitForPreset, waitForState } from "./tools.mjs";

const PHONE = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 1, hasTouch: true, isMobile: true };
const file = (name, bytes) => [{ name, bytes: Buffer.from(bytes) }];
/** Waits until a mesh of this name is shown. */
const waitForMesh = (page, name) =>
  page.waitForFunction((wanted) => document.documentElement.dataset.mesh?.startsWith(`${wanted},`), name).catch(async (error) => {
    throw new Error(`no ${name}: ${await page.locator(".message").allInnerTexts()}`, { cause: error });
  });
const mesh = (page) => page.evaluate(() => document.documentElement.dataset.mesh);
const tets = async (page) => Number(await figure(page, "tets"));
const within = (value, wanted, share) => assert.ok(Math.abs(value - wanted) <= share * wanted, `${value}, not ${wanted} ± ${100 * share} %`);
/** The rows of the report's list, by their names. */
const facts = (page) =>
  page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#report dl > div")].map((row) => [...row.children].map((cell) => cell.textContent))));
/** Height of the body as it starts, m. */
async function height(page) {
  const { minY, maxY } = await extremes(page);
  return maxY - minY;
}

/** Init script: writes down what the progress bar shows, as window.progressSeen. */
function watchProgress() {
  window.progressSeen = [];
  addEventListener("DOMContentLoaded", () => {
    const bar = document.getElementById("progress-bar");
    new MutationObserver(() => window.progressSeen.push(bar.getAttribute("aria-valuenow"))).observe(bar, { attributes: true, attributeFilter: ["aria-valuenow"] });
  });
}

export const importTests = {
  async "the mesh module comes with the first mesh that needs it, not with the page"() {
    server.requests.length = 0;
    const fetched = () => server.requests.map(({ path }) => path.slice(PREFIX.length)).filter((path) => /mesh/.test(path));
    await onPage("?preset=cube&paused=1", async (page) => {
      await waitForState(page, "paused");
      await choose(page, "Torus");
      await waitForPreset(page, "torus");
      await drop(page, modelFiles(MODELS, "beam_t42"));
      await waitForPreset(page, "own");
      assert.deepEqual(fetched(), []);
      await drop(page, file("ball.obj", obj()));
      await waitForMesh(page, "ball.obj");
      assert.ok(fetched().some((path) => path.endsWith(".wasm")), `fetched: ${fetched()}`);
      const before = fetched().length;
      await drop(page, file("again.obj", obj()));
      await waitForMesh(page, "again.obj");
      assert.equal(fetched().length, before, "the second mesh fetches nothing");
    });
  },

  async "an OBJ becomes a jelly while the body that was there goes on"() {
    await onPage(
      "?preset=cube&substeps=4&iterations=1",
      async (page) => {
        await waitForState(page, "running");
        await page.evaluate(() => window.softbody.on("frame", () => (window.framesSeen = (window.framesSeen ?? 0) + (document.getElementById("progress").hidden ? 0 : 1))));
        await drop(page, file("ball.obj", obj(0.5, 40)));
        await page.getByRole("progressbar").waitFor();
        assert.ok(await page.getByRole("button", { name: "Cancel" }).isVisible());
        await waitForMesh(page, "ball.obj");
        const seen = (await page.evaluate(() => window.progressSeen)).filter((value) => value !== null).map(Number);
        assert.ok(seen.length >= 3, `progress: ${seen}`);
        assert.deepEqual(seen, [...seen].sort((a, b) => a - b));
        assert.ok((await page.evaluate(() => window.framesSeen)) > 0, "frames while meshing");
        assert.ok(await page.locator("#progress").isHidden());
        assert.match(await page.locator("#notice").innerText(), /ball\.obj \(.*OBJ.*\): 6,240 triangles filled with [\d,]+ tets/);
        within(await tets(page), 5000, 0.1);
        assert.equal(await state(page), "running");
        assert.equal(await page.locator("#panel select").first().inputValue(), "Own files");
        // A ball of half a metre's radius, of 1000 kg/m³.
        within((await page.evaluate(() => window.softbody.report())).mass, 523.6, 0.05);
        await keep(page, "import-obj");
      },
      { init: [watchProgress] },
    );
  },

  async "a GLB is shown with its texture, its own surface and in its own place"() {
    await onPage("?preset=cube&paused=1", async (page) => {
      await waitForState(page, "paused");
      await drop(page, file("ball.glb", glb()));
      await waitForMesh(page, "ball.glb");
      await page.evaluate(() => window.softbody.settled());
      await page.locator("#notice").getByRole("button", { name: "Close" }).click();
      const { data } = PNG.sync.read(await page.screenshot({ clip: { x: 300, y: 40, width: 280, height: 500 } }));
      let [red, blue] = [0, 0];
      for (let i = 0; i < data.length; i += 4) {
        const [r, g, b] = data.subarray(i, i + 3);
        if (r > 1.6 * g && r > 1.6 * b) red += 1;
        if (b > 1.4 * g && b > 1.6 * r) blue += 1;
      }
      assert.ok(red > 1000 && blue > 1000, `${red} red and ${blue} blue pixels`);
      await page.locator("#report summary").click();
      const { Format, Shown } = await facts(page);
      assert.match(Format, /glTF|GLB/);
      assert.equal(Shown, "960 triangles");
      await keep(page, "import-glb");
    });
  },

  async "files that belong together are dropped together; what is missing is named"() {
    await onPage("?preset=cube&paused=1&tets=1000", async (page) => {
      await waitForState(page, "paused");
      const files = gltf();
      await drop(page, files.slice(2));
      await page.waitForFunction(() => /ball\.gltf needs "(chequers\.png|ball data\.bin)"/.test(document.getElementById("toast").innerText));
      await drop(page, files);
      await waitForMesh(page, "ball.gltf");
      assert.ok(await page.locator("#toast").isHidden());
      await page.locator("#report summary").click();
      assert.equal((await facts(page)).Shown, "960 triangles");
      await drop(page, [
        { name: "tet.ele", bytes: Buffer.from("1 4 0\n1 1 2 3 4\n") },
        { name: "tet.node", bytes: Buffer.from("4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n") },
      ]);
      await waitForMesh(page, "tet.node");
      assert.equal(await mesh(page), "tet.node, 1 tets");
    });
  },

  async "a volume mesh keeps its tets, and the report names what was mended"() {
    await onPage("?preset=cube&paused=1", async (page) => {
      await waitForState(page, "paused");
      await drop(page, file("cube.msh", msh()));
      await waitForMesh(page, "cube.msh");
      assert.equal(await mesh(page), "cube.msh, 48 tets");
      assert.ok(await page.getByRole("textbox", { name: "Tets" }).isDisabled());
      assert.equal(await page.getByRole("textbox", { name: "Tets" }).inputValue(), "–");
      assert.match(await page.locator("#why-no-resolution").innerText(), /volume mesh keeps the tets of its file/);
      const badge = page.locator("#report-badge");
      assert.match(await badge.innerText(), /^[1-9]$/);
      await page.locator("#report summary").press("Enter");
      const shown = await facts(page);
      assert.match(shown.Format, /Gmsh/);
      assert.deepEqual([shown.Vertices, shown.Tets, shown.Surface, shown.Size, shown.Volume, shown.Mass], ["27", "48", "48 triangles", "1 × 1 × 1 m", "1 m³", "1 t"]);
      const finding = page.locator(".findings li", { hasText: "flipped-tets" });
      assert.match(await finding.innerText(), /× 1[\s\S]*mended/);
      // Kuhn's tets have dihedral angles of 45°, 60° and 90°.
      assert.match(await page.locator(".angles").innerText(), /45\.0° to 90\.0°/);
      const bars = await page.locator(".bars span").evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().height > 0));
      assert.equal(bars.length, 18);
      assert.equal(bars.filter(Boolean).length, 3);
      await keep(page, "import-report");
    });
  },

  async "a preset is examined when its report is opened"() {
    await onPage("?preset=torus&paused=1", async (page) => {
      await waitForState(page, "paused");
      await page.getByRole("button", { name: "Imported mesh" }).click();
      assert.match(await page.locator("#why-no-resolution").innerText(), /preset has its tets/);
      assert.ok(await page.getByRole("textbox", { name: "Tets" }).isDisabled());
      await page.locator("#report summary").click();
      await page.locator(".bars").waitFor();
      const report = await page.evaluate(() => window.softbody.report());
      const shown = await facts(page);
      assert.equal(shown.Tets, report.tets.toLocaleString("en"));
      assert.equal(shown.Vertices, report.vertices.toLocaleString("en"));
      assert.match(await page.locator(".angles").innerText(), /\d+\.\d° to \d+\.\d°/);
      assert.match(await page.locator("#report-content").innerText(), /Nothing to object to/);
    });
  },

  async "broken and unknown files say where and why, and the body goes on"() {
    await onPage("?preset=cube&substeps=4&iterations=1", async (page) => {
      await waitForState(page, "running");
      const before = await mesh(page);
      for (const [name, bytes, message] of [
        ["broken.obj", "v 0 0 0\nv 1 0 0\nv 0 1 zero\nf 1 2 3\n", /broken\.obj.*line 3.*zero/s],
        ["short.msh", msh().subarray(0, 500), /short\.msh.*line \d+/s],
        ["notes.txt", "Dear diary, this is no mesh.\n", /notes\.txt/],
        ["empty.glb", "", /empty\.glb/],
      ]) {
        await drop(page, file(name, bytes));
        await page.waitForFunction((source) => new RegExp(source, "s").test(document.getElementById("toast").innerText), message.source).catch(async () => {
          throw new Error(`${name}: ${await page.locator(".message").allInnerTexts()}`);
        });
        if (name === "broken.obj") await keep(page, "import-broken");
        await page.keyboard.press("Escape");
        assert.ok(await page.locator("#toast").isHidden(), name);
        assert.ok(await page.locator("#progress").isHidden(), name);
      }
      assert.equal(await mesh(page), before);
      assert.equal(await state(page), "running");
    });
  },

  async "a surface with map coordinates is meshed in the middle, and no old error stands beside its progress"() {
    await onPage("?preset=cube&tets=1000&paused=1", async (page) => {
      await waitForState(page, "paused");
      await drop(page, file("broken.obj", "v 0 0 zero\n"));
      await page.locator("#toast").waitFor();
      const far = obj(0.5, 20).toString().replace(/^v (\S+)/gm, (_, x) => `v ${Number(x) + 5000}`);
      await drop(page, file("far.obj", far));
      assert.ok(await page.locator("#toast").isHidden());
      await waitForMesh(page, "far.obj");
      within(await tets(page), 1000, 0.1);
      const { meanX } = await extremes(page);
      assert.ok(Math.abs(meanX) < 0.05, `${meanX} m off the middle`);
    });
  },

  async "the cancel button and Escape end an import, and the next one works"() {
    await onPage("?preset=cube&tets=50000&paused=1", async (page) => {
      await waitForState(page, "paused");
      const before = await mesh(page);
      // Playwright would wait until the bar stands still.
      const cancel = () => page.getByRole("button", { name: "Cancel" }).click({ force: true });
      for (const end of [cancel, () => page.keyboard.press("Escape")]) {
        await drop(page, file("ball.obj", obj(0.5, 60)));
        await page.waitForFunction(() => Number(document.getElementById("progress-bar").getAttribute("aria-valuenow")) > 0);
        const began = Date.now();
        await end();
        await page.locator("#progress").waitFor({ state: "hidden" });
        assert.ok(Date.now() - began < 2000, `${Date.now() - began} ms to cancel`);
        assert.match(await page.locator("#notice").innerText(), /Cancelled/);
        assert.equal(await mesh(page), before);
        assert.ok(await page.locator("#toast").isHidden());
      }
      await drop(page, file("cube.msh", msh()));
      await waitForMesh(page, "cube.msh");
    });
  },

  async "the slider meshes the same surface again: by keys, by pointer, and the last wish wins"() {
    await onPage("?preset=cube&tets=1000&paused=1", async (page) => {
      await waitForState(page, "paused");
      await drop(page, file("ball.obj", obj()));
      await waitForMesh(page, "ball.obj");
      within(await tets(page), 1000, 0.1);
      const field = page.getByRole("textbox", { name: "Tets" });
      assert.equal(await field.inputValue(), "1,000");
      const settledAt = async (wanted) => {
        await page.waitForFunction((wanted) => Math.abs(Number(document.querySelector("[data-figure=tets]").textContent.replace(",", "")) / wanted - 1) < 0.1, wanted);
        await page.locator("#progress").waitFor({ state: "hidden" });
      };
      await field.focus();
      for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowUp");
      assert.equal(await field.inputValue(), "2,000");
      await settledAt(2000);

      const slider = await page.locator(".lil-has-slider", { hasText: "Tets" }).locator(".lil-slider").boundingBox();
      const at = (share) => [slider.x + share * slider.width, slider.y + slider.height / 2];
      await page.mouse.move(...at(0.3));
      await page.mouse.down();
      await page.mouse.move(...at(0.95), { steps: 3 });
      const during = await tets(page);
      assert.ok(await page.locator("#progress").isHidden(), "nothing happens while the slider is held");
      within(during, 2000, 0.1);
      await page.mouse.up();
      await page.getByRole("progressbar").waitFor();
      // While these many are on their way, few are asked for.
      await page.mouse.click(...at(0.15));
      const few = Number((await field.inputValue()).replace(",", ""));
      assert.ok(few >= 800 && few < 1200, `${few} tets`);
      await settledAt(few);
      await page.mouse.click(...at(0));
      assert.equal(await field.inputValue(), "500");
      assert.ok(await page.locator("#toast").isHidden());
    });
  },

  async "a model of another unit is shown at one metre and says so; size and up can be chosen"() {
    await onPage("?preset=cube&tets=500&paused=1", async (page) => {
      await waitForState(page, "paused");
      // 150 "metres" high, half as wide.
      const tall = obj(75, 12).toString().replace(/^v (\S+) (\S+) (\S+)$/gm, (_, x, y, z) => `v ${x / 2} ${y} ${z / 2}`);
      await drop(page, file("tall.obj", tall));
      await waitForMesh(page, "tall.obj");
      assert.match(await page.locator("#notice").innerText(), /longest side is 150 in the file and 1 m here/);
      within(await height(page), 1, 0.05);
      assert.ok((await extremes(page)).minY > 0.1, "it starts above the floor");
      const report = page.locator("#report-content");
      assert.doesNotMatch(await report.textContent(), /suspicious-scale/, "the report is of the size that is shown");
      const size = page.locator("#panel select").nth(1);
      const up = page.locator("#panel select").nth(2);
      await up.selectOption({ label: "Z" });
      await page.waitForFunction(() => document.getElementById("progress").hidden);
      await page.waitForTimeout(500);
      within(await height(page), 0.5, 0.05);
      await size.selectOption({ label: "1.5 m (file in cm)" });
      await page.waitForTimeout(500);
      within(await height(page), 0.75, 0.05);
      assert.match(await page.locator("#notice").innerText(), /tall\.obj/);
      await size.selectOption({ label: "150 m (file in m)" });
      await page.waitForTimeout(500);
      assert.match(await report.textContent(), /suspicious-scale/);
    });
  },

  async "the address names a model and the number of tets"() {
    const serveModel = (page) => page.route("**/ball.obj", (route) => route.fulfill({ body: obj() }));
    await onPage(
      "?model=models/ball.obj&tets=2000&paused=1",
      async (page) => {
        await waitForMesh(page, "ball.obj");
        within(await tets(page), 2000, 0.1);
      },
      { prepare: serveModel },
    );
    await onPage(
      "?model=gone.glb&tets=20&paused=1",
      async (page) => {
        await page.waitForFunction(() => /gone\.glb answered 404/.test(document.getElementById("toast").innerText));
        assert.equal(await state(page), "paused");
        assert.notEqual(await page.evaluate(() => document.documentElement.dataset.preset), "own");
      },
      { expected: /status of 404/ },
    );
  },

  async "what was left out or missed is said, and a wish that nobody had is not"() {
    await onPage("?preset=cube&paused=1&tets=1000", async (page) => {
      await waitForState(page, "paused");
      const badge = page.locator("#report-badge");
      const report = page.locator("#report-content");
      await drop(page, file("white.obj", `mtllib gone.mtl\nusemtl red\n${obj(0.5, 20)}`));
      await waitForMesh(page, "white.obj");
      assert.match(await page.locator("#notice").innerText(), /Note: .*"gone\.mtl"/);
      assert.equal(await badge.textContent(), "1");
      assert.equal(await badge.getAttribute("title"), "0 findings, 1 note");
      assert.match(await report.textContent(), /gone\.mtl/);
      await drop(page, file("cube.msh", msh()));
      await waitForMesh(page, "cube.msh");
      assert.doesNotMatch(await report.textContent(), /resolution|taken as they are/);
      assert.doesNotMatch(await page.locator("#notice").innerText(), /Note/);
      assert.match(await badge.getAttribute("title"), /, 0 notes$/);
    });
  },

  async "a phone: messages, report and controls fit and give each other room"() {
    await onPage(
      "?preset=cube&paused=1&tets=1000",
      async (page) => {
        await waitForState(page, "paused");
        const fits = async (what) => {
          const found = await page.evaluate(() => {
            const boxes = [...document.querySelectorAll("#card, #panel, .message:not([hidden])")].map((box) => ({ id: box.id, ...box.getBoundingClientRect().toJSON() }));
            return { wide: document.documentElement.scrollWidth, boxes };
          });
          assert.equal(found.wide, 360, what);
          for (const box of found.boxes) {
            assert.ok(box.left >= 0 && box.right <= 360 && box.top >= 0 && box.bottom <= 640, `${what}: ${JSON.stringify(box)}`);
            for (const other of found.boxes) assert.ok(other === box || other.top >= box.bottom || box.top >= other.bottom, `${what}: ${box.id} lies over ${other.id}`);
          }
        };
        await drop(page, file("a-rather-long-name-of-a-model-that-somebody-exported.obj", obj()));
        await page.getByRole("progressbar").waitFor();
        await fits("while it meshes");
        await keep(page, "phone-progress");
        await page.locator("#notice").waitFor();
        await fits("with the notice");
        await keep(page, "phone-notice");
        await page.locator("#notice").getByRole("button", { name: "Close" }).tap();
        const controls = page.getByRole("button", { name: "Controls" });
        await controls.tap();
        await page.waitForTimeout(500);
        await fits("with the controls");
        await page.locator("#report summary").tap();
        await page.waitForTimeout(500);
        assert.equal(await controls.getAttribute("aria-expanded"), "false");
        await fits("with the report");
        await keep(page, "phone-report");
        await controls.tap();
        await page.waitForTimeout(500);
        assert.equal(await page.locator("#report").getAttribute("open"), null);
        await fits("with the controls again");
      },
      { context: PHONE },
    );
  },
};

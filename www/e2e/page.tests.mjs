// Tests of the page itself: what it fetches, shows, and lets the visitor do.
import assert from "node:assert/strict";
import { withoutAdapter, withoutWebGpu } from "./browser.mjs";
import { obj } from "./models.mjs";
import { colours, difference } from "./picture.mjs";
import { PREFIX, choose, drop, extremes, figure, keep, onPage, scene, server, waitForState } from "./tools.mjs";

export const pageTests = {
  async "the page runs, asks for what it has and nothing else"() {
    server.requests.length = 0;
    await onPage("", async (page) => {
      await waitForState(page, "running");
      await page.waitForFunction(() => document.querySelector("[data-figure=fps]").textContent !== "–");
      assert.equal(await figure(page, "tets"), String(await page.evaluate(() => window.softbody.report().tets)));
      assert.equal(await page.locator("#panel select").first().inputValue(), "Stanford bunny");
      assert.match(await page.locator("#credit").innerText(), /Stanford Computer Graphics Laboratory/);
      await keep(page, "running");
    });
    assert.deepEqual(server.requests.filter(({ status }) => status !== 200), []);
    const paths = server.requests.map(({ path }) => path.slice(PREFIX.length));
    assert.equal(new Set(paths).size, paths.length, `something is fetched twice: ${paths}`);
    const expected = /^$|^assets\/[\w.-]+\.(js|css|wasm)$|^models\/bunny_((surface_)?positions\.vec3f32bin|tet_indices\.vec4u32bin|surface_triangles\.vec3u16bin)$/;
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
    await onPage("?preset=cube&paused=1&substeps=5", async (page) => {
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
    await onPage("?preset=cube&paused=1&substeps=5", async (page) => {
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

  async "pointer and wheel turn, move and zoom the view, also while paused"() {
    await onPage("?preset=cube&paused=1&substeps=5", async (page) => {
      await waitForState(page, "paused");
      await page.evaluate(() => window.softbody.settled());
      const changed = async (what, gesture) => {
        const before = await scene(page);
        await gesture();
        await page.evaluate(() => window.softbody.settled());
        await page.waitForTimeout(100);
        const share = difference(before, await scene(page));
        assert.ok(share > 0.005, `${what} changed ${share} of the pixels`);
      };
      // From beside the cube, which the left button would take hold of.
      const drag = async (button) => {
        await page.mouse.move(320, 60);
        await page.mouse.down({ button });
        await page.mouse.move(400, 120, { steps: 4 });
        await page.mouse.up({ button });
      };
      await changed("the left button", () => drag("left"));
      await changed("the right button", () => drag("right"));
      await changed("the wheel", () => page.mouse.wheel(0, -300));
    });
  },

  async "the address chooses; what it cannot choose is said"() {
    await onPage("?preset=torus&stiffness=soft&paused=1&scheme=xpbd&substeps=7&iterations=3", async (page) => {
      await waitForState(page, "paused");
      assert.equal(await page.evaluate(() => document.documentElement.dataset.preset), "torus");
      const chosen = (name) => page.getByRole("combobox", { name }).evaluate((select) => select.selectedOptions[0].textContent);
      assert.deepEqual([await chosen("Scene"), await chosen("Stiffness"), await chosen("Solver")], ["Torus", "soft", "XPBD"]);
      const field = (name) => page.getByRole("textbox", { name }).inputValue();
      assert.deepEqual([await field("Substeps"), await field("Iterations"), await field("Young’s modulus")], ["7", "3", "50 kPa"]);
      assert.ok(await page.locator("#toast").isHidden());
    });
    await onPage("?preset=teapot&substeps=0&iterations=x&scheme=fem&paused=1", async (page) => {
      await waitForState(page, "paused");
      const told = await page.locator("#toast").innerText();
      assert.match(told, /\?preset=teapot is none of bunny, hand, cube/);
      assert.match(told, /\?substeps=0 is neither auto nor a whole number from 1 to 100/);
      assert.match(told, /\?iterations=x is no whole number from 1 to 20/);
      assert.match(told, /\?scheme=fem is none of explicit, xpbd/);
    });
  },

  async "the solver and its substeps are chosen in the panel, by keys too, and the page says what they mean"() {
    await onPage("?preset=cube&paused=1", async (page) => {
      await waitForState(page, "paused");
      const substeps = page.getByRole("textbox", { name: "Substeps" });
      const about = page.locator("#about-solver");
      const solver = page.getByRole("combobox", { name: "Solver" });
      assert.match(await substeps.inputValue(), /^auto/);
      assert.ok(await page.getByRole("textbox", { name: "Iterations" }).isDisabled());
      assert.equal(await solver.inputValue(), "Explicit");

      await solver.selectOption("XPBD");
      assert.equal(await substeps.inputValue(), "auto, 20");
      assert.match(await about.innerText(), /more substeps and iterations XPBD needs/);
      assert.ok(await page.getByRole("textbox", { name: "Iterations" }).isEnabled());
      assert.equal(await figure(page, "substeps"), "20");

      await substeps.focus();
      for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowUp");
      assert.equal(await substeps.inputValue(), "3");
      assert.equal(await figure(page, "substeps"), "3");
      const counted = await page.evaluate(async () => {
        const seen = new Promise((resolve) => {
          const off = window.softbody.on("frame", (stats) => {
            off();
            resolve(stats.substeps);
          });
        });
        window.softbody.start();
        const substeps = await seen;
        window.softbody.stop();
        return substeps;
      });
      assert.equal(counted, 3);
      await page.keyboard.press("PageDown");
      assert.equal(await substeps.inputValue(), "auto, 20");
      await keep(page, "solver");
    });
  },

  async "motion that is slowed is said in plain words, in the panel, on the card and in the report"() {
    // What a body reports that is too stiff and fine for its substeps, and one that is not.
    const slowed = () => {
      const told = window.softbody.report;
      window.slow = true;
      Object.getPrototypeOf(window.softbody).report = function () {
        const report = told.call(this);
        const message = "the mesh is too stiff and fine for 96 substeps per frame";
        report.dynamics = window.slow ? { substeps: 96, r: 2.853, slowestScaledHz: 85 } : { substeps: 14, r: 1.42 };
        report.findings = window.slow ? [{ code: "scaled-dynamics", count: 1, examples: [], mended: false, message }] : [];
        return report;
      };
    };
    await onPage("?preset=cube&paused=1", async (page) => {
      await waitForState(page, "paused");
      await page.evaluate(slowed);
      const modulus = page.getByRole("textbox", { name: "Young’s modulus" });
      await modulus.press("ArrowUp");
      assert.match(await page.locator("#about-solver").innerText(), /^The mesh is too stiff and fine for 96 substeps per frame\.$/);
      assert.equal(await figure(page, "substeps"), "96 (r 2.85)");
      assert.equal(await page.getByRole("textbox", { name: "Substeps" }).inputValue(), "auto, 96");
      assert.equal(await page.locator("#report-badge").innerText(), "1");
      await page.locator("#report summary").click();
      assert.match(await page.locator("#report-content").innerText(), /scaled-dynamics[\s\S]*96 substeps/);
      await keep(page, "slowed");
      await page.evaluate(() => (window.slow = false));
      await modulus.press("ArrowDown");
      assert.match(await page.locator("#about-solver").innerText(), /^r = 1\.42: up to 1\.5 every vibration/);
      assert.equal(await figure(page, "substeps"), "14 (r 1.42)");
      assert.equal(await page.locator("#report-badge").innerText(), "");
    });
  },

  async "the canvas follows the window in device pixels"() {
    await onPage(
      "?preset=cube&paused=1",
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

  async "a reset counts dropped time from zero"() {
    await onPage("?preset=cube&substeps=1&iterations=1", async (page) => {
      await waitForState(page, "running");
      const dropped = async () => Number(await figure(page, "dropped"));
      await page.waitForFunction(() => document.querySelector("[data-figure=fps]").textContent !== "–");
      await page.evaluate(() => {
        for (const end = performance.now() + 3000; performance.now() < end; ) continue;
      });
      await page.waitForFunction(() => Number(document.querySelector("[data-figure=dropped]").textContent) >= 2);
      await page.evaluate(() => document.querySelector("[data-figure=dropped]").replaceChildren("reset?"));
      await page.keyboard.press("r");
      assert.equal(await figure(page, "dropped"), "0.0");
      await page.waitForFunction(() => Number(document.querySelector("[data-figure=simulated]").textContent) > 0);
      assert.ok((await dropped()) < 2, `${await dropped()} s`);
    });
  },

  async "letters have a contrast of 4.5 to 1 over a white scene, and labels are not cut"() {
    await onPage(
      "?preset=beam_t42&paused=1",
      async (page) => {
        await waitForState(page, "paused");
        await page.addStyleTag({ content: "#scene { visibility: hidden } html, body { background: white !important }" });
        const found = await page.evaluate(() => {
          const parse = (colour) => {
            const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
            return [r, g, b, a];
          };
          const over = ([r, g, b, a], below) => [r, g, b].map((part, i) => a * part + (1 - a) * below[i]);
          const behind = (element) => {
            const below = element.parentElement ? behind(element.parentElement) : [255, 255, 255];
            return over(parse(getComputedStyle(element).backgroundColor), below);
          };
          const light = (colour) => {
            const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
          };
          const contrast = (element) => {
            const back = behind(element);
            const [one, other] = [light(back), light(over(parse(getComputedStyle(element).color), back))];
            return Math.max(one, other) / Math.min(one, other);
          };
          const of = (what, element) => [what, contrast(element)];
          const field = [...document.querySelectorAll("#panel input[type=text]")].find((input) => !input.disabled);
          const ratios = [...document.querySelectorAll(".keys, kbd, #card dt, #card dd, #card summary, .lead, #panel button, #panel .lil-name, #panel .lil-display")]
            .filter((element) => !element.closest(".lil-disabled"))
            .map((element) => of(element.className || element.tagName, element));
          ratios.push(of("field", field));
          field.focus();
          ratios.push(of("field with focus", field));
          const select = document.querySelector("#panel select");
          const shown = select.parentElement.querySelector(".lil-display");
          const cut = [...select.options].map(({ label }) => label).filter((label) => {
            shown.textContent = label;
            return shown.scrollHeight > shown.clientHeight || shown.scrollWidth > shown.clientWidth;
          });
          return { ratios, cut };
        });
        assert.ok(found.ratios.length > 20);
        assert.deepEqual(found.ratios.filter(([, ratio]) => !(ratio >= 4.5)), []);
        assert.deepEqual(found.cut, []);
      },
      { context: { viewport: { width: 1280, height: 800 } } },
    );
  },

  async "a phone: nothing scrolls sideways, the panel starts closed and opens"() {
    await onPage(
      "?preset=cube&paused=1",
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

  async "a message lies over neither the card nor the open controls"() {
    for (const [width, height] of [[360, 740], [740, 360], [360, 640], [900, 600], [1280, 800]]) {
      await onPage(
        "?preset=cube&paused=1&tets=500",
        async (page) => {
          await waitForState(page, "paused");
          const controls = page.getByRole("button", { name: "Controls" });
          const small = width <= 640 || height <= 480;
          assert.equal(await controls.getAttribute("aria-expanded"), String(!small), `${width} × ${height}`);
          if (small) await controls.click();
          await page.waitForTimeout(500);
          const name = "a-rather-long-name-of-a-model-that-somebody-exported.obj";
          await drop(page, [{ name, bytes: Buffer.from(`mtllib gone.mtl\nusemtl red\n${obj(0.5, 12)}`) }]);
          await page.locator("#notice").waitFor();
          await page.waitForTimeout(500);
          const [card, panel, notice] = await page.evaluate(() => ["card", "panel", "notice"].map((id) => document.getElementById(id).getBoundingClientRect().toJSON()));
          const apart = (one, other) => one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
          const boxes = `${width} × ${height}: ${JSON.stringify({ card, panel, notice })}`;
          assert.ok(apart(notice, panel) && apart(notice, card) && apart(card, panel), boxes);
          for (const box of [card, panel, notice]) assert.ok(box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height, boxes);
          assert.ok(panel.height > 200 && notice.height > 60, boxes);
          await keep(page, `message-${width}`);
        },
        { context: { viewport: { width, height } } },
      );
    }
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

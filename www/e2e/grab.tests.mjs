// Bodies in visitors' hands: pulled by mouse, fingers and keys, and let go whatever happens.
import assert from "node:assert/strict";
import { onCube, tools } from "./hands.tests.mjs";
import { keep, onPage, simulate, waitForState } from "./tools.mjs";

/** Writes down the events of a body on the page. */
function listen(name) {
  const heard = [];
  for (const event of ["grab", "release", "error"]) window[name].on(event, (data) => heard.push([event, data.code ?? data]));
  window[`${name}Heard`] = heard;
}
const heard = (page, name = "other") => page.evaluate((name) => window[`${name}Heard`].splice(0), name);
const waitForEvents = (page, count, name = "other") => page.waitForFunction(([name, count]) => window[`${name}Heard`].length >= count, [name, count]);
const cursor = (page) => page.evaluate(() => document.getElementById("scene").style.cursor);

/** Seen from the front, three metres away: a pixel at a depth is so many metres. */
const FRONT = { position: [0, 0.5, 3], target: [0, 0.5, 0], fovYDegrees: 40 };
const pixelAt = (depth, height) => (2 * Math.tan(Math.PI / 9) * depth) / height;

/** Distances between some vertices, which no rigid motion changes. */
const shape = (page) =>
  page.evaluate(async () => {
    const x = await window.softbody.readPositions();
    const chosen = Array.from({ length: 40 }, (_, i) => 3 * Math.floor((i * x.length) / 3 / 40));
    return chosen.flatMap((a, i) => chosen.slice(0, i).map((b) => Math.hypot(x[a] - x[b], x[a + 1] - x[b + 1], x[a + 2] - x[b + 2])));
  });
const rms = (a, b) => Math.sqrt(a.reduce((sum, distance, i) => sum + (distance - b[i]) ** 2, 0) / a.length);

export const grabTests = {
  async "a pointer drags the bunny's ear: it follows, and the body returns to its shape when let go"() {
    await onPage("?preset=bunny&paused=1&substeps=10", async (page) => {
      await waitForState(page, "paused");
      await page.evaluate(async (camera) => {
        const mesh = { positions: "models/bunny_positions.vec3f32bin", tets: "models/bunny_tet_indices.vec4u32bin" };
        await window.softbody.load(mesh, { dropToFloor: true, material: { youngsModulus: 5e4, damping: 8 }, camera });
      }, FRONT);
      const rest = await shape(page);
      await page.evaluate(listen, "softbody");
      // The highest vertex that can be seen.
      const ear = await page.evaluate(async () => {
        const { clientWidth, clientHeight } = document.getElementById("scene");
        const positions = await window.softbody.readPositions();
        const vertices = Array.from({ length: positions.length / 3 }, (_, v) => [...positions.subarray(3 * v, 3 * v + 3)]).sort((a, b) => b[1] - a[1]);
        for (const [x, y, z] of vertices.slice(0, 60)) {
          const scale = clientHeight / 2 / Math.tan(Math.PI / 9) / (3 - z);
          const [px, py] = [Math.round(clientWidth / 2 + x * scale), Math.round(clientHeight / 2 - (y - 0.5) * scale)];
          const hit = await window.softbody.pick(px, py);
          if (hit && Math.hypot(hit.point[0] - x, hit.point[1] - y, hit.point[2] - z) < 0.05) return { x: px, y: py, hit, height: clientHeight };
        }
        throw new Error("no ear is to be seen");
      });
      assert.ok(ear.hit.point[1] > 0.7, `the ear is at ${ear.hit.point}`);
      await page.mouse.move(ear.x, ear.y);
      await page.mouse.down();
      await waitForEvents(page, 1, "softbody");
      assert.deepEqual(await heard(page, "softbody"), [["grab", { body: 0, vertex: ear.hit.vertex }]]);
      assert.equal(await cursor(page), "grabbing");
      const [dx, dy] = [70, -50];
      await page.mouse.move(ear.x + dx, ear.y + dy, { steps: 5 });
      await simulate(page, 20);
      await page.evaluate(() => window.softbody.render());
      await keep(page, "bunny-ear");
      const at = await page.evaluate(async (vertex) => [...(await window.softbody.readPositions()).subarray(3 * vertex, 3 * vertex + 3)], ear.hit.vertex);
      // Where the vertex was beside the grabbed point, it may be turned by.
      const pixel = pixelAt(3 - ear.hit.point[2], ear.height);
      const target = [ear.hit.point[0] + dx * pixel, ear.hit.point[1] - dy * pixel, ear.hit.point[2]];
      const off = Math.hypot(...target.map((number, axis) => number - at[axis]));
      const way = Math.hypot(dx, dy) * pixel;
      console.log(`      ear: pulled ${way.toFixed(3)} m, the vertex is ${off.toFixed(3)} m from the pointer`);
      assert.ok(way > 0.2 && off < 0.12, `${off} m from the pointer after a way of ${way} m`);
      const stretched = rms(await shape(page), rest);
      await page.mouse.up();
      assert.deepEqual(await heard(page, "softbody"), [["release", { body: 0 }]]);
      assert.notEqual(await cursor(page), "grabbing");
      // Without its weight, which bends it otherwise when it lies on another side.
      await page.evaluate(() => window.softbody.setGravity([0, 0, 0]));
      await simulate(page, 50);
      const left = rms(await shape(page), rest);
      console.log(`      shape: ${stretched.toFixed(4)} m while pulled, ${left.toFixed(4)} m after it`);
      assert.ok(stretched > 0.01 && left < 0.01 && left < stretched / 4, `${stretched} m, then ${left} m`);
    });
  },

  async "a pointer pulls the curtain by its corner: it follows, and hangs again when let go"() {
    await onCube(async (page) => {
      // A curtain of a metre, seen from the front; the lower right corner is two pixels beyond (220, 180).
      await page.evaluate(async () => {
        const { other } = window;
        const pinned = Uint32Array.from({ length: 12 }, (_, i) => i);
        await other.loadCloth({ grid: { columns: 12, rows: 12, spacing: 1 / 11 } }, { pinned, material: { damping: 4 }, transform: { translation: [0, -0.5, 0] } });
        other.setGravity([0, -9.81, 0]);
        // A sheet that is flat to the last bit would not know to which side to buckle.
        other.setWind([0, 0, 1]);
        other.setSolver({ substeps: 12 });
        other.step(3);
      });
      await page.evaluate(listen, "other");
      const corner = () => page.evaluate(async () => [...(await window.other.readPositions()).subarray(3 * 143)]);
      const rest = await corner();
      const pixel = pixelAt(3 - rest[2], 240);
      const [x, y] = [Math.floor(160 + rest[0] / pixel) - 1, Math.floor(120 - rest[1] / pixel) - 1];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await waitForEvents(page, 1);
      assert.deepEqual(await heard(page), [["grab", { body: 0, vertex: 143 }]]);
      await page.mouse.move(x - 30, y - 25, { steps: 4 });
      await page.evaluate(() => window.other.step(1));
      const pulled = await corner();
      const target = [rest[0] - 30 * pixel, rest[1] + 25 * pixel, rest[2]];
      const off = Math.hypot(...target.map((number, axis) => number - pulled[axis]));
      console.log(`      corner: ${off.toFixed(3)} m from the pointer after a way of ${(Math.hypot(30, 25) * pixel).toFixed(3)} m`);
      assert.ok(off < 0.1, `${pulled} instead of ${target}`);
      await page.mouse.up();
      assert.deepEqual(await heard(page), [["release", { body: 0 }]]);
      await page.evaluate(() => window.other.step(3));
      const back = await corner();
      const left = Math.hypot(...rest.map((number, axis) => number - back[axis]));
      assert.ok(left < 0.03, `${back} instead of ${rest}`);
    });
  },

  async "the background still turns the camera, and a body on the move is held while the page runs"() {
    await onCube(async (page) => {
      await page.evaluate(listen, "other");
      const middle = () => page.evaluate(async () => (await window.other.pick(160, 120)).distance);
      const before = await middle();
      await page.mouse.move(20, 20);
      await page.mouse.down();
      await page.mouse.move(80, 40, { steps: 4 });
      await page.mouse.up();
      await page.waitForFunction(async (before) => Math.abs((await window.other.pick(160, 120)).distance - before) > 0.01, before);
      assert.deepEqual(await heard(page), []);
      await page.evaluate(() => window.other.setCamera({ position: [0, 0, 3], target: [0, 0, 0] }));
      await page.evaluate(() => window.other.start());
      await page.mouse.move(160, 120);
      await page.mouse.down();
      await waitForEvents(page, 1);
      await page.mouse.move(200, 120, { steps: 3 });
      await page.waitForFunction(async () => {
        const x = await window.other.readPositions();
        let middle = 0;
        for (let i = 0; i < x.length; i += 3) middle += (3 * x[i]) / x.length;
        return middle > 0.2;
      });
      // Far outside the canvas, where it is captured.
      await page.mouse.move(700, 500);
      await page.mouse.up();
      await waitForEvents(page, 2);
      assert.deepEqual((await heard(page)).map(([event]) => event), ["grab", "release"]);
      await page.evaluate(() => window.other.stop());
    });
  },

  async "two fingers zoom on the background and hold two points of the body"() {
    await onPage("?preset=cube&paused=1", async (page) => {
      await waitForState(page, "paused");
      await page.evaluate((camera) => window.softbody.setCamera({ ...camera, position: [0, 1.8, 4], target: [0, 1.8, 0] }), FRONT);
      await page.evaluate(listen, "softbody");
      const session = await page.context().newCDPSession(page);
      const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
      const distance = () => page.evaluate(async () => (await window.softbody.pick(450, 300)).distance);
      const before = await distance();
      await touch("touchStart", [330, 60]);
      await page.waitForTimeout(300);
      await touch("touchStart", [330, 60], [560, 60]);
      for (const step of [10, 20, 30]) await touch("touchMove", [330 - step, 60], [560 + step, 60]);
      await touch("touchEnd");
      await page.waitForFunction(async (before) => (await window.softbody.pick(450, 300)).distance < 0.9 * before, before);
      assert.deepEqual(await heard(page, "softbody"), []);
      await touch("touchStart", [440, 300]);
      await waitForEvents(page, 1, "softbody");
      await touch("touchStart", [440, 300], [470, 310]);
      await waitForEvents(page, 2, "softbody");
      const near = await distance();
      await touch("touchMove", [420, 300], [490, 310]);
      await page.waitForTimeout(100);
      assert.equal(await distance(), near, "fingers that hold something do not zoom");
      await touch("touchCancel");
      await waitForEvents(page, 4, "softbody");
      assert.deepEqual((await heard(page, "softbody")).map(([event]) => event), ["grab", "grab", "release", "release"]);
    }, { context: { hasTouch: true } });
  },

  async "with the keyboard G holds what is near the middle, arrows pull it, Escape lets go"() {
    await onCube(async (page) => {
      await page.evaluate(listen, "other");
      // Beside the middle: the cube ends 96 pixels from it.
      await page.evaluate(() => window.other.setCamera({ position: [0.75, 0, 3], target: [0.75, 0, 0] }));
      assert.equal(await page.evaluate(() => window.other.pick(160, 120)), null);
      await page.evaluate(() => document.getElementById("other").focus());
      const height = () => page.evaluate(async () => (await window.other.readPositions()).reduce((sum, number, i) => (i % 3 === 1 ? sum + number : sum), 0));
      const before = await height();
      await page.keyboard.press("g");
      await waitForEvents(page, 1);
      for (let i = 0; i < 8; i++) await page.keyboard.press("ArrowUp");
      await page.evaluate(() => window.other.step(0.5));
      assert.ok((await height()) > before + 1, "it is drawn up");
      await page.keyboard.press("Escape");
      assert.deepEqual((await heard(page)).map(([event]) => event), ["grab", "release"]);
      // Out of reach of the keyboard's hand.
      await page.evaluate(() => window.other.setCamera({ position: [3, 0, 3], target: [3, 0, 0] }));
      await page.keyboard.press("g");
      await page.evaluate(() => window.other.settled());
      await page.keyboard.press("Escape");
      assert.deepEqual(await heard(page), []);
    });
  },

  async "grab, drag and release by name: answers, options, and what ends them"() {
    await onCube(async (page) => {
      await page.evaluate(listen, "other");
      const found = await page.evaluate(async () => {
        const { other, refusal } = window;
        const result = { beside: await other.grab(2, 2), held: await other.grab(160, 120), other: await other.grab(180, 120, { pointerId: 7, stiffness: 1e5, radius: 0.2 }) };
        const middle = async () => {
          const x = await other.readPositions();
          let sum = 0;
          for (let i = 0; i < x.length; i += 3) sum += (3 * x[i]) / x.length;
          return sum;
        };
        other.drag(220, 120);
        other.drag(240, 120, 7);
        other.drag(0, 0, 8);
        other.step(0.5);
        result.middle = await middle();
        other.release(7);
        other.release(7);
        other.release();
        other.reset();
        const late = other.grab(160, 120);
        other.release();
        result.late = await late;
        const [first, second] = [other.grab(160, 120), other.grab(150, 120)];
        result.twice = [await first, await second];
        other.reset();
        other.drag(300, 120);
        other.step(0.3);
        result.reset = await middle();
        result.refused = [];
        for (const [method, ...args] of [["grab", NaN, 1], ["grab", 1, 1, { pointerId: 0.5 }], ["grab", 1, 1, { pointerId: 3e9 }], ["grab", 1, 1, { stiffness: -1 }], ["grab", 1, 1, { radius: 0 }], ["grab", 1, 1, { force: 3 }], ["drag", 1], ["drag", 1, 1, "mouse"], ["release", null]]) {
          result.refused.push(await refusal(() => other[method](...args)));
        }
        const throwing = {
          get radius() {
            throw new Error("no");
          },
        };
        result.refused.push(await refusal(() => other.grab(1, 1, throwing)));
        return result;
      });
      assert.deepEqual([found.beside, found.held, found.other, found.late], [false, true, true, false]);
      assert.ok(found.middle > 0.1, `drawn to ${found.middle}`);
      assert.deepEqual(found.twice, [false, true], "the later question counts");
      assert.ok(Math.abs(found.reset) < 1e-3, `after the reset nothing pulls: ${found.reset}`);
      const refused = [/x is NaN/, /pointerId is 0\.5/, /pointerId is 3e9/, /stiffness is -1/, /radius is 0/, /force is not an option/, /y is NaN/, /pointerId is "mouse"/, /pointerId is null/, /options: reading it threw no/];
      found.refused.forEach((told, i) => assert.match(told, new RegExp(`^SoftBodyError invalid-option: .*${refused[i].source}`)));
      assert.deepEqual((await heard(page)).map(([event]) => event), ["grab", "grab", "release", "release", "grab", "release"]);
    });
  },

  async "loading, disposing and a lost device let go without an error of the pointer's"() {
    const capture = () => {
      const original = GPUAdapter.prototype.requestDevice;
      window.devices = [];
      GPUAdapter.prototype.requestDevice = async function (...args) {
        const device = await original.apply(this, args);
        window.devices.push(device);
        return device;
      };
    };
    const press = async (page) => {
      await page.mouse.move(160, 120);
      await page.mouse.down();
      await waitForEvents(page, 1);
      await page.mouse.move(170, 120);
    };
    const mesh = { positions: "models/cube_positions.vec3f32bin", tets: "models/cube_tet_indices.vec4u32bin" };
    const endings = {
      load: (mesh) => window.other.load(mesh),
      dispose: () => window.other.dispose(),
      // A listener may end everything while fingers let go one after the other.
      both: () => {
        window.other.on("release", () => window.other.dispose());
        window.other.release();
      },
      lost: async () => {
        const gone = new Promise((resolve) => window.other.on("error", resolve));
        window.devices.at(-1).destroy();
        await gone;
      },
    };
    await onCube(
      async (page) => {
        for (const [name, end] of Object.entries(endings)) {
          await page.evaluate(tools);
          await page.evaluate(listen, "other");
          await press(page);
          await page.evaluate(end, mesh);
          await page.mouse.move(200, 130, { steps: 3 });
          await page.mouse.up();
          await page.waitForTimeout(100);
          const events = (await heard(page)).map(([event, data]) => (event === "error" ? data : event));
          assert.deepEqual(events, ["grab", "release", ...(name === "lost" ? ["device-lost"] : [])], name);
        }
      },
      { init: [capture] },
    );
  },
};

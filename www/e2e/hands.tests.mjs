// What is under a point of the canvas, and bodies in visitors' hands.
import assert from "node:assert/strict";
import { onPage, simulate, waitForState } from "./tools.mjs";

/** A body that fills the middle of a canvas of its own, 320 × 240 CSS pixels at the page's upper left corner. */
export async function tools() {
  window.other?.dispose();
  document.getElementById("other")?.remove();
  const canvas = Object.assign(document.createElement("canvas"), { id: "other", width: 320, height: 240 });
  canvas.style.cssText = "position: fixed; left: 0; top: 0; width: 320px; height: 240px; z-index: 99";
  document.body.append(canvas);
  window.refusal = async (work) => {
    try {
      await work();
      return "accepted";
    } catch (error) {
      return `${error.name} ${error.code}: ${error.message}`;
    }
  };
  window.other = await window.softbody.constructor.create(canvas, {
    mesh: { positions: "models/cube_positions.vec3f32bin", tets: "models/cube_tet_indices.vec4u32bin" },
    gravity: [0, 0, 0],
    floor: false,
    camera: { position: [0, 0, 3], target: [0, 0, 0], fovYDegrees: 40 },
  });
}

/** Works on a cube of a metre, seen from the front. */
export const onCube = (work, options) =>
  onPage(
    "?preset=cube&paused=1",
    async (page) => {
      await waitForState(page, "paused");
      await page.evaluate(tools);
      await work(page);
      await page.evaluate(() => window.other.dispose());
    },
    options,
  );

export const handsTests = {
  async "pick finds the body under a point and nothing beside it"() {
    await onCube(async (page) => {
      const found = await page.evaluate(async () => {
        const { other } = window;
        const positions = await other.readPositions();
        const corner = (vertex) => [...positions.subarray(3 * vertex, 3 * vertex + 3)];
        const middle = await other.pick(160, 120);
        const right = await other.pick(200, 100);
        const beside = [await other.pick(2, 2), await other.pick(318, 238), await other.pick(-1000, 50)];
        return { middle, right, beside, corners: right.triangle.map(corner), vertex: corner(right.vertex) };
      });
      assert.deepEqual(found.beside, [null, null, null]);
      const { middle, right } = found;
      assert.deepEqual(Object.keys(middle).sort(), ["barycentric", "body", "distance", "point", "triangle", "vertex"]);
      assert.equal(middle.body, 0);
      assert.ok(Math.abs(middle.distance - 2.5) < 1e-5, `${middle.distance}`);
      assert.ok(Math.hypot(middle.point[0], middle.point[1], middle.point[2] - 0.5) < 1e-5, `${middle.point}`);
      // 240 pixels are 2 tan 20° at a distance of 1.
      const pixel = (2.5 * 2 * Math.tan(Math.PI / 9)) / 240;
      const expected = [40 * pixel, 20 * pixel, 0.5];
      right.point.forEach((number, axis) => assert.ok(Math.abs(number - expected[axis]) < 1e-5, `${right.point} instead of ${expected}`));
      const blended = expected.map((_, axis) => right.barycentric.reduce((sum, weight, i) => sum + weight * found.corners[i][axis], 0));
      blended.forEach((number, axis) => assert.ok(Math.abs(number - right.point[axis]) < 1e-5, `${blended} instead of ${right.point}`));
      assert.ok(right.triangle.includes(right.vertex));
      const far = (corner) => Math.hypot(...corner.map((number, axis) => number - right.point[axis]));
      assert.ok(far(found.vertex) < 0.17, `${found.vertex} is far from ${right.point}`);
    });
  },

  async "pick sees the body as it has moved, also while it runs; refuses what is no point"() {
    await onCube(async (page) => {
      const found = await page.evaluate(async () => {
        const { other, refusal } = window;
        other.setGravity([0, -10, 0]);
        const before = other.pick(160, 120);
        other.step(0.5);
        // Asked before the step, answered after it.
        const result = { before: (await before)?.distance, after: await other.pick(160, 120) };
        // At the pixel where its middle is now, 1.25 m below.
        const pixel = (2.5 * 2 * Math.tan(Math.PI / 9)) / 240;
        const positions = await other.readPositions();
        let middle = 0;
        for (let i = 1; i < positions.length; i += 3) middle += (3 * positions[i]) / positions.length;
        result.below = await other.pick(160, 120 - middle / pixel);
        result.middle = middle;
        result.refused = [];
        for (const args of [[], [NaN, 3], [3, Infinity], [3, "left"]]) result.refused.push(await refusal(() => other.pick(...args)));
        const { SoftBody } = { SoftBody: other.constructor };
        const empty = await SoftBody.create(new OffscreenCanvas(64, 48), {});
        result.empty = await refusal(() => empty.pick(1, 1));
        const late = refusal(() => other.pick(160, 120));
        empty.dispose();
        result.disposed = await refusal(() => empty.pick(1, 1));
        result.late = await late;
        const offscreen = await SoftBody.create(new OffscreenCanvas(64, 48), {
          mesh: { positions: new Float32Array([-1, -1, 0, 1, -1, 0, 0, 1, 0, 0, 0, -1]), tets: new Uint32Array([0, 1, 2, 3]) },
          floor: false,
          camera: { position: [0, 0, 3], target: [0, 0, 0] },
        });
        result.offscreen = [(await offscreen.pick(32, 24))?.distance, await offscreen.pick(1, 1)];
        offscreen.dispose();
        return result;
      });
      assert.ok(Math.abs(found.before - 2.5) < 1e-5, `${found.before}`);
      assert.equal(found.after, null);
      assert.ok(found.middle < -1 && Math.abs(found.below.point[1] - found.middle) < 1e-3, JSON.stringify(found.below));
      for (const told of found.refused) assert.match(told, /^SoftBodyError invalid-option: [xy] is (NaN|Infinity), but must be a finite number/);
      assert.match(found.empty, /invalid-option: no body is loaded/);
      assert.match(found.disposed, /disposed/);
      assert.equal(found.late, "accepted");
      assert.ok(Math.abs(found.offscreen[0] - 3) < 1e-5, `${found.offscreen}`);
      assert.equal(found.offscreen[1], null);
    });
  },

  async "the page's body is under the middle of what the panels leave free, and not in the corners"() {
    await onPage("?preset=bunny&paused=1&substeps=5", async (page) => {
      await waitForState(page, "paused");
      await simulate(page, 20);
      const found = await page.evaluate(async () => {
        const { clientWidth, clientHeight } = document.getElementById("scene");
        const places = [];
        for (let x = 0.05; x < 1; x += 0.1) for (let y = 0.05; y < 1; y += 0.1) places.push([x * clientWidth, y * clientHeight]);
        const hits = await Promise.all(places.map(([x, y]) => window.softbody.pick(x, y)));
        const corners = [[1, 1], [clientWidth - 1, 1], [1, clientHeight - 1], [clientWidth - 1, clientHeight - 1]];
        return { hits: hits.filter(Boolean).length, vertices: window.softbody.report().vertices, largest: Math.max(...hits.flatMap((hit) => hit?.triangle ?? [])), corners: await Promise.all(corners.map(([x, y]) => window.softbody.pick(x, y))) };
      });
      assert.ok(found.hits >= 4 && found.hits < 60, `${found.hits} of 100 places`);
      assert.ok(found.largest < found.vertices && found.largest > 0);
      assert.deepEqual(found.corners, [null, null, null, null]);
    });
  },
};

// The class itself in the browser: options that are refused and how, arrays that change at once, life and death.
import assert from "node:assert/strict";
import { onPage, waitForState } from "./tools.mjs";

/** Helpers for the page: a canvas, a tet, and what a call was refused with. */
function tools() {
  window.tet = () => ({ positions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]), tets: new Uint32Array([0, 1, 2, 3]) });
  window.canvas = () => Object.assign(document.createElement("canvas"), { width: 64, height: 48 });
  window.refusal = async (work) => {
    try {
      await work();
      return "accepted";
    } catch (error) {
      return `${error.name} ${error.code}: ${error.message}`;
    }
  };
  window.make = (options) => window.softbody.constructor.create(window.canvas(), { mesh: window.tet(), ...options });
}

const onApi = (work) =>
  onPage("?preset=cube&paused=1", async (page) => {
    await waitForState(page, "paused");
    await page.evaluate(tools);
    await work(page);
  });

/** Source of an options object, and what its refusal must name. */
const REFUSED = [
  ["{ materail: 'soft' }", /materail is not an option; did you mean material/],
  ["{ material: 'softt' }", /material is "softt"/],
  ["{ material: { youngsModulus: NaN } }", /material\.youngsModulus is NaN.*1 to 1e12 Pa/],
  ["{ material: { poissonRatio: 0.5 } }", /material\.poissonRatio is 0\.5.*below 0\.5/],
  ["{ material: { density: -1 } }", /material\.density is -1/],
  ["{ material: { stiffness: 3 } }", /material\.stiffness is not an option/],
  ["{ gravity: [0, 1] }", /gravity is an array of 2 entries/],
  ["{ gravity: [0, '1', 0] }", /gravity\[1\] is "1"/],
  ["{ substeps: 0 }", /substeps is 0.*"auto" or an integer from 1 to 200/],
  ["{ substeps: 2.5 }", /substeps is 2\.5/],
  ["{ substeps: 'many' }", /substeps is "many".*"auto" or an integer from 1 to 200/],
  ["{ scheme: 'fem' }", /scheme is "fem".*"auto", "explicit" or "xpbd"/],
  ["{ scheme: null }", /scheme is null/],
  ["{ iterations: Infinity }", /iterations is Infinity/],
  ["{ floor: 'low' }", /floor is "low"/],
  ["{ units: 'inch' }", /units is "inch"/],
  ["{ units: 'mm', transform: { scale: 1e-4 } }", /transform\.scale is 1e-7/],
  ["{ transform: { rotation: [0, 0, 0, 0] } }", /transform\.rotation/],
  ["{ transform: 5 }", /transform is 5/],
  ["{ pinned: new Uint32Array([0, 4]) }", /pins: vertex 4 does not exist: the mesh has 4/],
  ["{ pinned: { box: { min: [0, 0, 0] } } }", /pinned\.box\.max/],
  ["{ camera: { fovYDegrees: 0 } }", /camera\.fovYDegrees is 0/],
  ["{ camera: { position: [0, 0, 0], target: [0, 0, 0] } }", /same point/],
  ["{ appearance: { color: 'reddish' } }", /appearance\.color/],
  ["{ appearance: { roughness: 2 } }", /appearance\.roughness is 2/],
  ["{ interactive: 1 }", /interactive is 1/],
  ["{ mesh: { positions: tet().positions } }", /mesh\.tets/],
];

export const apiTests = {
  async "options out of range are refused by name"() {
    await onApi(async (page) => {
      for (const [options, message] of REFUSED) {
        const told = await page.evaluate(`refusal(() => make(${options}))`);
        assert.match(told, /^SoftBodyError invalid-option: /, options);
        assert.match(told, message, options);
      }
      const throwing = "softbody.constructor.create(canvas(), { get gravity() { throw new Error('no'); } })";
      assert.match(await page.evaluate(`refusal(() => ${throwing})`), /invalid-option: options: reading it threw no/);
      const told = await page.evaluate("refusal(() => softbody.constructor.create(document.body))");
      assert.match(told, /invalid-option: canvas must be/);
      const hostile = {
        "a detached array": ["pin((() => { const u = new Uint32Array(4); structuredClone(u.buffer, { transfer: [u.buffer] }); return u; })())", /vertices: reading it threw/],
        "a proxy": ["setMaterial(new Proxy({}, { ownKeys() { throw new Error('trap'); } }))", /material: reading it threw trap/],
        "a far camera": ["setCamera({ position: [1e39, 0, 0] })", /camera\.position/],
        "a DataView": ["restore(new DataView(new ArrayBuffer(20)))", /snapshot is of type DataView, but must be a Uint8Array/],
        "an object": ["restore({})", /snapshot is of type Object, but must be a Uint8Array/],
        "no vertex": ["unpin(new Uint32Array([40000000]))", /pins: vertex 40000000 does not exist/],
        "a nest": ["setMaterial({ density: [[[[[[1]]]]]] })", /nested too deeply/],
      };
      for (const [name, [call, message]] of Object.entries(hostile)) {
        const told = await page.evaluate(`refusal(async () => { for (let i = 0; i < 3000; i++) await refusal(() => softbody.${call}); return softbody.${call}; })`);
        assert.match(told, /^SoftBodyError invalid-option: /, name);
        assert.match(told, message, name);
      }
      assert.match(await page.evaluate("refusal(() => softbody.constructor.create(Object.create(HTMLCanvasElement.prototype)))"), /invalid-option: canvas must be/);
      assert.match(await page.evaluate("refusal(() => softbody.constructor.create(Object.assign(canvas(), { width: 20000 })))"), /limits: canvas is 20000/);
      for (const call of ["step(0)", "step(NaN)", "step(61)", "resize(10.5, 10)", "resize(0, 10)", "setSolver({ substeps: 201 })", "setSolver({ scheme: 1 })", "setSolver({ schema: 'xpbd' })", "restore()", "restore([1, 2])", "restore(new ArrayBuffer(8))", "restore(new Uint8Array(3))", "pin([0.5])", "pin([0], 0, new Float32Array(4))", "pin([0], 0, [1, 2, 3])", "pin([0], 0, new Float32Array(3).fill(NaN))", "impulse()", "impulse([0, 1e5, 0])", "impulse([0, 1, 0], 0, { point: [0, 0, 0] })", "impulse([0, 1, 0], 0, { point: [0, 0, 0], radius: -1 })", "impulse([0, 1, 0], 1)", "setMaterial({ youngsModulus: 0 })", "on('nothing', () => {})", "report(1)"]) {
        assert.match(await page.evaluate(`refusal(() => softbody.${call})`), /^SoftBodyError invalid-option: /, call);
      }
    });
  },

  async "the solver can be changed and told to choose again"() {
    await onApi(async (page) => {
      const found = await page.evaluate(async () => {
        const substeps = async (options) => {
          window.softbody.setSolver(options);
          const seen = new Promise((resolve) => {
            const off = window.softbody.on("frame", (stats) => {
              off();
              resolve(stats.substeps);
            });
          });
          window.softbody.start();
          const counted = await seen;
          window.softbody.stop();
          return counted;
        };
        const counts = [];
        for (const options of [{ scheme: "xpbd" }, { substeps: 7 }, { iterations: 2 }, { scheme: "explicit" }, { scheme: "xpbd", substeps: "auto" }]) counts.push(await substeps(options));
        const chosen = await substeps({ scheme: "auto", substeps: "auto" });
        return { counts, chosen, range: Number.isInteger(chosen) && chosen >= 4 && chosen <= 96 };
      });
      assert.deepEqual(found.counts, [20, 7, 7, 7, 20]);
      assert.ok(found.range, `${found.chosen} substeps`);
    });
  },

  async "an impulse moves what it is aimed at, and pins go to their targets"() {
    await onApi(async (page) => {
      const found = await page.evaluate(async () => {
        const { softbody } = window;
        softbody.setGravity([0, 0, 0]);
        softbody.reset();
        softbody.impulse([0, 2, 0]);
        const all = await softbody.readVelocities();
        softbody.reset();
        const start = await softbody.readPositions();
        const point = [...start.subarray(0, 3)];
        softbody.impulse([3, 0, 0], 0, { point, radius: 1e-3 });
        const one = await softbody.readVelocities();
        softbody.reset();
        const target = point.map((x) => x + 0.01);
        softbody.pin(new Uint32Array([0]), 0, new Float32Array(target));
        softbody.step();
        const after = await softbody.readPositions();
        const wrong = await window.refusal(() => softbody.pin(new Uint32Array([0, 1]), 0, new Float32Array(3)));
        return {
          all: all.every((v, i) => Math.abs(v - (i % 3 === 1 ? 2 : 0)) < 1e-6),
          one: [...one.subarray(0, 3)],
          others: one.subarray(3).every((v) => v === 0),
          off: Math.hypot(...target.map((x, axis) => after[axis] - x)),
          wrong,
        };
      });
      assert.ok(found.all, "every vertex has the velocity");
      assert.ok(Math.abs(found.one[0] - 3) < 1e-5 && found.one[1] === 0 && found.one[2] === 0, `${found.one}`);
      assert.ok(found.others, "no other vertex moves");
      assert.ok(found.off < 1e-5, `the pin is ${found.off} m off its target`);
      assert.match(found.wrong, /invalid-option: targets has 3 numbers, but must have 3 for each of 2 vertices/);
    });
  },

  async "a snapshot is taken at once, restores bit for bit, also elsewhere, and a wrong one changes nothing"() {
    await onApi(async (page) => {
      const found = await page.evaluate(async () => {
        const { softbody } = window;
        const report = softbody.report();
        const state = async (body) => [...new Uint32Array((await body.readPositions()).buffer), ...new Uint32Array((await body.readVelocities()).buffer)].join();
        const run = async (body, frames) => {
          for (let i = 0; i < frames; i++) body.step();
          await body.settled();
        };
        await run(softbody, 30);
        softbody.pin(new Uint32Array([0]));
        const taking = softbody.snapshot();
        const then = await state(softbody);
        await run(softbody, 30);
        const end = await state(softbody);
        const bytes = await taking;
        const result = { isBytes: bytes instanceof Uint8Array, vertices: report.vertices, text: new TextDecoder().decode(bytes.slice(0, 8)), moved: then !== end };
        const wrong = bytes.slice();
        wrong[8] = 9;
        result.version = await window.refusal(() => softbody.restore(wrong));
        result.cut = await window.refusal(() => softbody.restore(bytes.subarray(0, 100)));
        result.untouched = (await state(softbody)) === end;
        // A view into a larger buffer, which may change at once.
        const larger = new Uint8Array(bytes.length + 6);
        larger.set(bytes, 3);
        softbody.restore(larger.subarray(3, 3 + bytes.length));
        larger.fill(0);
        result.restored = (await state(softbody)) === then;
        await run(softbody, 30);
        result.same = (await state(softbody)) === end;

        const mesh = { positions: "models/cube_positions.vec3f32bin", tets: "models/cube_tet_indices.vec4u32bin" };
        const other = await softbody.constructor.create(window.canvas(), { mesh, transform: { translation: [5, 2, 0] } });
        other.restore(bytes);
        await run(other, 30);
        result.elsewhere = (await state(other)) === end;
        await other.load(window.tet());
        result.mesh = await window.refusal(() => other.restore(bytes));
        other.dispose();
        const empty = await softbody.constructor.create(window.canvas(), {});
        result.empty = [await window.refusal(() => empty.snapshot()), await window.refusal(() => empty.restore(bytes))];
        const late = window.refusal(() => softbody.snapshot());
        empty.dispose();
        result.disposed = await window.refusal(() => empty.snapshot());
        result.late = await late;
        return result;
      });
      assert.ok(found.isBytes && found.moved && found.untouched && found.restored && found.same && found.elsewhere, JSON.stringify(found));
      assert.equal(found.text, "softbody");
      assert.match(found.version, /invalid-option: snapshot has version 9, but this release reads versions 1 to 2/);
      assert.match(found.cut, /invalid-option: snapshot has 100 bytes, .*cut short/);
      assert.match(found.mesh, new RegExp(`invalid-option: snapshot is of another mesh: of ${found.vertices} vertices`));
      for (const told of found.empty) assert.match(told, /invalid-option: no body is loaded/);
      assert.match(found.disposed, /disposed/);
      assert.equal(found.late, "accepted");
    });
  },

  async "arrays may change as soon as they were handed over"() {
    await onApi(async (page) => {
      const found = await page.evaluate(async () => {
        const mesh = window.tet();
        const making = window.softbody.constructor.create(window.canvas(), { mesh, floor: false });
        mesh.positions.fill(7);
        const body = await making;
        const again = window.tet();
        const loading = body.load(again);
        again.positions.fill(7);
        const report = await loading;
        const before = body.readPositions();
        body.step(0.5);
        const [first, then] = [await before, await body.readPositions()];
        body.dispose();
        return { volume: report.volume, first: [...first], fallen: then[1] < first[1] - 0.5 };
      });
      assert.ok(Math.abs(found.volume - 1 / 6) < 1e-6);
      assert.deepEqual(found.first, [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], "read before the step");
      assert.ok(found.fallen);
    });
  },

  async "a running body outlives its reference, until it is disposed"() {
    await onApi(async (page) => {
      await page.evaluate(async () => {
        window.frames_seen = 0;
        (await window.make({})).on("frame", () => window.frames_seen++);
        const body = await window.make({});
        body.on("frame", () => window.frames_seen++);
        body.start();
      });
      for (let i = 0; i < 3; i++) await page.requestGC();
      const seen = await page.evaluate(() => window.frames_seen);
      await page.waitForFunction((before) => window.frames_seen > before + 3, seen);
    });
  },

  async "one body per canvas, the latest load, and nothing after dispose"() {
    await onApi(async (page) => {
      const found = await page.evaluate(async () => {
        const SoftBody = window.softbody.constructor;
        const canvas = window.canvas();
        const body = await SoftBody.create(canvas, { mesh: window.tet() });
        const second = await window.refusal(() => SoftBody.create(canvas, {}));
        const overtaken = window.refusal(() => body.load(window.tet()));
        const latest = window.refusal(() => body.load(window.tet()));
        const loads = [await overtaken, await latest];
        const reading = window.refusal(() => body.readPositions());
        body.dispose();
        body.dispose();
        const after = [await reading];
        for (const call of ["step", "render", "report", "start", "stop", "reset", "settled", "readVelocities"]) after.push(await window.refusal(() => body[call]()));
        const reused = await window.refusal(async () => (await SoftBody.create(canvas, { mesh: window.tet() })).dispose());
        return { second, loads, after, reused };
      });
      assert.match(found.second, /canvas-context: .*another SoftBody/);
      assert.match(found.loads[0], /aborted: .*later call/);
      assert.equal(found.loads[1], "accepted");
      for (const told of found.after) assert.match(told, /^SoftBodyError disposed: /);
      assert.equal(found.reused, "accepted");
    });
  },
};

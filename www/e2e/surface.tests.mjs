// Embedded surfaces in the browser: drawn in their colours, reported, refused by name, replaced without traces.
import assert from "node:assert/strict";
import { PNG } from "pngjs";
import { countGpuMemory } from "./browser.mjs";
import { onPage, waitForState } from "./tools.mjs";

/** Helpers for the page: a tet, a square that stands in it, bodies and pictures of them. */
function tools() {
  window.tet = () => ({ positions: new Float32Array([-6, -3, -3, 6, -3, -3, 0, -3, 8, 0, 9, 0]), tets: new Uint32Array([0, 1, 2, 3]) });
  window.square = (more = {}) => ({
    positions: new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]),
    triangles: new Uint32Array([0, 1, 2, 0, 2, 3]),
    uvs: new Float32Array([0, 1, 1, 1, 1, 0, 0, 0]),
    ...more,
  });
  window.refusal = async (work) => {
    try {
      await work();
      return "accepted";
    } catch (error) {
      return `${error.name} ${error.code}: ${error.message}`;
    }
  };
  window.make = (surface) => {
    window.canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
    const camera = { position: [0, 0, 4], target: [0, 0, 0] };
    return window.softbody.constructor.create(window.canvas, { mesh: window.tet(), surface, camera, floor: false, gravity: [0, 0, 0] });
  };
  window.pixel = (body, x, y) => {
    body.render();
    const context = document.createElement("canvas").getContext("2d");
    context.drawImage(window.canvas, 0, 0);
    return [...context.getImageData(x, y, 1, 1).data];
  };
}

const onApi = (work, options) =>
  onPage(
    "?preset=cube&paused=1",
    async (page) => {
      await waitForState(page, "paused");
      await page.evaluate(tools);
      await work(page);
    },
    options,
  );

/** Source of a surface, and the code and message of its refusal. */
const REFUSED = [
  ["5", "invalid-option", /surface is 5, but must be an object with positions/],
  ["{ triangles: new Uint32Array(3) }", "invalid-option", /surface\.positions is undefined.*Float32Array/],
  ["square({ positions: [0, 0, 0] })", "invalid-option", /surface\.positions is of type Array/],
  ["square({ positions: new Float32Array(11) })", "invalid-option", /surface\.positions has 11 entries, which is not a multiple of 3/],
  ["square({ triangles: new Uint32Array(4) })", "invalid-option", /surface\.triangles has 4 entries/],
  ["square({ triangles: new Uint16Array(3) })", "invalid-option", /surface\.triangles is/],
  ["square({ color: 1 })", "invalid-option", /surface\.color is not an option; known here: positions/],
  ["square({ parts: [{ triangles: 2, image: 'a' }] })", "invalid-option", /surface\.parts\[0\]\.image is "a"/],
  ["square({ parts: [{ triangles: 1.5 }] })", "invalid-option", /surface\.parts\[0\]\.triangles is 1\.5/],
  ["square({ parts: [{ triangles: 2, color: [1, 1, 1] }] })", "invalid-option", /surface\.parts\[0\]\.color/],
  ["square({ images: [{ width: 2, height: 2, data: 'x' }] })", "invalid-option", /surface\.images\[0\]\.data is "x"/],
  ["square({ images: [{ width: 2, height: 2, data: new Uint8Array(15) }] })", "invalid-option", /surface\.images\[0\]\.data has 15 bytes, but 2 × 2 RGBA texels take 16/],
  ["square({ images: [{ width: 9000, height: 1, data: new Uint8Array(36000) }] })", "limits", /image 0 of the surface.* needs 9000, but this device allows/],
  ["square({ triangles: new Uint32Array() })", "invalid-mesh", /no triangle/],
  ["square({ triangles: new Uint32Array([0, 1, 7]) })", "invalid-mesh", /triangle 0 corner 2 refers to vertex 7/],
  ["square({ uvs: new Float32Array(4) })", "invalid-mesh", /uvs have 2 entries/],
  ["square({ parts: [{ triangles: 1 }] })", "invalid-mesh", /parts cover 1 triangles, but there are 2/],
  ["square({ parts: [{ triangles: 2, image: 3 }] })", "invalid-mesh", /image 3/],
];

export const surfaceTests = {
  async "a surface with a texture is drawn the right way up and reported"() {
    await onApi(async (page) => {
      const found = await page.evaluate(async () => {
        // Red, green; blue, white.
        const data = new Uint8ClampedArray([220, 0, 0, 255, 0, 160, 0, 255, 0, 0, 220, 255, 240, 240, 240, 255]);
        const body = await window.make(window.square({ parts: [{ triangles: 2, image: 0 }], images: [{ width: 2, height: 2, data }] }));
        const heard = [];
        body.on("error", (error) => heard.push(error.message));
        const report = body.report();
        const corners = [[20, 20], [43, 20], [20, 43], [43, 43]].map(([x, y]) => window.pixel(body, x, y));
        body.step(0.1);
        await body.settled();
        const plain = await body.load(window.tet());
        body.dispose();
        return { surface: report.surface, plain: "surface" in plain, corners, heard };
      });
      assert.deepEqual(found.heard, []);
      assert.deepEqual(found.surface, { vertices: 4, triangles: 2, outside: 0, farthest: 0 });
      assert.equal(found.plain, false);
      const [red, green, blue, white] = found.corners;
      assert.ok(red[0] > red[1] + 60 && red[0] > red[2] + 60, `${red}`);
      assert.ok(green[1] > green[0] + 40 && green[1] > green[2] + 40, `${green}`);
      assert.ok(blue[2] > blue[0] + 60 && blue[2] > blue[1] + 60, `${blue}`);
      assert.ok(Math.min(...white) > 150, `${white}`);
    });
  },

  async "a texture keeps its colours where its alpha is 0"() {
    const image = new PNG({ width: 2, height: 1 });
    image.data.set([220, 0, 0, 0, 0, 160, 0, 255]);
    const address = (bytes, type) => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
    const floats = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0];
    const bin = Buffer.concat([Buffer.from(new Float32Array(floats).buffer), Buffer.from(new Uint32Array([0, 1, 2, 0, 2, 3]).buffer)]);
    const gltf = {
      asset: { version: "2.0" },
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, indices: 2, material: 0 }] }],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
      textures: [{ source: 0 }],
      images: [{ uri: address(PNG.sync.write(image), "image/png") }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 4, type: "VEC3" },
        { bufferView: 1, componentType: 5126, count: 4, type: "VEC2" },
        { bufferView: 2, componentType: 5125, count: 6, type: "SCALAR" },
      ],
      bufferViews: [{ buffer: 0, byteLength: 48 }, { buffer: 0, byteOffset: 48, byteLength: 32 }, { buffer: 0, byteOffset: 80, byteLength: 24 }],
      buffers: [{ byteLength: bin.length, uri: address(bin, "application/octet-stream") }],
    };
    await onApi(async (page) => {
      const [clear, solid] = await page.evaluate(async (text) => {
        const body = await window.make(new TextEncoder().encode(text));
        const found = [[20, 32], [43, 32]].map(([x, y]) => window.pixel(body, x, y));
        body.dispose();
        return found;
      }, JSON.stringify(gltf));
      assert.ok(clear[0] > clear[1] + 60 && clear[0] > clear[2] + 60, `${clear}`);
      assert.ok(solid[1] > solid[0] + 40 && solid[1] > solid[2] + 40, `${solid}`);
    });
  },

  async "surfaces that are none are refused by name"() {
    await onApi(async (page) => {
      for (const [surface, code, message] of REFUSED) {
        const told = await page.evaluate(`refusal(() => make(${surface}))`);
        assert.ok(told.startsWith(`SoftBodyError ${code}: `), `${surface}: ${told}`);
        assert.match(told, message, surface);
      }
    });
  },

  async "replacing surfaces leaves no memory behind"() {
    await onApi(
      async (page) => {
        const memory = await page.evaluate(async () => {
          const body = await window.make(window.square());
          const data = new Uint8Array(4 * 64 * 64).fill(200);
          const seen = [];
          for (let round = 0; round < 3; round++) {
            await body.load(window.tet(), { surface: window.square({ parts: [{ triangles: 2, image: 0 }], images: [{ width: 64, height: 64, data }] }) });
            await body.settled();
            seen.push(window.gpuMemory());
          }
          body.dispose();
          return seen;
        });
        assert.deepEqual(memory[2], memory[0]);
      },
      { init: [countGpuMemory] },
    );
  },
};

// The surface option: what is packed for the WebAssembly, and every wrong shape refused by its path.
import assert from "node:assert/strict";
import { test } from "node:test";
import { packedSurface } from "../surface.js";

const square = (more = {}) => ({ positions: new Float32Array(12), triangles: new Uint32Array([0, 1, 2, 0, 2, 3]), ...more });

/** As they are packed. */
const bits = (...floats) => new Uint32Array(new Float32Array(floats).buffer);

test("everything comes out in the order that Rust reads it in", () => {
  const data = new Uint8ClampedArray([1, 2, 3, 4, 5, 6, 7, 8]);
  const packed = packedSurface(
    square({
      normals: new Float32Array(12).fill(1),
      uvs: new Float32Array(8).fill(2),
      colors: new Float32Array(16).fill(3),
      parts: [{ triangles: 1 }, { triangles: 1, image: 0, color: new Float32Array([1, 0.5, 0.25, 0]) }],
      images: [{ width: 2, height: 1, data }],
    }),
  );
  assert.deepEqual(packed, [
    bits(...new Array(12).fill(0)),
    bits(...new Array(12).fill(1)),
    bits(...new Array(8).fill(2)),
    bits(...new Array(16).fill(3)),
    new Uint32Array([0, 1, 2, 0, 2, 3]),
    new Uint32Array([1, 0, 1, 1]),
    bits(1, 1, 1, 1, 1, 0.5, 0.25, 0),
    new Uint32Array([2, 1]),
    new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]),
  ]);
  const bare = packedSurface(square());
  assert.deepEqual(bare.map((array) => array.length), [12, 0, 0, 0, 6, 0, 0, 0]);
});

test("wrong shapes are refused by their path", () => {
  const one = { width: 1, height: 1, data: new Uint8Array(4) };
  const cases = [
    [5, /^surface is 5, but must be an object with positions/],
    [null, /^surface is null/],
    [[1], /^surface is of type Array/],
    [{ triangles: new Uint32Array(3) }, /^surface\.positions is undefined, but must be a Float32Array/],
    [square({ positions: [0, 0, 0] }), /^surface\.positions is of type Array/],
    [square({ positions: new Float64Array(3) }), /^surface\.positions is of type Float64Array/],
    [square({ positions: new Float32Array(11) }), /^surface\.positions has 11 entries, which is not a multiple of 3/],
    [square({ triangles: undefined }), /^surface\.triangles is undefined, but must be a Uint32Array/],
    [square({ triangles: new Uint32Array(4) }), /^surface\.triangles has 4 entries/],
    [square({ normals: new Float32Array(4) }), /^surface\.normals has 4 entries/],
    [square({ uvs: new Float32Array(3) }), /^surface\.uvs has 3 entries, which is not a multiple of 2/],
    [square({ colors: "red" }), /^surface\.colors is "red"/],
    [square({ colour: 1 }), /^surface\.colour is not an option; known here: positions, /],
    [square({ parts: 5 }), /^surface\.parts is 5, but must be an array of objects/],
    [square({ parts: [{}] }), /^surface\.parts\[0\]\.triangles is undefined/],
    [square({ parts: [{ triangles: 1 }, 7] }), /^surface\.parts\[1\] is 7, but must be an object/],
    [square({ parts: [{ triangles: 1.5 }] }), /^surface\.parts\[0\]\.triangles is 1\.5/],
    [square({ parts: [{ triangles: 2, image: -1 }] }), /^surface\.parts\[0\]\.image is -1/],
    [square({ parts: [{ triangles: 2, image: 2 ** 32 - 1 }] }), /^surface\.parts\[0\]\.image is 4294967295/],
    [square({ parts: [{ triangles: 2, color: [1, 1, 1] }] }), /^surface\.parts\[0\]\.color is of type Array, but must be an array of 4/],
    [square({ parts: [{ triangles: 2, color: [1, 1, NaN, 1] }] }), /^surface\.parts\[0\]\.color/],
    [square({ parts: [{ triangles: 2, texture: 0 }] }), /^surface\.parts\[0\]\.texture is not an option; known here: triangles, color, image/],
    [square({ images: [{ ...one, data: "x" }] }), /^surface\.images\[0\]\.data is "x", but must be a Uint8Array or Uint8ClampedArray/],
    [square({ images: [one, { ...one, width: 2 }] }), /^surface\.images\[1\]\.data has 4 bytes, but 2 × 1 RGBA texels take 8 bytes/],
    [square({ images: [{ width: 0, height: 0, data: new Uint8Array(0) }] }), /at least one texel/],
    [square({ images: [{ ...one, height: "1" }] }), /^surface\.images\[0\]\.height is "1"/],
  ];
  for (const [surface, message] of cases) {
    assert.throws(() => packedSurface(surface), { name: "SoftBodyError", code: "invalid-option", message });
  }
});

// Writes assets/surfaces/*.obj from the npm packages they come from: extract-surfaces.mjs NODE_MODULES OUT_DIR
//
// npm install --prefix surfaces --ignore-scripts bunny@1.0.1 @webxr-input-profiles/assets@1.0.20
// node scripts/extract-surfaces.mjs surfaces/node_modules assets/surfaces
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [modules, out] = process.argv.slice(2);
if (out === undefined) {
  console.error("usage: extract-surfaces.mjs NODE_MODULES OUT_DIR");
  process.exit(2);
}

/** OBJ with the fewest digits that give every coordinate back as the same 32-bit number. */
function obj(comment, positions, triangles) {
  const shortest = (x) => {
    const single = Math.fround(x);
    for (let digits = 1; ; digits += 1) {
      const text = String(Number(single.toPrecision(digits)));
      if (Math.fround(Number(text)) === single) return text;
    }
  };
  const lines = comment.map((line) => `# ${line}`);
  for (const position of positions) lines.push(`v ${position.map(shortest).join(" ")}`);
  for (const corners of triangles) lines.push(`f ${corners.map((vertex) => vertex + 1).join(" ")}`);
  return `${lines.join("\n")}\n`;
}

/** The triangles of the first primitive of a GLB as they stand in its buffer: no node or skin transform. */
function readGlb(bytes) {
  const jsonLength = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + jsonLength).toString());
  const buffer = bytes.subarray(28 + jsonLength);
  const [primitive] = json.meshes[0].primitives;
  const start = (accessor) => (json.bufferViews[accessor.bufferView].byteOffset ?? 0) + (accessor.byteOffset ?? 0);
  const points = json.accessors[primitive.attributes.POSITION];
  const corners = json.accessors[primitive.indices];
  if (points.componentType !== 5126 || corners.componentType !== 5123) throw new Error("unexpected component types");
  const positions = Array.from({ length: points.count }, (_, vertex) =>
    [0, 4, 8].map((byte) => buffer.readFloatLE(start(points) + 12 * vertex + byte)),
  );
  const triangles = Array.from({ length: corners.count / 3 }, (_, triangle) =>
    [0, 2, 4].map((byte) => buffer.readUInt16LE(start(corners) + 6 * triangle + byte)),
  );
  return { positions, triangles };
}

/** Vertices at one place are made one: the file has a vertex per normal and texture coordinate. */
function weld({ positions, triangles }) {
  const places = new Map();
  const kept = [];
  const numbers = positions.map((position) => {
    const key = position.join(" ");
    if (!places.has(key)) {
      places.set(key, kept.length);
      kept.push(position);
    }
    return places.get(key);
  });
  return { positions: kept, triangles: triangles.map((corners) => corners.map((vertex) => numbers[vertex])) };
}

const { positions, cells } = createRequire(import.meta.url)(resolve(modules, "bunny"));
writeFileSync(
  join(out, "bunny.obj"),
  obj(
    ["Stanford bunny, Stanford Computer Graphics Laboratory", "from the npm package bunny 1.0.1 (public domain)"],
    positions,
    cells,
  ),
);

const profiles = join(modules, "@webxr-input-profiles/assets");
const hand = weld(readGlb(readFileSync(join(profiles, "dist/profiles/generic-hand/left.glb"))));
writeFileSync(
  join(out, "hand.obj"),
  obj(
    [
      "Left hand in its bind pose, metres, Copyright (c) 2019 Amazon, MIT License (hand-LICENSE.md)",
      "from the npm package @webxr-input-profiles/assets 1.0.20, dist/profiles/generic-hand/left.glb",
    ],
    hand.positions,
    hand.triangles,
  ),
);
copyFileSync(join(profiles, "LICENSE.md"), join(out, "hand-LICENSE.md"));

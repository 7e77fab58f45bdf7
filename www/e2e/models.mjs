// Small meshes for the tests, as bytes in formats people have: OBJ, GLB with a texture, Gmsh, and broken ones.
import { PNG } from "pngjs";

/** A closed sphere of `rings` × `2 · rings` quads as positions, normals, texture coordinates and triangles. */
export function sphere(radius = 0.5, rings = 16) {
  const around = 2 * rings;
  const positions = [];
  const normals = [];
  const uvs = [];
  const triangles = [];
  for (let ring = 0; ring <= rings; ring++) {
    for (let step = 0; step <= around; step++) {
      const [polar, turn] = [(Math.PI * ring) / rings, (2 * Math.PI * (step % around)) / around];
      const normal = ring === 0 ? [0, 1, 0] : ring === rings ? [0, -1, 0] : [Math.sin(polar) * Math.cos(turn), Math.cos(polar), -Math.sin(polar) * Math.sin(turn)];
      normals.push(...normal);
      positions.push(...normal.map((part) => radius * part));
      uvs.push(step / around, ring / rings);
    }
  }
  for (let ring = 0; ring < rings; ring++) {
    for (let step = 0; step < around; step++) {
      const [a, b] = [ring * (around + 1) + step, (ring + 1) * (around + 1) + step];
      if (ring < rings - 1) triangles.push([a, b, b + 1]);
      if (ring > 0) triangles.push([a, b + 1, a + 1]);
    }
  }
  return { positions, normals, uvs, triangles };
}

const triples = (numbers) => Array.from({ length: numbers.length / 3 }, (_, i) => numbers.slice(3 * i, 3 * i + 3));

/** OBJ text of a sphere. */
export function obj(radius, rings) {
  const { positions, triangles } = sphere(radius, rings);
  const vertices = triples(positions).map((at) => `v ${at.join(" ")}`);
  const faces = triangles.map((corners) => `f ${corners.map((corner) => corner + 1).join(" ")}`);
  return Buffer.from(`# a sphere\n${[...vertices, ...faces].join("\n")}\n`);
}

/** A PNG of squares in two colours; the upper half is red and white, the lower blue and white. */
function chequers(size = 256, squares = 8) {
  const png = new PNG({ width: size, height: size });
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const light = (Math.floor((x * squares) / size) + Math.floor((y * squares) / size)) % 2 === 0;
      const dark = y < size / 2 ? [214, 40, 40] : [29, 78, 216];
      png.data.set([...(light ? [250, 250, 245] : dark), 255], 4 * (y * size + x));
    }
  }
  return PNG.sync.write(png);
}

const padded = (bytes, fill) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, fill)]);

/** GLB of a textured sphere under a node that lifts it. */
export function glb(radius, rings) {
  const { positions, normals, uvs, triangles } = sphere(radius, rings);
  const image = padded(chequers(), 0);
  const parts = [
    Buffer.from(new Float32Array(positions).buffer),
    Buffer.from(new Float32Array(normals).buffer),
    Buffer.from(new Float32Array(uvs).buffer),
    Buffer.from(new Uint32Array(triangles.flat()).buffer),
    image,
  ];
  let byteOffset = 0;
  const bufferViews = parts.map((part) => {
    const view = { buffer: 0, byteOffset, byteLength: part.length };
    byteOffset += part.length;
    return view;
  });
  const corners = triples(positions);
  const extreme = (pick) => [0, 1, 2].map((axis) => corners.reduce((so, at) => pick(so, Math.fround(at[axis])), Math.fround(corners[0][axis])));
  const [count, FLOAT, UINT] = [corners.length, 5126, 5125];
  const json = {
    asset: { version: "2.0", generator: "test" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, translation: [0, 3, 0] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1, TEXCOORD_0: 2 }, indices: 3, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [{ source: 0 }],
    images: [{ bufferView: 4, mimeType: "image/png" }],
    accessors: [
      { bufferView: 0, componentType: FLOAT, count, type: "VEC3", min: extreme(Math.min), max: extreme(Math.max) },
      { bufferView: 1, componentType: FLOAT, count, type: "VEC3" },
      { bufferView: 2, componentType: FLOAT, count, type: "VEC2" },
      { bufferView: 3, componentType: UINT, count: 3 * triangles.length, type: "SCALAR" },
    ],
    bufferViews,
    buffers: [{ byteLength: byteOffset }],
  };
  const chunk = (type, bytes) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, bytes]);
  };
  const chunks = Buffer.concat([chunk("JSON", padded(Buffer.from(JSON.stringify(json)), 0x20)), chunk("BIN\0", Buffer.concat(parts))]);
  const header = Buffer.alloc(12);
  header.write("glTF", 0, "latin1");
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(12 + chunks.length, 8);
  return Buffer.concat([header, chunks]);
}

/** Gmsh 2.2 text: a cube of 2 × 2 × 2 cells with six tets each, one of them wound the wrong way. */
export function msh(side = 1) {
  const n = 2;
  const at = (x, y, z) => 1 + x + (n + 1) * (y + (n + 1) * z);
  const nodes = [];
  const tets = [];
  for (let z = 0; z <= n; z++) for (let y = 0; y <= n; y++) for (let x = 0; x <= n; x++) nodes.push(`${at(x, y, z)} ${(x * side) / n} ${(y * side) / n} ${(z * side) / n}`);
  for (let z = 0; z < n; z++) {
    for (let y = 0; y < n; y++) {
      for (let x = 0; x < n; x++) {
        const corner = (bits) => at(x + (bits & 1), y + ((bits >> 1) & 1), z + ((bits >> 2) & 1));
        for (const [first, second, even] of [[1, 2, true], [2, 4, true], [4, 1, true], [2, 1, false], [4, 2, false], [1, 4, false]]) {
          const [b, c] = even ? [first, first + second] : [first + second, first];
          tets.push([corner(0), corner(b), corner(c), corner(7)]);
        }
      }
    }
  }
  [tets[0][0], tets[0][1]] = [tets[0][1], tets[0][0]];
  const elements = tets.map((tet, i) => `${i + 1} 4 2 0 1 ${tet.join(" ")}`);
  return Buffer.from(
    `$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n${nodes.length}\n${nodes.join("\n")}\n$EndNodes\n$Elements\n${elements.length}\n${elements.join("\n")}\n$EndElements\n`,
  );
}

/** The same sphere as a .gltf with its .bin and its picture beside it. */
export function gltf(radius, rings) {
  const file = glb(radius, rings);
  const length = file.readUInt32LE(12);
  const json = JSON.parse(file.subarray(20, 20 + length).toString());
  const bytes = file.subarray(28 + length);
  const { byteOffset } = json.bufferViews[4];
  json.bufferViews.length = 4;
  json.buffers = [{ uri: "ball%20data.bin", byteLength: byteOffset }];
  json.images = [{ uri: "chequers.png" }];
  return [
    { name: "chequers.png", bytes: bytes.subarray(byteOffset) },
    { name: "ball data.bin", bytes: bytes.subarray(0, byteOffset) },
    { name: "ball.gltf", bytes: Buffer.from(JSON.stringify(json)) },
  ];
}

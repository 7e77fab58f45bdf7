// What a stranger does with webgpu-softbody/mesh, as plain JavaScript: the same file in Vite, webpack and script modules.
import { SoftBody, SoftBodyError as MainError } from "webgpu-softbody";
import { SoftBodyError, importMesh, readSurface, tetrahedralize } from "webgpu-softbody/mesh";

const CUBE = `# a cube of 1 m
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
`;
/** One tetrahedron, wound the wrong way. */
const TET = `$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
1
1 4 2 0 1 1 3 2 4
$EndElements
`;
const file = (name, text) => ({ name, bytes: new TextEncoder().encode(text) });

/** The code and message of a rejection, and how long it took, ms. */
async function refusal(work) {
  const start = performance.now();
  try {
    await work;
    return { code: "none" };
  } catch (error) {
    return { code: error.code, message: error.message, same: error instanceof MainError, took: performance.now() - start };
  }
}

/** A GLB of one square with a picture of a red and a blue texel. */
async function texturedGlb() {
  const canvas = new OffscreenCanvas(2, 1);
  const context = canvas.getContext("2d");
  context.fillStyle = "#ff0000";
  context.fillRect(0, 0, 1, 1);
  context.fillStyle = "#0000ff";
  context.fillRect(1, 0, 1, 1);
  const png = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
  const positions = new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
  const uvs = new Float32Array([0, 1, 1, 1, 1, 0, 0, 0]);
  const indices = new Uint16Array([0, 1, 2, 0, 2, 3]);
  const blocks = [positions, uvs, indices, png].map((view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  let length = 0;
  const bufferViews = blocks.map((block) => {
    const view = { buffer: 0, byteOffset: length, byteLength: block.length };
    length += Math.ceil(block.length / 4) * 4;
    return view;
  });
  const json = new TextEncoder().encode(
    JSON.stringify({
      asset: { version: "2.0" },
      buffers: [{ byteLength: length }],
      bufferViews,
      accessors: [
        { bufferView: 0, componentType: 5126, count: 4, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] },
        { bufferView: 1, componentType: 5126, count: 4, type: "VEC2" },
        { bufferView: 2, componentType: 5123, count: 6, type: "SCALAR" },
      ],
      images: [{ bufferView: 3, mimeType: "image/png" }],
      textures: [{ source: 0 }],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 }, baseColorFactor: [1, 0.5, 0.25, 1] } }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, indices: 2, material: 0 }] }],
      nodes: [{ mesh: 0 }],
      scenes: [{ nodes: [0] }],
      scene: 0,
    }),
  );
  const text = new Uint8Array(Math.ceil(json.length / 4) * 4).fill(0x20);
  text.set(json);
  const glb = new Uint8Array(12 + 8 + text.length + 8 + length);
  const header = new DataView(glb.buffer);
  [0x46546c67, 2, glb.length, text.length, 0x4e4f534a].forEach((word, n) => header.setUint32(4 * n, word, true));
  glb.set(text, 20);
  header.setUint32(20 + text.length, length, true);
  header.setUint32(24 + text.length, 0x004e4942, true);
  blocks.forEach((block, n) => glb.set(block, 28 + text.length + bufferViews[n].byteOffset));
  return glb;
}

/** What the picture of a GLB arrives as. */
export async function checkPicture(options = {}) {
  const { uvs, parts, images } = await readSurface(await texturedGlb(), options);
  return { uvs: [...uvs], parts, images: images.map(({ width, height, data }) => ({ width, height, data: [...data] })) };
}

export async function checkMesh(options = {}) {
  const progress = [];
  const cube = await tetrahedralize([file("cube.obj", CUBE)], { tets: 2000, dropToFloor: true, onProgress: (fraction) => progress.push(fraction), ...options });
  const surface = await readSurface(new Blob([CUBE]), { name: "cube.obj", ...options });
  const arrays = await tetrahedralize({ ...surface, colors: new Float32Array(4 * 8).fill(0.5) }, { cellSize: 0.25, ...options });
  const scaled = await importMesh(new File([CUBE], "cube.obj"), { units: "cm", tets: 2000, ...options });
  const broken = await refusal(importMesh(new File([`${CUBE}f 1 2 99\n`], "broken.obj"), options));

  const volume = await importMesh([file("tet.msh", TET)], options);
  const notSurface = await refusal(tetrahedralize([file("tet.msh", TET)], options));

  const controller = new AbortController();
  let begun;
  const running = new Promise((resolve) => (begun = resolve));
  const long = importMesh([file("cube.obj", CUBE)], { tets: 2_000_000, signal: controller.signal, onProgress: begun, ...options });
  await running;
  controller.abort();
  const aborted = await refusal(long);
  const after = await importMesh([file("cube.obj", CUBE)], { tets: 3000, ...options });

  const count = ({ mesh }) => mesh.tets.length / 4;
  return {
    sameClass: SoftBodyError === MainError && typeof SoftBody.create === "function",
    tets: count(cube),
    finite: cube.mesh.positions.every(Number.isFinite),
    highest: Math.max(...cube.mesh.tets) < cube.mesh.positions.length / 3,
    report: { tets: cube.report.tets, volume: cube.report.volume, components: cube.report.components },
    format: cube.format,
    surface: [surface.positions.length, surface.triangles.length],
    arrays: [count(arrays) > 0, arrays.surface.positions.length, arrays.surface.colors?.length],
    scaledVolume: scaled.report.volume,
    progress,
    broken,
    aborted,
    after: count(after),
    volume: {
      format: volume.format,
      positions: [...volume.mesh.positions],
      tets: [...volume.mesh.tets],
      flipped: volume.report.flippedTets,
      surface: "surface" in volume,
    },
    notSurface,
    picture: await checkPicture(options),
  };
}

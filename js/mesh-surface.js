// A surface given as arrays: checked, and copied so that the caller may change or transfer the arrays afterwards.
import { SoftBodyError } from "./report.js";
import { tagOf } from "./mesh-input.js";
import { packedSurface } from "./surface.js";

/** @typedef {import("./index.js").SurfaceSource} SurfaceSource */

/** Numbers per vertex of what a surface may have besides its positions. */
const WIDTHS = /** @type {const} */ ({ normals: 3, uvs: 2, colors: 4 });

/**
 * Whether this is a {@link SurfaceSource} rather than files.
 * @param {any} source
 * @returns {source is SurfaceSource}
 */
export function isSurface(source) {
  return tagOf(source) === "Object" && "positions" in source && "triangles" in source;
}

/** @param {string} message */
const invalid = (message) => new SoftBodyError("invalid-mesh", `surface: ${message}`);

/**
 * @param {SurfaceSource} surface
 * @returns {SurfaceSource & { positions: Float32Array<ArrayBuffer>, triangles: Uint32Array<ArrayBuffer> }} with arrays
 * of its own; the images' texels are shared
 */
export function checkedSurface(surface) {
  // Refuses wrong types and shapes by their paths; what it returns is for the core.
  packedSurface(surface);
  const { positions, triangles, parts, images } = surface;
  const kept = /** @type {ReturnType<typeof checkedSurface>} */ ({ positions: positions.slice(), triangles: triangles.slice() });
  for (const [key, width] of /** @type {[keyof typeof WIDTHS, number][]} */ (Object.entries(WIDTHS))) {
    const values = surface[key];
    if (!values) continue;
    const expected = (positions.length / 3) * width;
    if (values.length !== expected) throw invalid(`${key} has ${values.length} entries, but must have ${expected} to go with the positions`);
    kept[key] = values.slice();
  }
  if (images) kept.images = images.map(({ width, height, data }) => ({ width, height, data }));
  if (parts?.length) {
    const covered = parts.reduce((sum, part) => sum + part.triangles, 0);
    if (covered !== triangles.length / 3) throw invalid(`the parts cover ${covered} triangles, but there are ${triangles.length / 3}`);
    const lost = parts.findIndex(({ image }) => image !== undefined && image >= (images?.length ?? 0));
    if (lost >= 0) throw invalid(`part ${lost} refers to image ${parts[lost]?.image}, but there are ${images?.length ?? 0} images`);
    kept.parts = parts.map((part) => ({ ...part }));
  }
  return kept;
}

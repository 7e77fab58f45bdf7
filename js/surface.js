// The `surface` option: its shape checked and named here, so that the WebAssembly gets a list of plain typed arrays.
import { SoftBodyError } from "./report.js";

const KEYS = ["positions", "triangles", "normals", "uvs", "colors", "parts", "images"];
/** Numbers per vertex. */
const WIDTHS = /** @type {const} */ ({ positions: 3, normals: 3, uvs: 2, colors: 4 });

/**
 * What `src/web/surface.rs` takes apart, floats as their bits: four arrays in the order of `WIDTHS`, the triangles,
 * triangles and image (counted from 1, 0 for none) of each part, their colours, width and height of each image, then the
 * texels of each.
 * @typedef {(Uint32Array | Uint8Array)[]} PackedSurface
 */

/**
 * @param {any} surface a copy of what was given
 * @returns {PackedSurface}
 */
export function packedSurface(surface) {
  object(surface, "surface", KEYS, "an object with positions and triangles, or the bytes of a GLB, OBJ, STL or PLY file");
  const floats = Object.entries(WIDTHS).map(([key, width]) => {
    const value = surface[key] ?? (key === "positions" ? undefined : new Float32Array(0));
    return bits(whole(typed(value, `surface.${key}`, ["Float32Array"]), `surface.${key}`, width));
  });
  const triangles = whole(typed(surface.triangles, "surface.triangles", ["Uint32Array"]), "surface.triangles", 3);
  const numbers = [];
  const colors = [];
  for (const [part, path] of entries(surface.parts, "surface.parts", ["triangles", "color", "image"])) {
    numbers.push(count(part.triangles, `${path}.triangles`));
    numbers.push(part.image === undefined || part.image === null ? 0 : count(part.image, `${path}.image`) + 1);
    const color = part.color ?? [1, 1, 1, 1];
    const rgba = Array.isArray(color) || ArrayBuffer.isView(color) ? Array.from(/** @type {number[]} */ (color)) : [];
    if (rgba.length !== 4 || !rgba.every((c) => Number.isFinite(c))) refuse(`${path}.color`, color, "an array of 4 finite numbers");
    colors.push(...rgba);
  }
  const sizes = [];
  const texels = [];
  for (const [image, path] of entries(surface.images, "surface.images", ["width", "height", "data"])) {
    const [width, height] = [count(image.width, `${path}.width`), count(image.height, `${path}.height`)];
    const data = typed(image.data, `${path}.data`, ["Uint8Array", "Uint8ClampedArray"]);
    if (data.length !== 4 * width * height || data.length === 0) {
      const size = `${width} × ${height} RGBA texels take ${4 * width * height} bytes`;
      throw new SoftBodyError("invalid-option", `${path}.data has ${data.length} bytes, but ${size}; it needs at least one texel`);
    }
    sizes.push(width, height);
    texels.push(new Uint8Array(data.buffer, data.byteOffset, data.length));
  }
  return [...floats, triangles, new Uint32Array(numbers), bits(new Float32Array(colors)), new Uint32Array(sizes), ...texels];
}

/** @param {Float32Array} floats */
function bits(floats) {
  return new Uint32Array(floats.buffer, floats.byteOffset, floats.length);
}

/**
 * @param {string} path
 * @param {unknown} value
 * @param {string} expected
 * @returns {never}
 */
function refuse(path, value, expected) {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : typeof value === "object" && value ? `of type ${tag}` : String(value);
  throw new SoftBodyError("invalid-option", `${path} is ${shown}, but must be ${expected}`);
}

/**
 * @param {any} value
 * @param {string} path
 * @param {string[]} keys
 * @param {string} [expected]
 */
function object(value, path, keys, expected = "an object") {
  if (typeof value !== "object" || value === null || Array.isArray(value)) refuse(path, value, expected);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new SoftBodyError("invalid-option", `${path}.${unknown} is not an option; known here: ${keys.join(", ")}`);
}

/**
 * @param {any} value
 * @param {string} path
 * @param {string[]} kinds
 * @returns {any}
 */
function typed(value, path, kinds) {
  // By tag: an array may come from another realm.
  if (!kinds.includes(Object.prototype.toString.call(value).slice(8, -1))) refuse(path, value, `a ${kinds.join(" or ")}`);
  return value;
}

/**
 * @param {any} array
 * @param {string} path
 * @param {number} width
 */
function whole(array, path, width) {
  if (array.length % width !== 0) {
    throw new SoftBodyError("invalid-option", `${path} has ${array.length} entries, which is not a multiple of ${width}`);
  }
  return array;
}

/**
 * The objects of an optional list, each with its path.
 * @param {any} list
 * @param {string} path
 * @param {string[]} keys
 * @returns {[any, string][]}
 */
function entries(list, path, keys) {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) refuse(path, list, "an array of objects");
  return list.map((/** @type {unknown} */ entry, /** @type {number} */ index) => {
    object(entry, `${path}[${index}]`, keys);
    return [entry, `${path}[${index}]`];
  });
}

/**
 * @param {any} value
 * @param {string} path
 * @returns {number}
 */
function count(value, path) {
  // One less than what 32 bits hold: images are counted from 1.
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32 - 1) refuse(path, value, "a number from 0 to 4294967294");
  return value;
}

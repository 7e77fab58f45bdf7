// What callers of webgpu-softbody/mesh hand in: options checked one by one, files read into bytes with their names.
import { SoftBodyError, checkedSignal } from "./report.js";
import { readAll } from "./source.js";

/** @typedef {import("./mesh.js").MeshOptions} MeshOptions */
/** @typedef {import("./mesh.js").FileSource} FileSource */
/** @typedef {{ name: string, bytes: Uint8Array<ArrayBuffer> }} NamedFile bytes that nobody else holds */

/** Metres per unit. */
const UNITS = { m: 1, cm: 0.01, mm: 0.001, in: 0.0254 };
const CALL_OPTIONS = ["signal", "wasm", "worker"];
const MESH_OPTIONS = ["cellSize", "tets", "weld", "units", "scale", "center", "dropToFloor", "onProgress", ...CALL_OPTIONS];
/** What each function takes. */
const KNOWN = {
  tetrahedralize: MESH_OPTIONS,
  importMesh: [...MESH_OPTIONS, "name"],
  readSurface: ["name", ...CALL_OPTIONS],
};
/** As many as the WebAssembly fills a surface with: `MAX_COUNT` of src/meshing/stuffing/lattice.rs. */
const MAX_TETS = 4_000_000;

/** @typedef {keyof typeof KNOWN} Task */

/** @param {unknown} value */
export const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** @param {unknown} value */
function described(value) {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  return typeof value === "object" && value !== null ? `of type ${tagOf(value)}` : String(value);
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {string} expected
 * @returns {never}
 */
export function refuse(name, value, expected) {
  throw new SoftBodyError("invalid-option", `${name} is ${described(value)}, but must be ${expected}`);
}

/**
 * @param {Record<string, unknown>} values
 * @param {string} name
 * @param {string} expected
 * @param {(value: number) => boolean} fits
 * @returns {number | undefined}
 */
function number(values, name, expected, fits) {
  const value = values[name];
  if (value === undefined) return undefined;
  return typeof value === "number" && Number.isFinite(value) && fits(value) ? value : refuse(name, value, expected);
}

/**
 * @param {Record<string, unknown>} values
 * @param {string} name
 */
function flag(values, name) {
  const value = values[name];
  return value === undefined || typeof value === "boolean" ? value === true : refuse(name, value, "true or false");
}

/**
 * The options as they are at this moment; whatever the caller does to the object later changes nothing.
 * @param {object} options
 * @param {Task} task
 */
function read(options, task) {
  if (typeof options !== "object" || options === null) refuse(`${task}: options`, options, "an object");
  const known = KNOWN[task];
  /** @type {Record<string, unknown>} */
  const values = {};
  // With inherited ones, as a class of options may have.
  for (const name in options) {
    if (!known.includes(name)) throw new SoftBodyError("invalid-option", `${task}: ${name} is not an option; known: ${known.join(", ")}`);
    try {
      values[name] = /** @type {Record<string, unknown>} */ (options)[name];
    } catch (thrown) {
      throw new SoftBodyError("invalid-option", `${task}: reading ${name} threw ${String(thrown)}`, thrown);
    }
  }
  return values;
}

/**
 * @param {MeshOptions & { name?: string }} options
 * @param {Task} task
 */
export function checkedOptions(options, task) {
  const values = read(options, task);
  const { onProgress, units = "m", name = "", worker } = values;
  if (typeof units !== "string" || !Object.hasOwn(UNITS, units)) refuse("units", units, '"m", "cm", "mm" or "in"');
  if (typeof name !== "string") refuse("name", name, "a string");
  if (onProgress !== undefined && typeof onProgress !== "function") refuse("onProgress", onProgress, "a function");
  if (worker !== undefined && typeof worker !== "function" && typeof (/** @type {any} */ (worker)?.postMessage) !== "function") {
    refuse("worker", worker, "a Worker or a function that makes one");
  }
  const cellSize = number(values, "cellSize", "a positive number of metres", (value) => value > 0);
  const tets = number(values, "tets", `an integer from 1 to ${MAX_TETS}`, (value) => Number.isInteger(value) && value >= 1 && value <= MAX_TETS);
  if (cellSize !== undefined && tets !== undefined) {
    throw new SoftBodyError("invalid-option", `cellSize is ${cellSize} and tets is ${tets}, but only one of them can be met`);
  }
  const scale = number(values, "scale", "from 1e-9 to 1e9", (value) => value >= 1e-9 && value <= 1e9) ?? 1;
  return {
    job: {
      cellSize,
      tets,
      weld: number(values, "weld", "a number of metres, 0 or more", (value) => value >= 0),
      scale: scale * UNITS[/** @type {keyof typeof UNITS} */ (units)],
      center: flag(values, "center"),
      dropToFloor: flag(values, "dropToFloor"),
    },
    name,
    signal: checkedSignal(values.signal),
    onProgress: /** @type {MeshOptions["onProgress"]} */ (onProgress),
    wasm: /** @type {MeshOptions["wasm"]} */ (values.wasm),
    worker: /** @type {MeshOptions["worker"]} */ (worker),
  };
}

/** @param {unknown} value */
const isBlob = (value) => ["Blob", "File"].includes(tagOf(value));

/**
 * Whether this is a source at all; the core's own list names neither files nor lists of them.
 * @param {unknown} source
 * @param {string} label
 */
function checkSource(source, label) {
  if (!["Object", "Undefined", "Null"].includes(tagOf(source))) return;
  const arrays = label === "file" && tagOf(source) === "Object" && "positions" in /** @type {object} */ (source);
  const hint = arrays ? "; a surface as arrays goes to tetrahedralize" : "";
  refuse(label, source, `a File, a Blob, a URL, a Response, an ArrayBuffer, a typed array or a list of File, Blob or { name, bytes }${hint}`);
}

/** The last part of an address, as a file name. @param {string} address */
function nameIn(address) {
  try {
    const { pathname, protocol } = new URL(address, "http://localhost/");
    return protocol === "data:" || protocol === "blob:" ? "" : decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
  } catch {
    return "";
  }
}

/**
 * @param {any} source
 * @returns {string}
 */
function nameOf(source) {
  const tag = tagOf(source);
  if (tag === "File") return source.name;
  if (tag === "String" || tag === "URL") return nameIn(String(source));
  return tag === "Response" ? nameIn(source.url) : "";
}

/**
 * @param {unknown} source
 * @param {string} label
 * @param {string} name of a source that has none
 * @returns {{ name: string, label: string, bytes: any }[]}
 */
function entries(source, label, name) {
  if (!Array.isArray(source)) return [{ name: name || nameOf(source), label, bytes: source }];
  if (source.length === 0) refuse(label, "[]", "at least one file");
  return source.map((entry, index) => {
    const path = `${label}[${index}]`;
    if (isBlob(entry)) return { name: nameOf(entry), label: path, bytes: entry };
    if (typeof entry?.name !== "string" || entry.bytes === undefined) refuse(path, entry, "a File, a Blob or { name, bytes }");
    return { name: entry.name, label: `${path}.bytes`, bytes: entry.bytes };
  });
}

/**
 * @param {Blob} blob
 * @param {string} label
 */
async function blobBytes(blob, label) {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new SoftBodyError("mesh-load", `${label}: ${nameOf(blob) || "a Blob"} could not be read: ${message}`, thrown);
  }
}

/**
 * @param {FileSource} source
 * @param {string} label what messages call it
 * @param {{ name: string, signal: AbortSignal | undefined }} options
 * @param {((fraction: number) => void) | undefined} onLoaded of what is fetched
 * @returns {Promise<NamedFile[]>}
 */
export async function readFiles(source, label, { name, signal }, onLoaded) {
  checkSource(source, label);
  const given = entries(source, label, name);
  const blobs = given.filter(({ bytes }) => isBlob(bytes));
  const others = given.filter(({ bytes }) => !isBlob(bytes));
  const told =
    onLoaded &&
    ((/** @type {number} */ loaded, /** @type {number} */ total) => {
      if (total > 0) onLoaded(loaded / total);
    });
  const [ofBlobs, ofOthers] = await Promise.all([
    Promise.all(blobs.map(({ bytes, label: path }) => blobBytes(bytes, path))),
    readAll(others.map(({ bytes }) => bytes), others.map((entry) => entry.label), signal, told),
  ]);
  const bytes = new Map();
  blobs.forEach((entry, index) => bytes.set(entry, ofBlobs[index]));
  others.forEach((entry, index) => bytes.set(entry, ofOthers[index]));
  return given.map((entry) => ({ name: entry.name, bytes: bytes.get(entry) }));
}

// Fetches and compiles a WebAssembly module of the package; every way it can fail names the address or the option.
import { SoftBodyError } from "./report.js";

/** @typedef {string | URL | Response | ArrayBuffer | Uint8Array | WebAssembly.Module} WasmSource */

/**
 * @template T
 * @param {WasmSource} given
 * @param {string} marker a function that the module exports and no other module of the package does
 * @param {(module: WebAssembly.Module) => T | Promise<T>} use what is done with it; its failure counts as one of loading
 * @returns {Promise<T>}
 */
export async function loadWasm(given, marker, use) {
  const kind = Object.prototype.toString.call(given).slice(8, -1);
  const where = kind === "String" || kind === "URL" ? String(given) : /** @type {Response} */ (given).url || `the given ${kind}`;
  try {
    const checkedSource = kind === "String" || kind === "URL" ? await fetched(where) : checked(given, kind, where);
    const module = await compiled(checkedSource);
    // The glue keeps the first module it is given, whatever that is.
    if (!WebAssembly.Module.exports(module).some(({ name }) => name === marker)) {
      throw new SoftBodyError("wasm-load", `wasm: ${where} is another WebAssembly module (an older version?)`);
    }
    return await use(module);
  } catch (thrown) {
    if (thrown instanceof SoftBodyError) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new SoftBodyError("wasm-load", `wasm: ${where} could not be loaded: ${message}`, thrown);
  }
}

/**
 * @param {any} source what `checked` lets through
 * @returns {Promise<WebAssembly.Module>}
 */
async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (!(source instanceof Response)) return WebAssembly.compile(source);
  // Streaming needs the MIME type application/wasm, which not every static host knows.
  const type = source.headers.get("content-type") ?? "";
  return /^application\/wasm\b/i.test(type) ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer());
}

/** @param {string} url */
async function fetched(url) {
  return checked(await fetch(url), "Response", url);
}

/**
 * @param {unknown} given
 * @param {string} kind
 * @param {string} where
 * @returns {any} what can be compiled
 */
function checked(given, kind, where) {
  switch (kind) {
    case "Response": {
      const response = /** @type {Response} */ (given);
      if (!response.ok) throw new SoftBodyError("wasm-load", `wasm: ${where} answered ${response.status} ${response.statusText}`.trimEnd());
      // A server that rewrites unknown paths answers with its start page.
      if (/^\s*text\/html\b/i.test(response.headers.get("content-type") ?? "")) {
        throw new SoftBodyError("wasm-load", `wasm: ${where} is an HTML page, not WebAssembly`);
      }
      return response;
    }
    case "ArrayBuffer":
    case "Uint8Array":
    case "WebAssembly.Module":
      return given;
    default:
      throw new SoftBodyError("invalid-option", `wasm: ${kind} is not a URL, a Response, an ArrayBuffer, a Uint8Array or a WebAssembly.Module`);
  }
}

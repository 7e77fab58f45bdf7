// Text work of the package build, without side effects: module specifiers, the manifest template, wasm sections.

import { posix } from "node:path";

// A static import or export at the start of a line, or a dynamic import or the address of a literal outside comment lines.
// Formatted code always has statements there, and comment text never does, so no JavaScript parser is needed.
const STATIC = /^(?:import\s*|(?:import|export)\b[^"';=()]*?\bfrom\s*)(["'])(\.{1,2}\/[^"']+)\1/gm;
const DYNAMIC = /^(?!\s*(?:\*|\/[/*])).*?\bimport\(\s*(["'])(\.{1,2}\/[^"']+)\1/gm;
// The script of a worker: `new Worker(new URL("./x.js", import.meta.url))`.
const ADDRESS = /^(?!\s*(?:\*|\/[/*])).*?\bnew URL\(\s*(["'])(\.{1,2}\/[^"']+\.js)\1(?=,\s*import\.meta\.url\))/gm;

/** Every relative module specifier of `source`, in order, each with its offset; `lazy` where running the module does not load it. */
export function relativeSpecifiers(source) {
  const found = [];
  for (const pattern of [STATIC, DYNAMIC, ADDRESS]) {
    for (const match of source.matchAll(pattern)) {
      const end = match.index + match[0].length - 1;
      found.push({ specifier: match[2], start: end - match[2].length, end, lazy: pattern !== STATIC });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** `source` with each relative specifier replaced by `replace(specifier)`. */
export function rewriteSpecifiers(source, replace) {
  let result = "";
  let from = 0;
  for (const { specifier, start, end } of relativeSpecifiers(source)) {
    result += source.slice(from, start) + replace(specifier);
    from = end;
  }
  return result + source.slice(from);
}

/** The specifier by which the module at `from` reaches the one at `to`; both are paths in the package. */
export function specifierBetween(from, to) {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

/**
 * The glue without the address of its .wasm file. Whoever hands over a compiled module needs none, and bundlers would
 * take the file along a second time, into the worker.
 */
export function withoutAddress(glue) {
  const address = /new URL\((["'])[^"']+_bg\.wasm\1, import\.meta\.url\)/g;
  if (glue.match(address)?.length !== 1) throw new Error("the glue does not name its .wasm file exactly once");
  return glue.replace(address, "undefined");
}

/** The manifest of `template` with `${key}` filled in from `values`; throws on a key that has no value. */
export function fillManifest(template, values) {
  const newline = template.indexOf("\n");
  if (!template.startsWith("//")) throw new Error("pkg.json.template: line 1 must be the // line that says what reads it");
  const filled = template.slice(newline + 1).replace(/\$\{([^}]*)\}/g, (_, key) => {
    if (typeof values[key] !== "string" || values[key] === "") {
      throw new Error(`pkg.json.template: no value for \${${key}}; known: ${Object.keys(values).join(", ")}`);
    }
    return JSON.stringify(values[key]).slice(1, -1);
  });
  return JSON.parse(filled);
}

/** Names of the custom sections of a wasm module, for instance "name" and "producers". */
export function customSections(bytes) {
  if (bytes.length < 8 || bytes.readUInt32BE(0) !== 0x0061736d) throw new Error("not a wasm module: wrong magic number");
  const names = [];
  let at = 8;
  const leb = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at];
      if (byte === undefined || shift > 28) throw new Error(`wasm module is cut short at byte ${at}`);
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const id = bytes[at];
    at += 1;
    const size = leb();
    const end = at + size;
    if (end > bytes.length) throw new Error(`wasm section ${id} ends at byte ${end} of ${bytes.length}`);
    if (id === 0) {
      const length = leb();
      names.push(bytes.toString("utf8", at, at + length));
    }
    at = end;
  }
  return names;
}

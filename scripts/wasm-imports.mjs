// Shortens the import names of a wasm-bindgen module. Each ends in 16 random hexadecimal digits, which do not compress:
// together they are a twentieth of the module that a page downloads.

const IMPORT_SECTION = 2;

/** Reads an unsigned LEB128 number; returns it and the offset after it. */
export function readNumber(bytes, offset) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[offset++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, offset];
  }
}

/** A number as unsigned LEB128. */
export function number(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Buffer.from([...bytes, value]);
}

/** Reads a string behind its length; returns it and the offset after it. */
export function readName(bytes, offset) {
  const [length, start] = readNumber(bytes, offset);
  return [Buffer.from(bytes.subarray(start, start + length)).toString("utf8"), start + length];
}

function name(text) {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([number(bytes.length), bytes]);
}

/** The sections of a module: number, where the whole begins, where the content begins, where it ends. */
export function* sections(bytes) {
  for (let offset = 8; offset < bytes.length; ) {
    const [size, start] = readNumber(bytes, offset + 1);
    yield { id: bytes[offset], offset, start, end: start + size };
    offset = start + size;
  }
}

/** a, b, … z, aa, ab, …: letters only, so that each is a property name in JavaScript. */
export function shortName(index) {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : shortName(Math.floor(index / 26) - 1) + last;
}

/** End of an import's description: a kind and what belongs to it. */
export function skipDescription(bytes, offset) {
  const kind = bytes[offset++];
  const limits = (at) => {
    const [, start] = readNumber(bytes, at + 1);
    return bytes[at] & 1 ? readNumber(bytes, start)[1] : start;
  };
  if (kind === 0) return readNumber(bytes, offset)[1];
  if (kind === 1) return limits(offset + 1);
  if (kind === 2) return limits(offset);
  if (kind === 3) return offset + 2;
  throw new Error(`an import of unknown kind ${kind}`);
}

/** `bytes` with each import's module and name replaced by what `rename(module, name)` returns. */
export function renameImports(bytes, rename) {
  const parts = [Buffer.from(bytes.subarray(0, 8))];
  for (const { id, offset, start, end } of sections(bytes)) {
    if (id !== IMPORT_SECTION) {
      parts.push(Buffer.from(bytes.subarray(offset, end)));
    } else {
      let [count, at] = readNumber(bytes, start);
      const section = [number(count)];
      for (; count > 0; count--) {
        let module, field;
        [module, at] = readName(bytes, at);
        [field, at] = readName(bytes, at);
        const after = skipDescription(bytes, at);
        section.push(...rename(module, field).map(name), Buffer.from(bytes.subarray(at, after)));
        at = after;
      }
      const body = Buffer.concat(section);
      parts.push(Buffer.from([IMPORT_SECTION]), number(body.length), body);
    }
  }
  return Buffer.concat(parts);
}

/** `text` with the one match of `pattern` at least replaced; throws if there is none. */
function replaceKey(text, pattern, replacement, what) {
  if (!pattern.test(text)) throw new Error(`the glue has no property ${what}`);
  return text.replaceAll(new RegExp(pattern, "gm"), replacement);
}

const escaped = (text) => text.replace(/[$.*+?^(){}|[\]\\]/g, "\\$&");

/**
 * Shortens the names of `wasm` and, alike, the properties of the import object in `glue`, the text that wasm-bindgen
 * wrote. What `glueModule` provides gets short names; other modules are ES modules, whose exports keep theirs.
 */
export function shortenImports(wasm, glue, glueModule) {
  const modules = new Map();
  const fields = new Map();
  const short = (map, key) => {
    if (!map.has(key)) map.set(key, shortName(map.size));
    return map.get(key);
  };
  const shortened = renameImports(wasm, (module, field) => [
    short(modules, module),
    module === glueModule ? short(fields, field) : field,
  ]);
  let text = glue;
  for (const [module, to] of modules) {
    text = replaceKey(text, new RegExp(`^( +)"${escaped(module)}": (?=import\\d)`, "m"), `$1${to}: `, module);
  }
  for (const [field, to] of fields) {
    text = replaceKey(text, new RegExp(`^ {8}${escaped(field)}: `, "m"), `        ${to}: `, field);
  }
  return { wasm: shortened, glue: text };
}

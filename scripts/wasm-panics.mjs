// Turns the panics of a Rust module into plain traps. No panic hook is set, so nobody ever sees the messages: what
// formats them, and the file and line of each place that may panic, is a twenty-fifth of the module. After wasm-snip.

import { number, readName, readNumber, sections, skipDescription } from "./wasm-imports.mjs";

const CUSTOM_SECTION = 0;
const IMPORT_SECTION = 2;
const CODE_SECTION = 10;
const DATA_SECTION = 11;
const FUNCTION_NAMES = 1;
/** A function: its size, no locals, `unreachable`, `end`. */
const TRAP = Buffer.from([3, 0, 0x00, 0x0b]);
/** What starts an active data segment at a constant address: its kind and `i32.const`. */
const ACTIVE = [0, 0x41];

/** Functions of the standard library that never return, without the hashes behind names of crates. */
const NEVER_RETURN = [
  /^core::panicking::/,
  /^core::(option|result)::(unwrap|expect)_failed$/,
  /^core::(str|slice)::.*_fail$/,
  /^core::cell::(.*::)?panic_/,
  /^alloc::alloc::handle_alloc_error$/,
  /^alloc::raw_vec::(handle_error|capacity_overflow)$/,
  /^std::panicking::panic_(with_hook|handler)/,
];
/** What only panics print: the table of functions keeps it otherwise. The core prints nothing by `Debug` itself. */
const PRINTED = [
  /^<wgpu(_types)?::.* as core::fmt::Debug>::fmt(::h[0-9a-f]{16})?$/,
  /^<(&bool|&usize|&dyn core::fmt::Debug|core::fmt::Error) as core::fmt::Debug>::fmt$/,
  /^<?core::fmt::builders::/,
];
const PANICS = [...NEVER_RETURN, ...PRINTED];
/** The one that every index out of bounds ends in; without it the names are not what they used to be. */
const KNOWN = "core::panicking::panic_bounds_check";

/** Numbers of the functions that panic. */
function panickingFunctions(bytes) {
  const found = new Set();
  let known = false;
  for (const section of sections(bytes)) {
    if (section.id !== CUSTOM_SECTION) continue;
    let [title, at] = readName(bytes, section.start);
    while (title === "name" && at < section.end) {
      const kind = bytes[at];
      const [size, begin] = readNumber(bytes, at + 1);
      at = begin + size;
      if (kind !== FUNCTION_NAMES) continue;
      let [count, next] = readNumber(bytes, begin);
      for (; count > 0; count--) {
        let index, name;
        [index, next] = readNumber(bytes, next);
        [name, next] = readName(bytes, next);
        name = name.replaceAll(/\[[0-9a-f]+\]/g, "");
        known ||= name === KNOWN;
        if (PANICS.some((pattern) => pattern.test(name))) found.add(index);
      }
    }
  }
  if (!known) throw new Error(`no function of the module is named ${KNOWN}`);
  return found;
}

/** Functions among the imports: they come first in the numbering. */
function importedFunctions(bytes, { start }) {
  let [count, at] = readNumber(bytes, start);
  let functions = 0;
  for (; count > 0; count--) {
    at = readName(bytes, readName(bytes, at)[1])[1];
    if (bytes[at] === 0) functions++;
    at = skipDescription(bytes, at);
  }
  return functions;
}

/** The code section's content with traps for bodies of `panicking`, whose numbers count from `first`. */
function trapped(bytes, { start }, panicking, first) {
  const [count, begin] = readNumber(bytes, start);
  const parts = [number(count)];
  for (let index = first, at = begin; index < first + count; index++) {
    const [size, body] = readNumber(bytes, at);
    parts.push(panicking.has(index) ? TRAP : bytes.subarray(at, body + size));
    at = body + size;
  }
  return Buffer.concat(parts);
}

/** Active segments of a data section: the address of each, and where its bytes lie in `bytes`. */
function segments(bytes, { start }) {
  let [count, at] = readNumber(bytes, start);
  const found = [];
  for (; count > 0; count--) {
    if (bytes[at] !== ACTIVE[0] || bytes[at + 1] !== ACTIVE[1]) throw new Error("a data segment of another kind");
    // Signed, but below 2³¹ that reads alike.
    const [address, after] = readNumber(bytes, at + 2);
    const [size, begin] = readNumber(bytes, after + 1);
    at = begin + size;
    found.push({ address, begin, end: at });
  }
  return found;
}

/** The data section's content with zeros for each `core::panic::Location`: file name, its length, line, column. */
function withoutLocations(bytes, section) {
  const copy = Buffer.from(bytes);
  const parts = segments(bytes, section);
  const names = [];
  for (const part of parts) {
    for (let at = part.begin + ((4 - (part.address % 4)) % 4); at + 16 <= part.end; at += 4) {
      const [file, length, line, column] = [0, 4, 8, 12].map((offset) => bytes.readUInt32LE(at + offset));
      if (length > 255 || line === 0 || line > 99999 || column === 0 || column > 999) continue;
      const home = parts.find(({ address, begin, end }) => file >= address && file + length <= address + end - begin);
      if (!home) continue;
      const begin = home.begin + file - home.address;
      if (!/^[\w./-]+\.rs$/.test(bytes.toString("latin1", begin, begin + length))) continue;
      copy.fill(0, at, at + 16);
      names.push([begin, begin + length]);
    }
  }
  for (const [begin, end] of names) copy.fill(0, begin, end);
  return copy.subarray(section.start, section.end);
}

/** `bytes`, a module with names as wasm-bindgen --keep-debug leaves it, whose panics trap without a word. */
export function trapPanics(bytes) {
  const panicking = panickingFunctions(bytes);
  const parts = [bytes.subarray(0, 8)];
  let imported = 0;
  for (const section of sections(bytes)) {
    let content = null;
    if (section.id === IMPORT_SECTION) imported = importedFunctions(bytes, section);
    if (section.id === CODE_SECTION) content = trapped(bytes, section, panicking, imported);
    if (section.id === DATA_SECTION) content = withoutLocations(bytes, section);
    if (content) parts.push(Buffer.from([section.id]), number(content.length), content);
    else parts.push(bytes.subarray(section.offset, section.end));
  }
  return Buffer.concat(parts);
}

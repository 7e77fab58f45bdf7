// Reads wasm-pack.toml: tables, strings, integers and arrays of strings. Anything else in the file is an error.

/** Parses the text; throws an Error that names the line it does not understand. */
export function parseToml(text) {
  const root = {};
  let table = root;
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const number = index + 1;
    const line = lines[index].trim();
    if (line === "" || line.startsWith("#")) continue;
    const header = /^\[([\w-]+)\]$/.exec(line);
    if (header) {
      if (Object.hasOwn(root, header[1])) throw new Error(`line ${number}: table [${header[1]}] is there twice`);
      table = root[header[1]] = {};
      continue;
    }
    const pair = /^([\w-]+)\s*=\s*(.+)$/.exec(line);
    if (!pair) throw new Error(`line ${number}: expected [table] or key = value, found: ${line}`);
    let value = pair[2];
    while (value.startsWith("[") && !value.endsWith("]")) {
      index += 1;
      if (index >= lines.length) throw new Error(`line ${number}: the array of '${pair[1]}' is not closed`);
      value += lines[index].trim();
    }
    if (Object.hasOwn(table, pair[1])) throw new Error(`line ${number}: key '${pair[1]}' is there twice`);
    table[pair[1]] = parseValue(value, pair[1], number);
  }
  return root;
}

function parseValue(text, key, number) {
  const json = text.replace(/,\s*\]$/, "]");
  const value = /^(\d[\d_]*)$/.test(json) ? Number(json.replaceAll("_", "")) : parseJson(json);
  const known =
    typeof value === "string" ||
    Number.isSafeInteger(value) ||
    (Array.isArray(value) && value.every((item) => typeof item === "string"));
  if (!known) throw new Error(`line ${number}: '${key}' must be a string, an integer or an array of strings: ${text}`);
  return value;
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

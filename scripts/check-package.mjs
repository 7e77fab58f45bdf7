// Tests of the built pkg/ as a file tree: size budget, manifest, what npm would publish, import without side effects.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { customSections, relativeSpecifiers } from "./package-files.mjs";
import { parseToml } from "./toml.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const config = parseToml(readFileSync(join(ROOT, "wasm-pack.toml"), "utf8"));
const PKG = join(ROOT, config.package["out-dir"]);
const WASM = `${config.package["out-name"]}_bg.wasm`;
const read = (name) => readFileSync(join(PKG, name));
const manifest = JSON.parse(read("package.json").toString());
const output = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: "utf8", maxBuffer: 1 << 26 });

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

function published() {
  const [report] = Object.values(JSON.parse(output("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], PKG)));
  return report.files.map(({ path }) => path);
}

const tests = {
  "the core module keeps its gzip budget"() {
    const bytes = gzipSync(read(WASM), { level: 9 }).length;
    const budget = config.budget["wasm-gzip-bytes"];
    console.log(`      ${read(WASM).length} bytes raw, ${bytes} bytes gzip -9, budget ${budget}`);
    expect(bytes <= budget, `${bytes} bytes gzip, budget ${budget}`);
  },
  "the core module compiles and carries no name, producers or debug sections"() {
    expect(WebAssembly.validate(read(WASM)), "WebAssembly.validate refuses it");
    const extra = customSections(read(WASM)).filter((name) => name !== "target_features");
    expect(extra.length === 0, `custom sections: ${extra.join(", ")}`);
  },
  "the manifest agrees with Cargo.toml"() {
    const [crate] = JSON.parse(output("cargo", ["metadata", "--no-deps", "--format-version", "1"], ROOT)).packages;
    for (const key of ["name", "version", "description", "license"]) {
      expect(manifest[key] === crate[key], `${key}: package.json has '${manifest[key]}', Cargo.toml '${crate[key]}'`);
    }
  },
  "every path of exports and types exists and is published"() {
    const files = published();
    const paths = [manifest.types, ...Object.values(manifest.exports).flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry)))];
    for (const path of paths) expect(files.includes(path.replace("./", "")), `${path} is not among the published files`);
  },
  "every file is published, and every document is there"() {
    const files = published();
    const present = readdirSync(PKG, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(PKG.length + 1));
    const left = present.filter((name) => !files.includes(name));
    expect(left.length === 0, `not covered by "files": ${left.join(", ")}`);
    const missing = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"].filter((name) => !files.includes(name));
    expect(missing.length === 0, `missing: ${missing.join(", ")}`);
  },
  "each JavaScript module is there once, and every relative import leads to a file"() {
    const modules = published().filter((name) => name.endsWith(".js"));
    const names = modules.map((name) => name.split("/").at(-1));
    const twice = names.filter((name, index) => names.indexOf(name) !== index);
    expect(twice.length === 0, `more than one copy of ${twice.join(", ")}`);
    for (const name of modules) {
      for (const { specifier } of relativeSpecifiers(read(name).toString())) {
        expect(existsSync(join(PKG, dirname(name), specifier)), `${name} imports ${specifier}, which does not exist`);
      }
    }
  },
  "importing the entry in Node neither fails, prints nor touches globals"() {
    const script = `
      const before = Reflect.ownKeys(globalThis).length;
      globalThis.fetch = () => { throw new Error("fetched during import"); };
      const entry = await import(${JSON.stringify(`file://${join(PKG, "index.js")}`)});
      if (Reflect.ownKeys(globalThis).length !== before) throw new Error("import added globals");
      if (Object.keys(entry).length === 0) throw new Error("the entry exports nothing");`;
    const text = output(process.execPath, ["--input-type=module", "-e", script], ROOT);
    expect(text === "", `printed: ${text}`);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    test();
    console.log(`ok    ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}: ${error.message}`);
  }
}
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

// Tests of the built pkg/ as a file tree: size budget, manifest, what npm would publish, import without side effects.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { customSections, relativeSpecifiers } from "./package-files.mjs";
import { parseToml } from "./toml.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const config = parseToml(readFileSync(join(ROOT, "wasm-pack.toml"), "utf8"));
const PKG = join(ROOT, config.package["out-dir"]);
/** Each WebAssembly module with what it may weigh. */
const MODULES = [
  { label: "core module", outName: config.package["out-name"], budget: config.budget["wasm-gzip-bytes"] },
  { label: "mesh module", outName: config.mesh["out-name"], budget: config.budget["mesh-wasm-gzip-bytes"] },
];
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
  "both modules keep their gzip budgets"() {
    for (const { label, outName, budget } of MODULES) {
      const wasm = read(`${outName}_bg.wasm`);
      const bytes = gzipSync(wasm, { level: 9 }).length;
      console.log(`      ${label}: ${wasm.length} bytes raw, ${bytes} bytes gzip -9, budget ${budget}`);
      expect(bytes <= budget, `${label}: ${bytes} bytes gzip, budget ${budget}`);
    }
  },
  "both modules compile and carry no name, producers or debug sections"() {
    for (const { label, outName } of MODULES) {
      const wasm = read(`${outName}_bg.wasm`);
      expect(WebAssembly.validate(wasm), `${label}: WebAssembly.validate refuses it`);
      const extra = customSections(wasm).filter((name) => name !== "target_features");
      expect(extra.length === 0, `${label}: custom sections: ${extra.join(", ")}`);
    }
  },
  "each module is the one it is named after"() {
    for (const [index, marker] of ["softbody_create", "convertFiles"].entries()) {
      for (const { label, outName } of MODULES) {
        const names = WebAssembly.Module.exports(new WebAssembly.Module(read(`${outName}_bg.wasm`))).map(({ name }) => name);
        expect(names.includes(marker) === (label === MODULES[index].label), `${label}: ${marker} among ${names.join(", ")}`);
      }
    }
  },
  "the manifest agrees with Cargo.toml"() {
    const [crate] = JSON.parse(output("cargo", ["metadata", "--no-deps", "--format-version", "1"], ROOT)).packages;
    for (const key of ["name", "version", "description", "license"]) {
      expect(manifest[key] === crate[key], `${key}: package.json has '${manifest[key]}', Cargo.toml '${crate[key]}'`);
    }
  },
  "every path of exports and types exists and is published"() {
    const files = published();
    expect("./mesh" in manifest.exports && "./mesh-worker.js" in manifest.exports, Object.keys(manifest.exports).join());
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
  "importing the entries in Node neither fails, prints nor touches globals"() {
    const script = `
      const before = Reflect.ownKeys(globalThis).length;
      globalThis.fetch = () => { throw new Error("fetched during import"); };
      for (const name of ["index.js", "mesh.js"]) {
        const entry = await import(${JSON.stringify(`file://${PKG}/`)} + name);
        if (Reflect.ownKeys(globalThis).length !== before) throw new Error(name + " added globals");
        if (Object.keys(entry).length === 0) throw new Error(name + " exports nothing");
      }`;
    const text = output(process.execPath, ["--input-type=module", "-e", script], ROOT);
    expect(text === "", `printed: ${text}`);
  },
  "the core reaches the mesh module only when asked to"() {
    const seen = new Set();
    const visit = (name) => {
      if (seen.has(name)) return;
      seen.add(name);
      const text = read(name).toString();
      for (const { specifier, lazy } of relativeSpecifiers(text)) if (!lazy) visit(posix.join(posix.dirname(name), specifier));
    };
    visit("index.js");
    const extra = [...seen].filter((name) => /mesh/.test(name));
    expect(seen.size > 4 && extra.length === 0, `index.js imports ${extra.join(", ")}`);
  },
  "the mesh module turns a cube into tetrahedra, and says where a file is wrong"() {
    const script = `
      import { readFileSync } from "node:fs";
      const { initSync, convertFiles } = await import(${JSON.stringify(`file://${PKG}/`)} + "${config.mesh["out-name"]}.js");
      initSync({ module: new WebAssembly.Module(readFileSync(${JSON.stringify(join(PKG, `${config.mesh["out-name"]}_bg.wasm`))})) });
      const cube = "v 0 0 0\\nv 1 0 0\\nv 1 1 0\\nv 0 1 0\\nv 0 0 1\\nv 1 0 1\\nv 1 1 1\\nv 0 1 1\\n" +
        "f 1 4 3 2\\nf 5 6 7 8\\nf 1 2 6 5\\nf 2 3 7 6\\nf 3 4 8 7\\nf 4 1 5 8\\n";
      const file = (text) => [{ name: "cube.obj", bytes: new TextEncoder().encode(text) }];
      let calls = 0;
      const { mesh, surface, report } = convertFiles(file(cube), { tets: 2000, scale: 2 }, () => { calls += 1; });
      let refused;
      try { convertFiles(file(cube + "f 1 2 x\\n"), { scale: 1 }, () => {}); } catch (error) { refused = error; }
      console.log(JSON.stringify({ calls, tets: mesh.tets.length / 4, triangles: surface.triangles.length / 3, volume: report.volume, refused }));`;
    const found = JSON.parse(output(process.execPath, ["--input-type=module", "-e", script], ROOT));
    expect(found.calls > 0 && found.triangles === 12, JSON.stringify(found));
    expect(Math.abs(found.tets - 2000) <= 200, `${found.tets} tets instead of 2000`);
    expect(Math.abs(found.volume - 8) < 0.8, `volume ${found.volume} instead of 8`);
    expect(found.refused?.kind === "malformed" && found.refused.message.includes("line 15, column 7"), JSON.stringify(found.refused));
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

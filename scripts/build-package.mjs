// Builds pkg/, ready for `npm pack`: cargo, wasm-bindgen, wasm-opt, the JavaScript entries, the manifest, the size budgets.
// Run through scripts/with-env.sh, which puts the pinned tools on PATH. --force builds even if nothing has changed.

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { fillManifest, relativeSpecifiers, rewriteSpecifiers, specifierBetween, withoutAddress } from "./package-files.mjs";
import { parseToml } from "./toml.mjs";
import { shortenImports } from "./wasm-imports.mjs";
import { trapPanics } from "./wasm-panics.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const BINDGEN_OUT = join(ROOT, "target/package/wasm-bindgen");
const WASM_TARGET = "wasm32-unknown-unknown";
const STAGING = join(ROOT, "target/package/staging");
const STAMP = join(ROOT, "target/package/stamp.json");
/** What package.json exports, by path in js/; what they import follows. */
const ENTRIES = ["index.d.ts", "mesh.d.ts", "index.js", "mesh.js"];
const DOCUMENTS = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"], ...options });
  if (result.error) fail(`${command}: ${result.error.message}; run through scripts/with-env.sh after 'make setup'`);
  if (result.status !== 0) fail(`${command} ${args[0]} ended with status ${result.status}`);
}

const output = (command, args) => execFileSync(command, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });

/** Paths of all files under `path` (a file or a folder), relative to `base`, sorted, with forward slashes. */
function filesUnder(path, base = ROOT) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [relative(base, path)];
  return readdirSync(path).sort().flatMap((name) => filesUnder(join(path, name), base));
}

function readConfig() {
  try {
    return parseToml(readFileSync(join(ROOT, "wasm-pack.toml"), "utf8"));
  } catch (error) {
    return fail(`wasm-pack.toml: ${error.message}`);
  }
}

/** One hash over everything the package is made of, the compiler included. */
function inputHash(config) {
  const hash = createHash("sha256");
  const inputs = ["Cargo.toml", "Cargo.lock", "wasm-pack.toml", config.package["manifest-template"], "build", "src", "shaders",
    config.package["entry-dir"], "scripts/build-package.mjs", "scripts/package-files.mjs", "scripts/toml.mjs",
    "scripts/wasm-imports.mjs", "scripts/wasm-panics.mjs", ...DOCUMENTS];
  const files = inputs.flatMap((input) => filesUnder(join(ROOT, input))).filter((file) => !file.includes("/tests/"));
  for (const file of files) {
    hash.update(`${file}\0`).update(readFileSync(join(ROOT, file))).update("\0");
  }
  hash.update(output("rustc", ["-vV"])).update(process.env.RUSTFLAGS ?? "");
  return hash.digest("hex");
}

function outputHashes(folder) {
  const digest = (file) => createHash("sha256").update(readFileSync(join(folder, file))).digest("hex");
  return Object.fromEntries(filesUnder(folder, folder).map((file) => [file, digest(file)]));
}

function isCurrent(inputs, folder) {
  if (!existsSync(STAMP)) return false;
  const stamp = JSON.parse(readFileSync(STAMP, "utf8"));
  return stamp.inputs === inputs && JSON.stringify(stamp.outputs) === JSON.stringify(outputHashes(folder));
}

/** Panic messages name source files; a published module should not name the folders of whoever built it. */
function homePaths() {
  const cargoHome = process.env.CARGO_HOME ?? (process.env.HOME && join(process.env.HOME, ".cargo"));
  return [ROOT, cargoHome].filter((path) => path && !/\s/.test(path));
}

/** The two WebAssembly modules of the package. Each has a cargo profile of its own, that is, an output folder. */
function modulesOf(config) {
  return [
    {
      label: "core module",
      outName: config.package["out-name"],
      profile: config.package.profile,
      cargo: [],
      rustc: config.rustc.args,
      trapPanics: true,
      budget: config.budget["wasm-gzip-bytes"],
    },
    {
      label: "mesh module",
      outName: config.mesh["out-name"],
      profile: config.mesh.profile,
      cargo: ["--no-default-features", "--features", config.mesh.features],
      rustc: config.rustc["mesh-args"],
      budget: config.budget["mesh-wasm-gzip-bytes"],
    },
  ];
}

const bindgenOut = ({ outName }) => join(BINDGEN_OUT, outName);

function buildWasm(config, module) {
  const { outName } = module;
  const folder = bindgenOut(module);
  rmSync(folder, { recursive: true, force: true });
  // What wasm-pack does, but for the cdylib alone: built together with the rlib, as wasm-pack must, the module is 6 KB
  // gzip larger (docs/notes/wasm-size.md).
  const flags = [process.env.RUSTFLAGS, ...homePaths().map((path) => `--remap-path-prefix=${path}=.`)].filter(Boolean).join(" ");
  const kind = ["--lib", "--crate-type", "cdylib", "--target", WASM_TARGET];
  run("cargo", ["rustc", "--profile", module.profile, ...kind, ...module.cargo, "--", ...module.rustc], {
    env: { ...process.env, RUSTFLAGS: flags },
  });
  const metadata = JSON.parse(output("cargo", ["metadata", "--no-deps", "--format-version", "1"]));
  const built = join(metadata.target_directory, WASM_TARGET, module.profile, `${metadata.packages[0].name.replaceAll("-", "_")}.wasm`);
  // With the names of functions, which wasm-opt drops.
  const bindgen = ["--keep-debug", "--target", config.package.target, "--out-dir", folder, "--out-name", outName];
  run("wasm-bindgen", [built, ...bindgen]);
  const wasmOpt = join(ROOT, "www/node_modules/binaryen/bin/wasm-opt");
  const manifest = join(ROOT, "www/node_modules/binaryen/package.json");
  if (!existsSync(wasmOpt)) fail(`${relative(ROOT, wasmOpt)} is missing; run 'make setup'`);
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  if (version !== config.tools.binaryen) fail(`binaryen is ${version}, wasm-pack.toml pins ${config.tools.binaryen}`);
  const wasm = join(folder, `${outName}_bg.wasm`);
  if (module.trapPanics) writeFileSync(wasm, trapPanics(readFileSync(wasm)));
  run(process.execPath, [wasmOpt, ...config["wasm-opt"].args, wasm, "-o", `${wasm}.opt`]);
  rmSync(wasm);
  const glue = join(folder, `${outName}.js`);
  const short = shortenImports(readFileSync(`${wasm}.opt`), readFileSync(glue, "utf8"), `./${outName}_bg.js`);
  writeFileSync(wasm, short.wasm);
  writeFileSync(glue, short.glue);
  rmSync(`${wasm}.opt`);
}

/** Copies wasm-bindgen's output into the staging folder. Returns where each js/ module landed, by its path in js/. */
function stageGlue(config) {
  const entryDir = config.package["entry-dir"];
  rmSync(STAGING, { recursive: true, force: true });
  mkdirSync(STAGING, { recursive: true });
  const placed = new Map();
  for (const module of modulesOf(config)) {
    const folder = bindgenOut(module);
    for (const name of [`${module.outName}.js`, `${module.outName}_bg.wasm`]) cpSync(join(folder, name), join(STAGING, name));
    for (const file of filesUnder(join(folder, "snippets"), folder)) {
      mkdirSync(dirname(join(STAGING, file)), { recursive: true });
      cpSync(join(folder, file), join(STAGING, file));
      const inEntryDir = new RegExp(`^snippets/[^/]+/${entryDir}/(.+)$`).exec(file);
      if (inEntryDir) placed.set(inEntryDir[1], file);
    }
  }
  const glue = join(STAGING, `${config.mesh["out-name"]}.js`);
  writeFileSync(glue, withoutAddress(readFileSync(glue, "utf8")));
  return placed;
}

/**
 * Adds the entries and every module that they or a snippet import. A module that Rust imports lives in snippets/ already: all
 * imports are led there, because a second copy would be a second module instance (two SoftBodyError classes).
 */
function stageEntry(config, placed) {
  const entryDir = config.package["entry-dir"];
  const outNames = modulesOf(config).map(({ outName }) => outName);
  const source = (path) => {
    const file = join(ROOT, entryDir, path);
    if (!existsSync(file)) fail(`${entryDir}/${path} is imported but does not exist`);
    return readFileSync(file, "utf8");
  };
  const snippetFolders = new Set([...placed.values()].map((file) => posix.dirname(file).split("/").slice(0, 3).join("/")));
  if (snippetFolders.size > 1) fail(`${entryDir}/ modules came out in several folders: ${[...snippetFolders].join(", ")}`);
  const pending = [...placed.keys(), ...ENTRIES];
  const seen = new Set();
  while (pending.length > 0) {
    const path = pending.pop();
    if (seen.has(path)) continue;
    seen.add(path);
    if (!placed.has(path)) placed.set(path, path);
    const here = placed.get(path);
    const types = path.endsWith(".d.ts");
    const rewritten = rewriteSpecifiers(source(path), (specifier) => {
      const generated = outNames.find((name) => posix.basename(specifier, ".js") === name);
      if (generated) return specifierBetween(here, `${generated}.js`);
      const imported = posix.join(posix.dirname(path), types ? specifier.replace(/\.js$/, ".d.ts") : specifier);
      if (imported.startsWith("..")) fail(`${entryDir}/${path} imports ${specifier}, which is outside ${entryDir}/`);
      if (types) {
        pending.push(imported);
        return specifier;
      }
      // A module that nobody has placed goes beside the first one that imports it.
      if (!placed.has(imported)) placed.set(imported, posix.join(posix.dirname(here), specifier));
      pending.push(imported);
      return specifierBetween(here, placed.get(imported));
    });
    mkdirSync(dirname(join(STAGING, here)), { recursive: true });
    writeFileSync(join(STAGING, here), rewritten);
  }
  for (const outName of outNames) {
    // The generated types are not part of the interface, and the glue must not point to them.
    const glue = join(STAGING, `${outName}.js`);
    writeFileSync(glue, readFileSync(glue, "utf8").replace(/^\/\* @ts-self-types=.*\n/, ""));
  }
}

function stageDocuments(config) {
  const metadata = JSON.parse(output("cargo", ["metadata", "--no-deps", "--format-version", "1"])).packages[0];
  const values = { ...config.package, "mesh-out-name": config.mesh["out-name"] };
  for (const key of ["name", "version", "description", "license", "repository"]) values[key] = metadata[key] ?? "";
  const template = readFileSync(join(ROOT, config.package["manifest-template"]), "utf8");
  writeFileSync(join(STAGING, "package.json"), `${JSON.stringify(fillManifest(template, values), null, 2)}\n`);
  // scripts/check-package.mjs fails on a document that is missing; a first build works without.
  for (const name of DOCUMENTS) if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(STAGING, name));
}

function checkImports() {
  for (const file of filesUnder(STAGING, STAGING).filter((name) => /\.(js|d\.ts)$/.test(name))) {
    for (const { specifier } of relativeSpecifiers(readFileSync(join(STAGING, file), "utf8"))) {
      const path = join(STAGING, dirname(file), specifier);
      const candidates = [path, path.replace(/\.js$/, ".d.ts")].slice(0, file.endsWith(".d.ts") ? 2 : 1);
      if (!candidates.some((name) => existsSync(name))) fail(`pkg/${file} imports ${specifier}, which is not in the package`);
    }
  }
}

function reportSize({ label, outName, budget }, folder) {
  const wasm = readFileSync(join(folder, `${outName}_bg.wasm`));
  const gzip = gzipSync(wasm, { level: 9 }).length;
  console.log(`${label}: ${wasm.length} bytes raw, ${gzip} bytes gzip -9; budget ${budget} bytes gzip`);
  if (gzip > budget) fail(`the ${label} is ${gzip - budget} bytes over its gzip budget of ${budget}`);
}

const config = readConfig();
const folder = join(ROOT, config.package["out-dir"]);
const inputs = inputHash(config);
if (!process.argv.includes("--force") && isCurrent(inputs, folder)) {
  console.log(`${basename(folder)}/ is up to date`);
} else {
  for (const module of modulesOf(config)) buildWasm(config, module);
  stageEntry(config, stageGlue(config));
  stageDocuments(config);
  checkImports();
  // The old package stays in place until the new one is complete.
  rmSync(folder, { recursive: true, force: true });
  renameSync(STAGING, folder);
  writeFileSync(STAMP, JSON.stringify({ inputs, outputs: outputHashes(folder) }));
  console.log(`${basename(folder)}/: ${filesUnder(folder, folder).join(", ")}`);
}
for (const module of modulesOf(config)) reportSize(module, folder);

// Runs every check and test of the repository and sums them up; the last line is "N passed, N failed".
// Run through scripts/with-env.sh. `--quick` leaves out what needs a release build, a browser or a GPU.
// Full logs: target/test-logs/. A step without a test runner counts as one test.

import { spawn, spawnSync } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { countTests, withoutColours } from "./counts.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const LOGS = join(ROOT, "target/test-logs");
const QUICK = process.argv.includes("--quick");
const WASM = ["--target", "wasm32-unknown-unknown"];
/** Everything at once: the tests build the library one time only. */
const ALL = ["--features", "mesh-tools"];
const MESH = ["--no-default-features", "--features", "mesh-tools"];

/** Browser tests are tests/web*.rs; the other files of tests/ use native-only crates. */
function wasmTestArguments() {
  const folder = join(ROOT, "tests");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => /^web.*\.rs$/.test(name)).sort().flatMap((name) => ["--test", name.slice(0, -3)]);
}

/** Named one by one: what `node --test FOLDER` means differs between Node 20 and 22. */
const scriptTests = () => readdirSync(join(ROOT, "scripts/tests")).sort().map((name) => `scripts/tests/${name}`);

const works = (command, args) => spawnSync(command, args, { stdio: "ignore" }).status === 0;

function nativeTests(filter) {
  if (works("cargo", ["nextest", "--version"])) {
    return { command: ["cargo", "nextest", "run", "--no-fail-fast", "--no-tests", "warn", ...ALL, ...filter], runner: "nextest" };
  }
  return { command: ["cargo", "test", "--lib", "--bins", "--tests", "--no-fail-fast", ...ALL, ...filter], runner: "libtest" };
}

function chromedriver() {
  if (process.env.CHROMEDRIVER) return process.env.CHROMEDRIVER;
  const found = spawnSync("sh", ["-c", "command -v chromedriver"], { encoding: "utf8" }).stdout.trim();
  return found || "chromedriver";
}

/** Settings of the browser for the unit tests: webdriver.json, and CHROMIUM, which a driver does not read by itself. */
function webdriverSettings() {
  const settings = JSON.parse(readFileSync(join(ROOT, "webdriver.json"), "utf8"));
  if (process.env.CHROMIUM) settings["goog:chromeOptions"].binary = resolve(process.env.CHROMIUM);
  const file = join(LOGS, "webdriver.json");
  writeFileSync(file, JSON.stringify(settings));
  return file;
}

/**
 * Each step: name, command, if it is a test runner which one, `needs` for an earlier step that must have passed,
 * `quiet` for a command whose standard output is data.
 */
function steps() {
  const npm = (script) => ["npm", "run", "--silent", "--prefix", "www", script];
  const web = wasmTestArguments();
  const lint = ["--", "-D", "warnings"];
  const quick = [
    { name: "lock file", command: ["cargo", "metadata", "--locked", "--format-version", "1"], quiet: true },
    { name: "format", command: ["cargo", "fmt", "--check"] },
    { name: "clippy native", command: ["cargo", "clippy", "--all-targets", ...ALL, ...lint] },
    { name: "clippy wasm32", command: ["cargo", "clippy", ...WASM, "--lib", ...web, ...lint] },
    { name: "mesh layer alone", command: ["cargo", "check", "--lib", "--no-default-features"] },
    { name: "clippy mesh tools", command: ["cargo", "clippy", "--lib", "--bins", ...MESH, ...lint] },
    { name: "clippy mesh wasm32", command: ["cargo", "clippy", ...WASM, "--lib", ...MESH, ...lint] },
    { name: "script tests", command: [process.execPath, "--test", ...scriptTests()], runner: "node" },
    { name: "type check", command: npm("check") },
    { name: "js unit tests", command: npm("test:js"), runner: "node" },
  ];
  if (QUICK) {
    // The unit tests of the library need no GPU; those of tests/ mostly do.
    return [...quick, { name: "unit tests", ...nativeTests(["--lib"]) }];
  }
  return [
    ...quick,
    { name: "native tests", ...nativeTests([]) },
    { name: "doc tests", command: ["cargo", "test", "--doc", ...ALL], runner: "libtest" },
    { name: "docs native", command: ["cargo", "doc", "--no-deps", "--lib", ...ALL], env: { RUSTDOCFLAGS: "-D warnings" } },
    { name: "docs wasm32", command: ["cargo", "doc", "--no-deps", "--lib", ...WASM], env: { RUSTDOCFLAGS: "-D warnings" } },
    { name: "browser unit tests", runner: "libtest",
      command: ["wasm-pack", "test", "--headless", "--chrome", "--chromedriver", chromedriver(), "--mode", "no-install"],
      // Seconds for all tests together: a software GPU on a busy machine is slow.
      env: { WASM_BINDGEN_TEST_TIMEOUT: "120", WASM_BINDGEN_TEST_WEBDRIVER_JSON: webdriverSettings() } },
    { name: "package", command: [process.execPath, "scripts/build-package.mjs"] },
    { name: "package contents", command: [process.execPath, "scripts/check-package.mjs"], runner: "plain", needs: "package" },
    { name: "site", command: npm("build"), needs: "package" },
    { name: "end to end", command: npm("test:page"), runner: "plain", needs: "site" },
    { name: "package consumer", command: npm("test:consumer"), runner: "plain", needs: "package" },
  ];
}

/** Runs one step with its output in a log; resolves with its status and the log's text. */
function execute(step, log) {
  return new Promise((done) => {
    const [command, ...args] = step.command;
    const file = createWriteStream(log);
    file.write(`$ ${step.command.join(" ")}\n`);
    const env = { ...process.env, CARGO_TERM_COLOR: "never", NO_COLOR: "1", ...step.env };
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
    const started = Date.now();
    let last = "";
    const keep = (chunk) => {
      file.write(chunk);
      last = withoutColours(chunk.toString()).trimEnd().split("\n").at(-1).slice(0, 90) || last;
    };
    if (step.quiet) child.stdout.resume();
    else child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const ticker = setInterval(() => console.log(`    ${Math.round((Date.now() - started) / 1000)} s: ${last}`), 20_000);
    const finish = (status) => {
      clearInterval(ticker);
      file.end(() => done({ status, text: readFileSync(log, "utf8") }));
    };
    child.on("error", (error) => {
      file.write(`${error.message}\n`);
      finish(127);
    });
    child.on("close", (code, signal) => finish(code ?? signal));
  });
}

/** The step's counts, and why it failed if it did. A runner that ran nothing has failed: silence proves nothing. */
function judge(step, status, text) {
  const counts = step.runner ? countTests(step.runner, text) : { passed: status === 0 ? 1 : 0, failed: 0, skipped: 0 };
  if (counts === null) return { passed: 0, failed: 1, skipped: 0, why: `no test summary, exit status ${status}` };
  if (status !== 0 && counts.failed === 0) return { ...counts, failed: 1, why: `exit status ${status}` };
  if (step.runner && counts.passed + counts.failed === 0) return { ...counts, failed: 1, why: "the runner ran no test" };
  return { ...counts, why: counts.failed > 0 ? "failing tests" : undefined };
}

mkdirSync(LOGS, { recursive: true });
const results = [];
for (const step of steps()) {
  const log = join(LOGS, `${step.name.replaceAll(" ", "-")}.log`);
  const started = Date.now();
  console.log(`==> ${step.name}: ${step.command.map((word) => word.replace(`${ROOT}/`, "")).join(" ")}`);
  let result;
  if (step.needs && results.find(({ name }) => name === step.needs)?.failed !== 0) {
    result = { passed: 0, failed: 1, skipped: 0, why: `not run, because '${step.needs}' failed` };
  } else {
    const { status, text } = await execute(step, log);
    result = judge(step, status, text);
    if (result.why) console.log(text.split("\n").slice(-60).join("\n"));
  }
  const seconds = (Date.now() - started) / 1000;
  results.push({ name: step.name, seconds, ...result });
  const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : "";
  const why = result.why ? ` (${result.why}; ${relative(ROOT, log)})` : "";
  console.log(`    ${result.passed} passed, ${result.failed} failed${skipped} in ${seconds.toFixed(1)} s${why}`);
}

const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
console.log(`\n${"step".padEnd(20)} ${"seconds".padStart(8)} ${"passed".padStart(7)} ${"failed".padStart(7)} ${"skipped".padStart(8)}`);
for (const result of [...results, { name: "sum", ...Object.fromEntries(["seconds", "passed", "failed", "skipped"].map((key) => [key, total(key)])) }]) {
  console.log(`${result.name.padEnd(20)} ${result.seconds.toFixed(1).padStart(8)} ${String(result.passed).padStart(7)} ` +
    `${String(result.failed).padStart(7)} ${String(result.skipped).padStart(8)}${result.why ? `  ${result.why}` : ""}`);
}
process.exitCode = total("failed") === 0 ? 0 : 1;
const summary = `${total("passed")} passed, ${total("failed")} failed`;
writeFileSync(join(LOGS, "summary.txt"), `${summary}\n`);
console.log(`\n${summary}`);

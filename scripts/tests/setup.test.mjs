// Tests of the set-up scripts, with stand-ins for every program that could install something: nothing real is changed.
// They need the packages of www/ (for www/e2e/browser.mjs), as after `scripts/setup.sh check`.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { findChromium } from "../../www/e2e/browser.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
// All that the scripts use of a system: what is not here (cc, flock, timeout, sha256sum, chromium) is missing to them.
const BASICS = ["bash", "cat", "chmod", "cut", "dirname", "env", "find", "grep", "head", "ln", "mkdir", "mktemp", "mv", "rm", "rmdir", "sed",
  "sleep", "sort", "tail", "tr", "uname"];

const which = (name) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();

/** A machine in a temporary folder. Its rustup, cargo, npm and apt-get write down in `calls` how they were called. */
function machine(context, { os, user = 1000, rustc = "1.95.0" }) {
  const folder = mkdtempSync(join(tmpdir(), "softbody-setup-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const bin = join(folder, "bin");
  const cache = join(folder, "cache");
  const calls = join(folder, "calls");
  mkdirSync(bin);
  mkdirSync(cache);
  writeFileSync(calls, "");
  writeFileSync(join(folder, "os-release"), os);
  const program = (name, body) => {
    // Most of bin/ are links to the system's programs. Written through, a link would change the real program: so the link
    // goes first, and "wx" refuses to write to anything that exists.
    rmSync(join(bin, name), { force: true });
    writeFileSync(join(bin, name), `#!${which("bash")}\n${body}\n`, { flag: "wx", mode: 0o755 });
  };
  for (const name of BASICS) symlinkSync(which(name), join(bin, name));
  symlinkSync(process.execPath, join(bin, "node"));
  const note = `printf '%s\\n' "\${0##*/} $*" >>'${calls}'`;
  for (const name of ["npm", "apt-get", "rustup"]) program(name, note);
  program("id", `case "$*" in -u) echo ${user} ;; *) echo somebody ;; esac`);
  // It has no wasm32 target, and no lints.
  program("rustc", `[ "$1" = --version ] || exit 1\necho "rustc ${rustc} (0123abcd 2026-01-01)"`);
  program("cargo", `[ "$1" = install ] || exit 1\n${note}\nwhile [ $# -gt 0 ]; do [ "$1" != --root ] || root="$2"; shift; done
mkdir -p "$root/bin"\nfor name in wasm-bindgen wasm-pack; do echo >"$root/bin/$name"; chmod +x "$root/bin/$name"; done`);
  return {
    folder, bin, cache, program,
    calls: () => readFileSync(calls, "utf8").trim().split("\n").filter(Boolean),
    run(command, env = {}) {
      const { status, stdout, stderr } = spawnSync("bash", command, {
        cwd: ROOT,
        encoding: "utf8",
        timeout: 30_000,
        env: { PATH: bin, HOME: folder, XDG_CACHE_HOME: cache, SOFTBODY_OS_RELEASE: join(folder, "os-release"),
          SOFTBODY_WASM_TOOLCHAIN: "rustup", ...env },
      });
      return { status, stdout, stderr };
    },
  };
}

const FEDORA = 'ID=fedora\nNAME="Fedora Linux"\n';
const DEBIAN = "ID=debian\n";

test("off Debian, even as root, everything that is missing is listed at once and nothing is installed", (context) => {
  const host = machine(context, { os: FEDORA, user: 0 });
  const { status, stderr } = host.run(["scripts/setup.sh", "test"]);
  assert.equal(status, 1);
  assert.match(stderr, /^ {2}sudo dnf install gcc glibc-devel chromium chromedriver/m);
  assert.match(stderr, /^ {2}rustup target add wasm32-unknown-unknown$/m);
  assert.match(stderr, /^ {2}rustup component add rustfmt clippy$/m);
  for (const tool of ["wasm-bindgen-cli", "wasm-pack"]) {
    assert.match(stderr, new RegExp(`^  cargo install ${tool} --version ([0-9.]+) --debug --root ${host.cache}/webgpu-softbody/${tool}-\\1$`, "m"));
  }
  assert.match(stderr, /or run again with SOFTBODY_INSTALL=1/);
  assert.deepEqual(host.calls(), []);
  assert.deepEqual(readdirSync(host.cache), []);
});

test("on Debian without root it is the same, with apt-get; the build needs neither browser nor wasm-pack", (context) => {
  const host = machine(context, { os: DEBIAN });
  const { status, stderr } = host.run(["scripts/setup.sh", "build"]);
  assert.equal(status, 1);
  assert.match(stderr, /^ {2}sudo apt-get update && sudo apt-get install --no-install-recommends gcc libc6-dev$/m);
  assert.match(stderr, /cargo install wasm-bindgen-cli/);
  assert.doesNotMatch(stderr, /wasm-pack|chromium|clippy/);
  assert.deepEqual(host.calls(), []);
  assert.deepEqual(readdirSync(host.cache), []);
});

test("root on Debian can say no", (context) => {
  const host = machine(context, { os: DEBIAN, user: 0 });
  const { status, stderr } = host.run(["scripts/setup.sh", "build"], { SOFTBODY_INSTALL: "0" });
  assert.equal(status, 1);
  assert.match(stderr, /nothing was installed/);
  assert.deepEqual(host.calls(), []);
});

test("SOFTBODY_INSTALL=1 installs for the user, system packages excepted", (context) => {
  const host = machine(context, { os: FEDORA });
  const yes = { SOFTBODY_INSTALL: "1" };
  const setup = host.run(["scripts/setup.sh", "build"], yes);
  assert.equal(setup.status, 1);
  assert.match(setup.stderr, /sudo dnf install gcc glibc-devel/);
  assert.deepEqual(host.calls(), []);

  const tools = host.run(["scripts/install-tools.sh", "build"], yes);
  assert.equal(tools.status, 0, tools.stderr);
  assert.deepEqual(host.calls().map((call) => call.split(" ").slice(0, 3).join(" ")), ["cargo install wasm-bindgen-cli"]);
  // No flock on this machine: the folder that stood in for it is gone, and so is what the build left.
  assert.equal(readdirSync(join(host.cache, "webgpu-softbody")).length, 1);
  assert.match(host.run(["scripts/install-tools.sh", "build"], yes).stdout, /wasm-bindgen-cli [0-9.]+: found in/);
  assert.equal(host.calls().length, 1);

  const toolchain = host.run(["scripts/toolchain.sh"], yes);
  assert.equal(toolchain.status, 1);
  assert.deepEqual(host.calls().slice(1), ["rustup target add wasm32-unknown-unknown"]);
});

test("a second set-up waits for the first where there is no flock", (context) => {
  const host = machine(context, { os: FEDORA });
  const lock = join(host.cache, "webgpu-softbody/.lock.d");
  mkdirSync(lock, { recursive: true });
  // The other one ends while this one sleeps.
  host.program("sleep", `if [ -e '${host.folder}/ended' ]; then exec '${which("sleep")}' "$@"; fi
echo >'${host.folder}/ended'\nrmdir '${lock}'`);
  const { status, stdout, stderr } = host.run(["scripts/install-tools.sh", "build"], { SOFTBODY_INSTALL: "1" });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /waiting for another set-up; if none is running: rmdir /);
  assert.equal(existsSync(lock), false);
});

test("a compiler older than Cargo.toml allows, an old Node and wrong variables are named", (context) => {
  const wanted = /^rust-version = "(\d+)\.(\d+)"$/m.exec(readFileSync(join(ROOT, "Cargo.toml"), "utf8"));
  const old = `${wanted[1]}.${wanted[2] - 1}.1`;
  const host = machine(context, { os: FEDORA, rustc: old });
  host.program("node", "echo v20.9.1");
  const { status, stderr } = host.run(["scripts/setup.sh", "test"], { CHROMIUM: "/no/such/browser" });
  assert.equal(status, 1);
  assert.ok(stderr.includes(`rustc is ${old}, and Cargo.toml asks for ${wanted[1]}.${wanted[2]} or later: rustup update stable`), stderr);
  assert.match(stderr, /Node\.js 20\.19\.0 or later, with npm; found: v20\.9\.1/);
  assert.match(stderr, /CHROMIUM is '\/no\/such\/browser', which is not a program/);
  assert.match(host.run(["scripts/setup.sh", "build"], { SOFTBODY_INSTALL: "yes" }).stderr, /SOFTBODY_INSTALL is 'yes'/);
});

test("versions are compared as numbers", (context) => {
  const host = machine(context, { os: FEDORA });
  for (const [have, want, expected] of [["1.88.0", "1.88", 0], ["1.100.0-nightly", "1.88", 0], ["2.0.0", "1.88", 0], ["1.87.9", "1.88", 1],
    ["20.19.0", "20.19.0", 0], ["20.9.5", "20.19.0", 1], ["22.1.0", "20.19.0", 0]]) {
    const { status } = host.run(["-c", `source scripts/lib.sh; version_at_least ${have} ${want}`]);
    assert.equal(status, expected, `${have} against ${want}`);
  }
});

test("the checksum is the same with macOS's tool", (context) => {
  const host = machine(context, { os: FEDORA });
  host.program("shasum", `[ "$*" = "-a 256" ] || exit 2\nexec '${process.execPath}' -e '
    const sum = require("crypto").createHash("sha256").update(require("fs").readFileSync(0)).digest("hex"); console.log(sum + "  -")'`);
  const { stdout } = host.run(["-c", "source scripts/lib.sh; sha256_of /dev/null"]);
  assert.equal(stdout.trim(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

test("the browser is what CHROMIUM names, or the first of three names on PATH", (context) => {
  const host = machine(context, { os: FEDORA });
  const env = { PATH: `/no/such/folder:${host.bin}` };
  assert.throws(() => findChromium(env), /none of chromium, chromium-browser, google-chrome is on PATH/);
  for (const name of ["google-chrome", "chromium-browser", "chromium"]) {
    host.program(name, "");
    assert.equal(findChromium(env), join(host.bin, name));
    assert.equal(findChromium({ ...env, CHROMIUM: "" }), join(host.bin, name));
  }
  assert.equal(findChromium({ ...env, CHROMIUM: join(host.bin, "google-chrome") }), join(host.bin, "google-chrome"));
  for (const wrong of ["/no/such/browser", host.bin]) {
    assert.throws(() => findChromium({ ...env, CHROMIUM: wrong }), new RegExp(`CHROMIUM is '${wrong}'`));
  }
});

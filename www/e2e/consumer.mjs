// The package as a stranger gets it: packed, installed into a new app, type-checked, built with Vite and webpack, run as
// plain script modules, imported in Node. The app's files are in consumer-app/.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { launch, open } from "./browser.mjs";
import { runTests } from "./harness.mjs";
import { serve } from "./server.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const PACKAGE = join(HERE, "../../pkg");
const { devDependencies } = JSON.parse(readFileSync(join(HERE, "../package.json"), "utf8"));
const TOOLS = ["typescript", "vite", "webpack"];

if (!existsSync(join(PACKAGE, "package.json"))) {
  console.error(`${PACKAGE} has no package: build it first`);
  process.exit(1);
}

const execute = promisify(execFile);
const app = mkdtempSync(join(tmpdir(), "softbody-consumer-"));
/** Runs a program in the app; its output is the error's message when it fails. */
async function run(program, ...args) {
  try {
    return (await execute(program, args, { cwd: app, maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    throw new Error(`${program} ${args.join(" ")}\n${error.stdout}${error.stderr}`, { cause: error });
  }
}
function write(name, text) {
  mkdirSync(dirname(join(app, name)), { recursive: true });
  writeFileSync(join(app, name), text);
}
const html = (head, body) => `<!doctype html><link rel="icon" href="data:," />${head}${body}`;

cpSync(join(HERE, "consumer-app"), app, { recursive: true });
write(
  "package.json",
  JSON.stringify({ name: "consumer", private: true, type: "module", devDependencies: Object.fromEntries(TOOLS.map((name) => [name, devDependencies[name]])) }),
);
write("index.html", html("", '<canvas width="200" height="150"></canvas><script type="module" src="/main.ts"></script>'));
write(
  "tsconfig.json",
  JSON.stringify({
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      allowJs: true,
      target: "es2022",
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["es2022", "dom"],
      types: [],
    },
    include: ["*.ts"],
  }),
);

/** A page of script modules, with the package at `base`. */
function plainPage(base) {
  const imports = { "webgpu-softbody": `${base}index.js`, "webgpu-softbody/mesh": `${base}mesh.js` };
  return html(`<script type="importmap">${JSON.stringify({ imports })}</script>`, '<script type="module" src="./mesh-page.js"></script>');
}

const tests = {
  async "npm pack and npm install work"() {
    const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", app], { cwd: PACKAGE });
    const [{ filename, files }] = JSON.parse(stdout);
    const names = files.map(({ path }) => path);
    const wanted = ["index.js", "index.d.ts", "webgpu_softbody.js", "webgpu_softbody_bg.wasm"];
    const forMeshes = ["mesh.js", "mesh.d.ts", "mesh-worker.js", "webgpu_softbody_mesh.js", "webgpu_softbody_mesh_bg.wasm"];
    for (const name of [...wanted, ...forMeshes]) assert.ok(names.includes(name), `${name} is not packed: ${names}`);
    await run("npm", "install", "--no-audit", "--no-fund", `./${filename}`);
    assert.ok(existsSync(join(app, "node_modules/webgpu-softbody/index.js")));
  },

  async "importing in Node does nothing, and says that there is no WebGPU and no Worker"() {
    const script = `const before = Object.keys(globalThis).join();
      globalThis.fetch = () => { throw new Error("fetched"); };
      const { SoftBody, SoftBodyError } = await import("webgpu-softbody");
      const mesh = await import("webgpu-softbody/mesh");
      const { supported, reason } = await SoftBody.isSupported();
      const code = await SoftBody.create({}).catch((error) => error instanceof SoftBodyError && error.code);
      const meshCode = await mesh.importMesh(new Uint8Array(9)).catch((error) => error instanceof SoftBodyError && error.code);
      const same = mesh.SoftBodyError === SoftBodyError;
      console.log(JSON.stringify({ supported, reason, code, meshCode, same, clean: before === Object.keys(globalThis).join() }));`;
    const told = JSON.parse(await run(process.execPath, "--input-type=module", "-e", script));
    const expected = { supported: false, reason: "no-webgpu", code: "webgpu-unavailable", meshCode: "wasm-load", same: true, clean: true };
    assert.deepEqual(told, expected);
    for (const name of ["webgpu-softbody", "webgpu-softbody/mesh"]) assert.equal(await run(process.execPath, "-e", `import('${name}')`), "");
  },

  async "the types are sound, and refuse what does not exist"() {
    await run("npx", "--no-install", "tsc", "-p", ".");
  },

  async "a plain Vite build runs in the browser, and loads the mesh module when it is used"() {
    await run("npx", "--no-install", "vite", "build", "--base", "./");
    await checkServed(join(app, "dist"), "/deep/er/", checkBody);
  },

  async "Vite's development server runs it as it is"() {
    const vite = spawn(process.execPath, ["node_modules/vite/bin/vite.js", "--port", "0"], { cwd: app, env: { ...process.env, NO_COLOR: "1" } });
    try {
      const url = await new Promise((resolve, reject) => {
        let told = "";
        const hear = (chunk) => {
          told += chunk;
          const found = /http:\/\/localhost:\d+\//.exec(told);
          if (found) resolve(found[0]);
        };
        vite.stdout.on("data", hear);
        vite.stderr.on("data", hear);
        vite.on("exit", (code) => reject(new Error(`vite ended with ${code}: ${told}`)));
      });
      await onPage(url, async (page) => {
        await checkBody(page);
        await checkMesh(page);
      });
    } finally {
      vite.kill();
    }
  },

  async "a webpack build runs in the browser"() {
    await run(process.execPath, "webpack-build.mjs", "auto");
    write("dist-webpack/index.html", html("", '<script defer src="main.js"></script>'));
    await checkServed(join(app, "dist-webpack"), "/deep/er/");
  },

  async "a Vite and a webpack build may lie on another origin than the page"() {
    for (const [name, first, build] of [
      ["dist-far", checkBody, (url) => run("npx", "--no-install", "vite", "build", "--outDir", "dist-far", "--base", url)],
      ["dist-webpack", undefined, (url) => run(process.execPath, "webpack-build.mjs", url)],
    ]) {
      await far(join(app, name), async (cdn) => {
        await build(cdn.url);
        if (name === "dist-webpack") write("page/index.html", html("", `<script defer src="${cdn.url}main.js"></script>`));
        else write("page/index.html", readFileSync(join(app, name, "index.html")));
        await checkServed(join(app, "page"), "/page/", first, cdn);
      });
    }
  },

  async "plain script modules with an import map run as they are"() {
    write("index.html", plainPage("./node_modules/webgpu-softbody/"));
    await checkServed(app, "/plain/");
  },

  async "the package may come from another origin"() {
    await far(join(app, "node_modules/webgpu-softbody"), async (cdn) => {
      write("index.html", plainPage(cdn.url));
      await checkServed(app, "/page/", undefined, cdn);
    });
  },
};

/** A server whose files any page may use, as those of a content delivery network are. */
async function far(folder, work) {
  const cdn = await serve(folder, "/cdn/", { "access-control-allow-origin": "*" });
  try {
    await work(cdn);
  } finally {
    await cdn.close();
  }
}

/** Runs `work` on the page once it is ready; nothing may be in the console. */
async function onPage(url, work) {
  const browser = await launch();
  try {
    const { page, errors } = await open(browser, { url });
    await page.waitForFunction(() => "result" in window);
    await work(page);
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
  }
}

/**
 * Serves a folder and checks the page in it. Neither the mesh module's WebAssembly nor its worker may be asked for before
 * it is used, and the WebAssembly only once, whatever the workers. The package's files come from `source`.
 */
async function checkServed(folder, prefix, first, source) {
  const server = await serve(folder, prefix);
  const { requests } = source ?? server;
  const asked = (pattern) => requests.filter(({ path }) => pattern.test(path)).length;
  try {
    await onPage(server.url, async (page) => {
      await first?.(page);
      // Bundlers may name a file by its content alone. The core's own is fetched by the first body.
      const core = first ? 1 : 0;
      assert.deepEqual([asked(/\.wasm$/), asked(/mesh-worker|mesh_bg/)], [core, 0], "before the mesh module is used");
      await checkMesh(page);
      assert.equal(asked(/\.wasm$/), core + 1, "WebAssembly files fetched");
    });
    assert.deepEqual([...server.requests, ...requests].filter(({ status }) => status !== 200), []);
  } finally {
    await server.close();
  }
}

/** What the page's one tetrahedron did. */
async function checkBody(page) {
  const { failed, positions, refused } = await page.evaluate(() => window.result);
  assert.equal(failed, undefined);
  // Half a second of free fall from 1 m is 1.2 m: it has just met the floor.
  assert.equal(positions.length, 12);
  assert.ok(positions.every(Number.isFinite), positions.join());
  const lowest = Math.min(...positions.filter((_, i) => i % 3 === 1));
  assert.ok(lowest > -1e-3 && lowest < 0.2, `lowest vertex at ${lowest}`);
  assert.equal(refused, "invalid-mesh");
}

/** What the mesh module made of a cube. */
async function checkMesh(page) {
  const found = await page.evaluate(() => window.checkMesh());
  const near = (value, wanted, part, what) => assert.ok(Math.abs(value / wanted - 1) < part, `${what}: ${value}, not about ${wanted}`);
  assert.ok(found.sameClass && found.finite && found.highest, JSON.stringify(found));
  near(found.tets, 2000, 0.1, "tets");
  near(found.after, 3000, 0.1, "tets after an abort");
  assert.equal(found.report.tets, found.tets);
  assert.equal(found.report.components, 1);
  near(found.report.volume, 1, 0.1, "volume");
  near(found.scaledVolume, 1e-6, 0.1, "volume in centimetres");
  assert.match(found.format, /obj/i);
  assert.deepEqual(found.surface.slice(1), [36]);
  assert.equal(found.arrays[0], true);
  assert.equal(found.arrays[2] / 4, found.arrays[1] / 3);
  const { progress, broken, aborted } = found;
  assert.ok(progress.length >= 2 && progress.every((fraction, n) => fraction <= 1 && (n === 0 || fraction > progress[n - 1])), progress.join());
  assert.equal(progress.at(-1), 1);
  assert.deepEqual([broken.code, broken.same], ["invalid-mesh", true]);
  assert.match(broken.message, /^broken\.obj: .*line 16/);
  assert.equal(aborted.code, "aborted");
  assert.ok(aborted.took < 1000, `the abort took ${aborted.took} ms`);
  assert.deepEqual(found.volume, { format: "Gmsh 2.2 ASCII", positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tets: [0, 2, 1, 3], flipped: 1, surface: false });
  assert.deepEqual([found.notSurface.code, /importMesh takes it as it is/.test(found.notSurface.message)], ["invalid-mesh", true]);
  assert.deepEqual(found.picture, {
    uvs: [0, 1, 1, 1, 1, 0, 0, 0],
    parts: [{ triangles: 2, color: [1, 0.5, 0.25, 1], image: 0 }],
    images: [{ width: 2, height: 1, data: [255, 0, 0, 255, 0, 0, 255, 255] }],
  });
}

const passed = await runTests(tests, process.argv[2]);
rmSync(app, { recursive: true, force: true });
process.exit(passed ? 0 : 1);

// The package as a stranger gets it: packed, installed into a new Vite app, type-checked, built, run; imported in Node.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

write(
  "package.json",
  JSON.stringify({
    name: "consumer",
    private: true,
    type: "module",
    devDependencies: { typescript: devDependencies.typescript, vite: devDependencies.vite },
  }),
);
write("index.html", '<!doctype html><link rel="icon" href="data:," /><canvas width="200" height="150"></canvas><script type="module" src="/main.ts"></script>');
// One tetrahedron, given as arrays: no file to serve.
write(
  "main.ts",
  `import { SoftBody, SoftBodyError } from "webgpu-softbody";

async function main() {
  const body = await SoftBody.create(document.querySelector("canvas")!, {
    mesh: { positions: new Float32Array([0, 1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 1]), tets: new Uint32Array([0, 1, 2, 3]) },
    material: "stiff",
    autoResize: false,
  });
  for (let i = 0; i < 30; i++) body.step(1 / 60);
  body.render();
  await body.settled();
  const positions = await body.readPositions();
  const refused = await body.load({ positions: new Float32Array([0, 0, 0]), tets: new Uint32Array([0, 1, 2, 3]) }).then(
    () => "nothing",
    (error: unknown) => (error instanceof SoftBodyError ? error.code : String(error)),
  );
  body.dispose();
  return { positions: [...positions], refused };
}

main().then(
  (result) => Object.assign(window, { result }),
  (error: unknown) => Object.assign(window, { result: { failed: String(error) } }),
);
`,
);
write(
  "types.ts",
  `import { SoftBody, SoftBodyError, type ErrorCode, type MeshReport, type SoftBodyOptions } from "webgpu-softbody";

export async function use(canvas: OffscreenCanvas, options: SoftBodyOptions): Promise<MeshReport> {
  using body = await SoftBody.create(canvas, { ...options, material: { youngsModulus: 1e5 }, pinned: new Uint32Array([1]) });
  const off: () => void = body.on("frame", ({ cpuMs }) => console.log(cpuMs));
  body.on("error", (error) => {
    const code: ErrorCode = error.code;
    console.log(code);
  });
  off();
  // @ts-expect-error there is no such event
  body.on("tick", () => {});
  // @ts-expect-error there is no such material
  body.setMaterial("silk");
  // @ts-expect-error bodies come from create()
  new SoftBody();
  // @ts-expect-error a misspelt option
  body.setSolver({ substep: 3 });
  const y: number | undefined = (await body.readPositions())[1];
  console.log(y, new SoftBodyError("internal", "x").details);
  return body.load({ positions: "a.bin", tets: new URL("b.bin", "https://example.test") }, { units: "mm" });
}
`,
);
write(
  "tsconfig.json",
  JSON.stringify({
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      target: "es2022",
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["es2022", "dom"],
      types: [],
    },
    include: ["*.ts"],
  }),
);

const tests = {
  async "npm pack and npm install work"() {
    const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", app], { cwd: PACKAGE });
    const [{ filename, files }] = JSON.parse(stdout);
    const names = files.map(({ path }) => path);
    for (const name of ["index.js", "index.d.ts", "webgpu_softbody.js", "webgpu_softbody_bg.wasm"]) {
      assert.ok(names.includes(name), `${name} is not packed: ${names}`);
    }
    await run("npm", "install", "--no-audit", "--no-fund", `./${filename}`);
    assert.ok(existsSync(join(app, "node_modules/webgpu-softbody/index.js")));
  },

  async "importing in Node does nothing, and says that there is no WebGPU"() {
    const script = `const before = Object.keys(globalThis).join();
      globalThis.fetch = () => { throw new Error("fetched"); };
      const { SoftBody, SoftBodyError } = await import("webgpu-softbody");
      const { supported, reason } = await SoftBody.isSupported();
      const code = await SoftBody.create({}).catch((error) => error instanceof SoftBodyError && error.code);
      console.log(JSON.stringify({ supported, reason, code, clean: before === Object.keys(globalThis).join() }));`;
    const told = JSON.parse(await run(process.execPath, "--input-type=module", "-e", script));
    assert.deepEqual(told, { supported: false, reason: "no-webgpu", code: "webgpu-unavailable", clean: true });
    assert.equal(await run(process.execPath, "-e", "import('webgpu-softbody')"), "");
  },

  async "the types are sound, and refuse what does not exist"() {
    await run("npx", "--no-install", "tsc", "-p", ".");
  },

  async "a plain Vite build runs in the browser"() {
    await run("npx", "--no-install", "vite", "build", "--base", "./");
    const server = await serve(join(app, "dist"), "/deep/er/");
    try {
      await checkApp(server.url);
      assert.deepEqual(server.requests.filter(({ status }) => status !== 200), []);
    } finally {
      await server.close();
    }
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
      await checkApp(url);
    } finally {
      vite.kill();
    }
  },
};

/** Opens the app and checks what its one tetrahedron did. */
async function checkApp(url) {
  const browser = await launch();
  try {
    const { page, errors } = await open(browser, { url });
    await page.waitForFunction(() => "result" in window);
    const { failed, positions, refused } = await page.evaluate(() => window.result);
    assert.equal(failed, undefined);
    // Half a second of free fall from 1 m is 1.2 m: it has just met the floor.
    assert.equal(positions.length, 12);
    assert.ok(positions.every(Number.isFinite), positions.join());
    const lowest = Math.min(...positions.filter((_, i) => i % 3 === 1));
    assert.ok(lowest > -1e-3 && lowest < 0.2, `lowest vertex at ${lowest}`);
    assert.equal(refused, "invalid-mesh");
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
  }
}

const passed = await runTests(tests, process.argv[2]);
rmSync(app, { recursive: true, force: true });
process.exit(passed ? 0 : 1);

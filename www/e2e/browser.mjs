// Starts Chromium with a software GPU, and opens pages that write down every error they see.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

/** A WebGPU adapter without a GPU, and a canvas that shows up in screenshots. */
const FLAGS = [
  "--no-sandbox",
  "--enable-unsafe-webgpu",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
  "--use-angle=swiftshader",
  "--ignore-gpu-blocklist",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** What to look for on PATH; scripts/setup.sh looks for the same. */
const NAMES = ["chromium", "chromium-browser", "google-chrome"];

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The browser's program: what the variable CHROMIUM names, otherwise the first of NAMES that is on PATH.
 * @param {{ CHROMIUM?: string, PATH?: string }} env
 * @returns {string}
 */
export function findChromium(env = process.env) {
  if (env.CHROMIUM) {
    if (!isProgram(env.CHROMIUM)) throw new Error(`CHROMIUM is '${env.CHROMIUM}', which is not a program`);
    return env.CHROMIUM;
  }
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
  if (!found) throw new Error(`none of ${NAMES.join(", ")} is on PATH; the variable CHROMIUM can name the browser`);
  return found;
}

export function launch() {
  return chromium.launch({ executablePath: findChromium(), args: FLAGS });
}

/**
 * A page in a context of its own. `errors` collects what the console, uncaught errors and failed requests say.
 * @param {import("playwright-core").Browser} browser
 * @param {{ url: string, context?: import("playwright-core").BrowserContextOptions, init?: (() => void)[],
 *   prepare?: (page: import("playwright-core").Page) => Promise<void> }} options init scripts and `prepare` come before the page
 */
export async function open(browser, { url, context: contextOptions, init = [], prepare }) {
  const context = await browser.newContext({ viewport: { width: 900, height: 600 }, ...contextOptions });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") errors.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => errors.push(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => errors.push(`request failed: ${request.url()} ${request.failure()?.errorText ?? ""}`));
  for (const script of init) await page.addInitScript(script);
  await prepare?.(page);
  await page.goto(url);
  return { page, context, errors };
}

/** Init script: counts the GPU memory that is held, as window.gpuMemory(). */
export function countGpuMemory() {
  if (!globalThis.GPUDevice) return;
  const live = new Map();
  for (const [create, type] of [["createBuffer", GPUBuffer], ["createTexture", GPUTexture]]) {
    const original = GPUDevice.prototype[create];
    GPUDevice.prototype[create] = function (descriptor) {
      const made = original.call(this, descriptor);
      const extent = descriptor.size;
      const [width, height = 1, layers = 1] = Array.isArray(extent) ? extent : [extent.width, extent.height, extent.depthOrArrayLayers];
      live.set(made, create === "createBuffer" ? descriptor.size : width * height * layers * 4 * (descriptor.sampleCount ?? 1));
      return made;
    };
    const destroy = type.prototype.destroy;
    type.prototype.destroy = function () {
      live.delete(this);
      return destroy.call(this);
    };
  }
  window.gpuMemory = () => ({ objects: live.size, bytes: [...live.values()].reduce((sum, size) => sum + size, 0) });
}

/** Init script: a browser without WebGPU. */
export function withoutWebGpu() {
  Object.defineProperty(Navigator.prototype, "gpu", { get: () => undefined, configurable: true });
}

/** Init script: WebGPU, but no adapter. */
export function withoutAdapter() {
  if (globalThis.GPU) GPU.prototype.requestAdapter = async () => null;
}

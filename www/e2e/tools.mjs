// What the browser tests share: the served page, the browser, and ways to ask the page and its body.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, open } from "./browser.mjs";
import { serve } from "./server.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const DIST = join(HERE, "../dist");
export const BAD = join(HERE, "data/bad");
export const MODELS = join(HERE, "../public/models");
const RESULTS = join(HERE, "../../test-results");
export const PREFIX = "/some/sub/path/";
/** Free of panels at 900 × 600: what is drawn here is the scene. */
const SCENE = { x: 300, y: 40, width: 280, height: 500 };

if (!existsSync(join(DIST, "index.html"))) {
  console.error(`${DIST} has no page: run "npm run build" first`);
  process.exit(1);
}
mkdirSync(RESULTS, { recursive: true });
export const server = await serve(DIST, PREFIX);
const browser = await launch();

export const state = (page) => page.evaluate(() => document.documentElement.dataset.softbody);
export const waitForState = (page, wanted) =>
  page.waitForFunction((name) => document.documentElement.dataset.softbody === name, wanted).catch(async (error) => {
    const told = await page.locator("#fail, #toast").allInnerTexts();
    throw new Error(`state is ${await state(page)}, not ${wanted}: ${told.join(" ")}`, { cause: error });
  });
export const waitForPreset = (page, name) => page.waitForFunction((wanted) => document.documentElement.dataset.preset === wanted, name);
export const scene = (page) => page.screenshot({ clip: SCENE });
export const keep = (page, name) => page.screenshot({ path: join(RESULTS, `${name}.png`) });
export const figure = async (page, name) => (await page.locator(`[data-figure=${name}]`).innerText()).replace(",", "");
export const choose = (page, label) => page.locator("#panel select").first().selectOption({ label });
export const modelFiles = (folder, name) => ["positions.vec3f32bin", "tet_indices.vec4u32bin"].map((suffix) => join(folder, `${name}_${suffix}`));

/** Opens the page with a query, runs `work`, and fails on anything in the console but what matches `options.expected`. */
export async function onPage(query, work, options = {}) {
  const opened = await open(browser, { url: server.url + query, ...options });
  try {
    await work(opened.page, opened);
    assert.deepEqual(opened.errors.filter((error) => !options.expected?.test(error)), []);
  } finally {
    await opened.context.close();
  }
}

/** Simulates `frames` frames of 1/60 s without drawing; never more than a few ahead of the GPU. */
export function simulate(page, frames) {
  return page.evaluate(async (count) => {
    for (let frame = 1; frame <= count; frame++) {
      window.softbody.step(1 / 60);
      if (frame % 20 === 0) await window.softbody.settled();
    }
    await window.softbody.settled();
  }, frames);
}

/** Extremes of the body's positions and speeds. */
export function extremes(page) {
  return page.evaluate(async () => {
    const positions = await window.softbody.readPositions();
    const velocities = await window.softbody.readVelocities();
    const result = { vertices: positions.length / 3, finite: true, minY: Infinity, maxY: -Infinity, maxSpeed: 0, meanSpeed: 0, meanX: 0, meanY: 0, meanRise: 0 };
    for (let i = 0; i < positions.length; i += 3) {
      const speed = Math.hypot(velocities[i], velocities[i + 1], velocities[i + 2]);
      if (![positions[i], positions[i + 1], positions[i + 2], speed].every(Number.isFinite)) result.finite = false;
      result.minY = Math.min(result.minY, positions[i + 1]);
      result.maxY = Math.max(result.maxY, positions[i + 1]);
      result.maxSpeed = Math.max(result.maxSpeed, speed);
      result.meanSpeed += (3 * speed) / positions.length;
      result.meanX += (3 * positions[i]) / positions.length;
      result.meanY += (3 * positions[i + 1]) / positions.length;
      result.meanRise += (3 * velocities[i + 1]) / positions.length;
    }
    return result;
  });
}

/**
 * Drops files on the canvas as a visitor would.
 * @param {(string | { name: string, bytes: Buffer })[]} files paths, or names with content
 */
export async function drop(page, files) {
  const given = files.map((file) => (typeof file === "string" ? { name: file.slice(file.lastIndexOf("/") + 1), bytes: readFileSync(file) } : file));
  const sent = given.map(({ name, bytes }) => ({ name, base64: bytes.toString("base64") }));
  await page.evaluate((sent) => {
    const dataTransfer = new DataTransfer();
    for (const { name, base64 } of sent) dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
    const send = (type) => document.getElementById("scene").dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    send("dragover");
    send("drop");
  }, sent);
}

export async function closeAll() {
  await browser.close();
  await server.close();
}

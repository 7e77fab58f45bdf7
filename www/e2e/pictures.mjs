// Takes the README's pictures of the built page: `node www/e2e/pictures.mjs [NAME]`. Software rendering, no time limit.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { glb } from "./models.mjs";
import { closeAll, drop, onPage, simulate, waitForState } from "./tools.mjs";

const OUT = join(dirname(fileURLToPath(import.meta.url)), "../../docs/images");
const context = { viewport: { width: 960, height: 600 } };
/** Preset, stiffness, and the frame that shows it best. */
const PRESETS = [
  ["bunny", "medium", 27],
  ["hand", "medium", 32],
  ["cube", "medium", 39],
  ["torus", "medium", 31],
  ["beam", "medium", 90],
];

/** Runs in the page: brings the camera to where the body is now. */
async function closeUp(far) {
  const positions = await window.softbody.readPositions();
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((value, index) => {
    low[index % 3] = Math.min(low[index % 3], value);
    high[index % 3] = Math.max(high[index % 3], value);
  });
  const middle = low.map((value, axis) => (value + high[axis]) / 2);
  const size = Math.hypot(...low.map((value, axis) => high[axis] - value));
  const away = [0.5, 0.32, 1].map((part) => part * size * far);
  const target = [middle[0], middle[1] - 0.08 * size, middle[2]];
  window.softbody.setCamera({ target, position: target.map((value, axis) => value + away[axis]) });
  window.softbody.render();
  await window.softbody.settled();
}

async function take(page, name) {
  // The canvas shows what was drawn with the next frame of the browser.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path: join(OUT, `${name}.png`) });
  console.log(`${name}.png`);
}

const wanted = (name) => process.argv[2] === undefined || process.argv[2] === name;
mkdirSync(OUT, { recursive: true });
for (const [preset, stiffness, frames] of PRESETS.filter(([name]) => wanted(name))) {
  await onPage(
    `?preset=${preset}&stiffness=${stiffness}&paused=1`,
    async (page) => {
      await waitForState(page, "paused");
      await page.addStyleTag({ content: "body > :not(canvas) { visibility: hidden !important; }" });
      await simulate(page, frames);
      await page.evaluate(closeUp, 1.35);
      await take(page, preset);
    },
    { context },
  );
}
if (wanted("import")) {
  // A file dropped on the page: its texture on the jelly, and the report.
  await onPage(
    "?preset=cube&stiffness=soft&paused=1",
    async (page) => {
      await waitForState(page, "paused");
      await drop(page, [{ name: "ball.glb", bytes: glb(0.5, 32) }]);
      await page.waitForFunction(() => document.documentElement.dataset.mesh.startsWith("ball.glb"));
      await page.locator("#notice button").click();
      await page.locator("#report summary").click();
      await page.addStyleTag({ content: "#panel { visibility: hidden; }" });
      await simulate(page, 26);
      await page.evaluate(closeUp, 1.5);
      await take(page, "import");
    },
    { context },
  );
}
await closeAll();

// Takes the README's pictures of the built page: `node www/e2e/pictures.mjs [NAME]`. Software rendering, no time limit.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PNG } from "pngjs";
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

/** The canvas shows what was drawn with the next frame of the browser. */
const shown = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function take(page, name) {
  await shown(page);
  await page.screenshot({ path: join(OUT, `${name}.png`) });
  console.log(`${name}.png`);
}

/** Pictures of the same height, one beside the other. */
function beside(pictures) {
  const read = pictures.map((picture) => PNG.sync.read(picture));
  const joined = new PNG({ width: read.reduce((sum, { width }) => sum + width, 0), height: read[0].height });
  let left = 0;
  for (const picture of read) {
    PNG.bitblt(picture, joined, 0, 0, picture.width, picture.height, left, 0);
    left += picture.width;
  }
  // Without the alpha that a screenshot carries in vain.
  return PNG.sync.write(joined, { colorType: 2, filterType: -1 });
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
if (wanted("fabrics")) {
  // The same cloth over the same table, of silk and of cotton.
  const pictures = [];
  for (const fabric of ["silk", "cotton"]) {
    await onPage(
      `?scene=tablecloth&fabric=${fabric}&paused=1`,
      async (page) => {
        await waitForState(page, "paused");
        await page.addStyleTag({ content: "body > :not(canvas) { visibility: hidden !important; }" });
        await page.evaluate(() => window.softbody.setAppearance({ color: "#b5305a" }));
        // In small portions: software rendering takes a second per frame where the machine is busy.
        for (let i = 0; i < 15; i++) await simulate(page, 5);
        await page.evaluate(() => {
          window.softbody.setCamera({ position: [-0.85, 1.25, 2.15], target: [0, 0.36, 0], fovYDegrees: 38 });
          window.softbody.render();
          return window.softbody.settled();
        });
        await shown(page);
        pictures.push(await page.screenshot({ clip: { x: 35, y: 70, width: 400, height: 300 } }));
      },
      { context: { viewport: { width: 480, height: 420 } } },
    );
  }
  writeFileSync(join(OUT, "fabrics.png"), beside(pictures));
  console.log("fabrics.png");
}
await closeAll();

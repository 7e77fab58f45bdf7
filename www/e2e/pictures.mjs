// Takes the README's pictures of the built page: `node www/e2e/pictures.mjs`. Software rendering, no time limit.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { closeAll, onPage, simulate, waitForState } from "./tools.mjs";

const OUT = join(dirname(fileURLToPath(import.meta.url)), "../../docs/images");
/** Preset, stiffness, and the frame that shows it best. */
const PICTURES = [
  ["cube", "medium", 39],
  ["torus", "medium", 31],
  ["beam", "medium", 90],
];

/** Runs in the page: brings the camera to where the body is now. */
async function closeUp() {
  const positions = await window.softbody.readPositions();
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((value, index) => {
    low[index % 3] = Math.min(low[index % 3], value);
    high[index % 3] = Math.max(high[index % 3], value);
  });
  const middle = low.map((value, axis) => (value + high[axis]) / 2);
  const size = Math.hypot(...low.map((value, axis) => high[axis] - value));
  const away = [0.5, 0.32, 1].map((part) => part * size * 1.35);
  const target = [middle[0], middle[1] - 0.08 * size, middle[2]];
  window.softbody.setCamera({ target, position: target.map((value, axis) => value + away[axis]) });
}

mkdirSync(OUT, { recursive: true });
for (const [preset, stiffness, frames] of PICTURES) {
  const context = { viewport: { width: 960, height: 600 } };
  await onPage(
    `?preset=${preset}&stiffness=${stiffness}&paused=1`,
    async (page) => {
      await waitForState(page, "paused");
      await page.addStyleTag({ content: "body > :not(canvas) { visibility: hidden !important; }" });
      await simulate(page, frames);
      await page.evaluate(closeUp);
      await page.evaluate(() => window.softbody.settled());
      await page.screenshot({ path: join(OUT, `${preset}.png`) });
      console.log(`${preset}.png`);
    },
    { context },
  );
}
await closeAll();

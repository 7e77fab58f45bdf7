// Takes the README's pictures of the built page: `node www/e2e/pictures.mjs`. Software rendering, no time limit.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { closeAll, onPage, simulate, waitForState } from "./tools.mjs";

const OUT = join(dirname(fileURLToPath(import.meta.url)), "../../docs/images");
/** Preset, stiffness, and the frame that shows it best. */
const PICTURES = [
  ["cube", "soft", 46],
  ["torus", "soft", 34],
  ["beam", "soft", 22],
];

mkdirSync(OUT, { recursive: true });
for (const [preset, stiffness, frames] of PICTURES) {
  const context = { viewport: { width: 960, height: 600 } };
  await onPage(
    `?preset=${preset}&stiffness=${stiffness}&paused=1`,
    async (page) => {
      await waitForState(page, "paused");
      await page.addStyleTag({ content: "body > :not(canvas) { visibility: hidden !important; }" });
      await simulate(page, frames);
      await page.evaluate(() => window.softbody.render());
      await page.evaluate(() => window.softbody.settled());
      await page.screenshot({ path: join(OUT, `${preset}.png`) });
      console.log(`${preset}.png`);
    },
    { context },
  );
}
await closeAll();

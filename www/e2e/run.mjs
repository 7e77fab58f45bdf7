// Tests of the built page in Chromium: `node e2e/run.mjs [part of a test's name]`. CHROMIUM names another browser binary.
import { apiTests } from "./api.tests.mjs";
import { benchTests } from "./bench.tests.mjs";
import { bodyTests } from "./body.tests.mjs";
import { clothTests } from "./cloth.tests.mjs";
import { runTests } from "./harness.mjs";
import { grabTests } from "./grab.tests.mjs";
import { handsTests } from "./hands.tests.mjs";
import { importTests } from "./import.tests.mjs";
import { largeTests } from "./large.tests.mjs";
import { pageTests } from "./page.tests.mjs";
import { surfaceTests } from "./surface.tests.mjs";
import { closeAll } from "./tools.mjs";

const all = { ...pageTests, ...bodyTests, ...handsTests, ...grabTests, ...importTests, ...apiTests, ...surfaceTests, ...clothTests, ...largeTests, ...benchTests };
const passed = await runTests(all, process.argv[2]);
await closeAll();
process.exit(passed ? 0 : 1);

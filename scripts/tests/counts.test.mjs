// Tests of counts.mjs on summary lines as the runners print them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countTests } from "../counts.mjs";

test("nextest: passes, failures, timeouts and skips", () => {
  const text = "     Summary [   3.214s] 15 tests run: 12 passed (1 slow), 2 failed, 1 timed out, 4 skipped\n";
  assert.deepEqual(countTests("nextest", text), { passed: 12, failed: 3, skipped: 4 });
  assert.deepEqual(countTests("nextest", "     Summary [   0.012s] 1 test run: 1 passed, 0 skipped\n"), { passed: 1, failed: 0, skipped: 0 });
});

test("libtest: all binaries are summed, colours do not hide a line", () => {
  const text =
    "test result: \u001b[32mok\u001b[0m. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n" +
    "test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 5 filtered out; finished in 1.20s\n";
  assert.deepEqual(countTests("libtest", text), { passed: 7, failed: 2, skipped: 1 });
});

test("node: both reporters, cancelled counts as failed", () => {
  const tap = "# tests 6\n# suites 0\n# pass 3\n# fail 1\n# cancelled 1\n# skipped 1\n# todo 0\n# duration_ms 50\n";
  assert.deepEqual(countTests("node", tap), { passed: 3, failed: 2, skipped: 1 });
  assert.deepEqual(countTests("node", tap.replaceAll("#", "ℹ")), { passed: 3, failed: 2, skipped: 1 });
});

test("plain: only a line of its own counts", () => {
  assert.deepEqual(countTests("plain", "the page says 9 passed, 9 failed\n5 passed, 1 failed\n"), { passed: 5, failed: 1, skipped: 0 });
});

test("no summary is not the same as no tests", () => {
  for (const kind of ["nextest", "libtest", "node", "plain"]) assert.equal(countTests(kind, "error: could not compile\n"), null);
  assert.deepEqual(countTests("plain", "0 passed, 0 failed"), { passed: 0, failed: 0, skipped: 0 });
  assert.throws(() => countTests("mocha", ""), /unknown runner 'mocha'/);
});

// Runs named tests one after the other, tells each, and ends with the line "N passed, N failed".
const TEST_TIMEOUT_MS = 150_000;

/**
 * @param {Record<string, () => Promise<void>>} tests
 * @param {string | undefined} only part of the names to run
 * @returns {Promise<boolean>} whether all passed
 */
export async function runTests(tests, only) {
  let passed = 0;
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const start = performance.now();
    let timer;
    try {
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`took longer than ${TEST_TIMEOUT_MS / 1000} s`)), TEST_TIMEOUT_MS);
      });
      await Promise.race([test(), late]);
      passed += 1;
      console.log(`ok ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    } catch (thrown) {
      failed += 1;
      console.log(`not ok ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)\n    ${String(thrown?.stack ?? thrown).replaceAll("\n", "\n    ")}`);
    } finally {
      clearTimeout(timer);
    }
  }
  // A filter that matches nothing must not look like success.
  if (passed + failed === 0) failed = 1;
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

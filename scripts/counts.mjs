// Reads how many tests passed and failed out of the text that a test runner prints.

const PATTERNS = {
  // cargo-nextest: "Summary [   1.2s] 12 tests run: 11 passed (1 slow), 1 failed, 2 timed out, 3 skipped"
  nextest: /^\s*Summary \[.*\] .*tests? run: (.*)$/gm,
  // libtest and wasm-bindgen-test: "test result: ok. 3 passed; 0 failed; 0 ignored; ..."
  libtest: /^test result: \S+ (.*)$/gm,
  // node --test: "# pass 3" (TAP) or "ℹ pass 3" (spec reporter), one line per kind
  node: /^(?:#|ℹ) (?:pass|fail|cancelled|skipped|todo) \d+$/gm,
  // our own runners: "3 passed, 0 failed", alone on a line
  plain: /^\d+ passed, \d+ failed$/gm,
};

const sum = (text, pattern) => [...text.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);

/** Colour codes would hide line starts. */
export function withoutColours(text) {
  return text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, "");
}

/**
 * Sums up every summary line of the runner `kind` in `text`: { passed, failed, skipped }.
 * Returns null if there is no summary line at all, that is, the runner did not get so far.
 */
export function countTests(kind, text) {
  const pattern = PATTERNS[kind];
  if (!pattern) throw new Error(`unknown runner '${kind}'; known: ${Object.keys(PATTERNS).join(", ")}`);
  const lines = withoutColours(text).match(pattern);
  if (!lines) return null;
  const all = lines.join("\n");
  if (kind === "node") {
    return {
      passed: sum(all, /\bpass (\d+)/g),
      failed: sum(all, /\b(?:fail|cancelled) (\d+)/g),
      skipped: sum(all, /\b(?:skipped|todo) (\d+)/g),
    };
  }
  return {
    passed: sum(all, /(\d+) passed/g),
    failed: sum(all, /(\d+) (?:failed|timed out|exec failed)/g),
    skipped: sum(all, /(\d+) (?:skipped|ignored)/g),
  };
}

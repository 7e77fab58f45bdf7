// Holds the published types of the package: the common rules, and the same names as the exported class.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { testDeclarations, ts } from "./declarations.mjs";

const nodes = testDeclarations("index.d.ts", 60);

test("the class has the members of the Rust class, and no others", () => {
  const declared = nodes.find((node) => ts.isClassDeclaration(node) && node.name.text === "SoftBody");
  const names = declared.members.flatMap((member) => (member.name && !ts.isConstructorDeclaration(member) ? [member.name.getText()] : []));
  const members = (file) => {
    const rust = readFileSync(new URL(`../../src/web/${file}.rs`, import.meta.url), "utf8");
    return rust.slice(rust.indexOf("#[wasm_bindgen]\nimpl SoftBody"));
  };
  const exported = members("mod") + members("cloth") + members("hands");
  const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  const inRust = [...exported.matchAll(/^    pub fn (\w+)/gm)].map(([, name]) => camel(name));
  // What index.js adds to the generated class.
  const added = ["isSupported", "[Symbol.dispose]"];
  assert.deepEqual([...names].sort(), [...inRust, ...added].sort());
});

test("the page's material presets are the package's", () => {
  const rust = readFileSync(new URL("../../src/settings.rs", import.meta.url), "utf8");
  const page = readFileSync(new URL("../../www/src/controls.ts", import.meta.url), "utf8");
  for (const name of ["soft", "medium", "stiff"]) {
    const [, inRust] = rust.match(new RegExp(`pub const ${name.toUpperCase()}: Self = Self \\{([^}]*)\\}`));
    const number = (text, key) => Number(text.match(new RegExp(`${key}: ([\\d.e]+)`))[1]);
    const [, inPage] = page.match(new RegExp(`${name}: \\{([^}]*)\\}`));
    assert.equal(number(inPage, "youngsModulus"), number(inRust, "youngs_modulus"), name);
    assert.equal(number(inPage, "poissonRatio"), number(inRust, "poisson_ratio"), name);
  }
});

test("the page's fabrics stretch as far as the package's", () => {
  const rust = readFileSync(new URL("../../src/settings/cloth.rs", import.meta.url), "utf8");
  const page = readFileSync(new URL("../../www/src/cloths.ts", import.meta.url), "utf8");
  const [, limits] = page.match(/STRAIN_LIMIT: .* = \{([^}]*)\}/);
  for (const name of ["silk", "cotton", "rubber"]) {
    const [, material] = rust.match(new RegExp(`pub const ${name.toUpperCase()}: Self = Self \\{([^}]*)\\}`));
    const [, inRust] = material.match(/strain_limit: (.*),/);
    const [, inPage] = limits.match(new RegExp(`${name}: ([\\w.]+)`));
    assert.equal(inPage, inRust === "None" ? "Infinity" : inRust.match(/^Some\((.*)\)$/)[1], name);
  }
});

test("what the page knows of the solver is the package's", () => {
  const rust = readFileSync(new URL("../../src/settings.rs", import.meta.url), "utf8");
  const solver = readFileSync(new URL("../../www/src/solver.ts", import.meta.url), "utf8");
  const query = readFileSync(new URL("../../www/src/query.ts", import.meta.url), "utf8");
  const number = (text, pattern) => Number(text.match(pattern)[1]);
  assert.equal(number(solver, /XPBD_SUBSTEPS = (\d+)/), number(rust, /XPBD_SUBSTEPS: u32 = (\d+)/));
  assert.ok(number(query, /SUBSTEPS = \{ min: 1, max: (\d+)/) > number(rust, /BUDGET: u32 = (\d+)/));
  const finding = readFileSync(new URL("../../src/mesh/finding.rs", import.meta.url), "utf8");
  assert.equal(solver.match(/SLOWED = "(.*)"/)[1], finding.match(/SCALED_DYNAMICS: &'static str = "(.*)"/)[1]);
});

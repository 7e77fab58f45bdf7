// Holds the published types: a golden file of the bare contract, a comment on every member, no `any`, and the same
// names as the exported class.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ts = createRequire(new URL("../../www/package.json", import.meta.url))("typescript");
const file = fileURLToPath(new URL("../index.d.ts", import.meta.url));
const golden = fileURLToPath(new URL("./index.d.ts.golden", import.meta.url));
const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);

/** Every node, depth first. */
function* nodes(node = source) {
  yield node;
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodes(child);
}

test("the contract is the golden one (UPDATE_GOLDEN=1 writes a new one, for review)", () => {
  const bare = ts.createPrinter({ removeComments: true }).printFile(source);
  if (process.env.UPDATE_GOLDEN) writeFileSync(golden, bare);
  assert.equal(bare, readFileSync(golden, "utf8"));
});

test("nothing is `any`", () => {
  const found = [...nodes()].filter((node) => node.kind === ts.SyntaxKind.AnyKeyword);
  assert.deepEqual(found.map((node) => node.parent.getText()), []);
});

test("every exported name and every member says what it is", () => {
  const wanted = [...nodes()].filter(
    (node) =>
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ((ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isMethodDeclaration(node)) &&
        (ts.isInterfaceDeclaration(node.parent) || ts.isClassDeclaration(node.parent))),
  );
  assert.ok(wanted.length > 60, `only ${wanted.length} declarations were met`);
  const silent = wanted.filter((node) => !ts.getJSDocCommentsAndTags(node).some((doc) => doc.getText().length > 15));
  assert.deepEqual(silent.map((node) => `${node.parent.name?.getText() ?? ""}.${node.name.getText()}`), []);
});

test("the class has the members of the Rust class, and no others", () => {
  const declared = [...nodes()].find((node) => ts.isClassDeclaration(node) && node.name.text === "SoftBody");
  const names = declared.members.flatMap((member) => (member.name && !ts.isConstructorDeclaration(member) ? [member.name.getText()] : []));
  const rust = readFileSync(new URL("../../src/web/mod.rs", import.meta.url), "utf8");
  const exported = rust.slice(rust.indexOf("#[wasm_bindgen]\nimpl SoftBody"));
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

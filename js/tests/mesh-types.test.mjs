// Holds the published types of webgpu-softbody/mesh: a golden file of the bare contract, a comment on every member, no
// `any`, and the same names as the module exports.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ts = createRequire(new URL("../../www/package.json", import.meta.url))("typescript");
const file = fileURLToPath(new URL("../mesh.d.ts", import.meta.url));
const golden = fileURLToPath(new URL("./mesh.d.ts.golden", import.meta.url));
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

test("nothing is `any`, and every exported name and member says what it is", () => {
  const found = [...nodes()].filter((node) => node.kind === ts.SyntaxKind.AnyKeyword);
  assert.deepEqual(found.map((node) => node.parent.getText()), []);
  const wanted = [...nodes()].filter(
    (node) =>
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isFunctionDeclaration(node) ||
      (ts.isPropertySignature(node) && ts.isInterfaceDeclaration(node.parent)),
  );
  assert.ok(wanted.length > 30, `only ${wanted.length} declarations were met`);
  const silent = wanted.filter((node) => !ts.getJSDocCommentsAndTags(node).some((doc) => doc.getText().length > 10));
  assert.deepEqual(silent.map((node) => node.name.getText()), []);
});

test("what the types declare, the module exports", async () => {
  const functions = [...nodes()].filter((node) => ts.isFunctionDeclaration(node)).map((node) => node.name.text);
  assert.deepEqual(Object.keys(await import("../mesh.js")).sort(), ["SoftBodyError", ...functions].sort());
});

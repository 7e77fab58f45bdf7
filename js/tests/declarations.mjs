// What both type tests ask of a `.d.ts`: a golden file of the bare contract, no `any`, and words on every name.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

export const ts = createRequire(new URL("../../www/package.json", import.meta.url))("typescript");

/**
 * Adds the tests of `js/<name>`, which declares at least `least` names, and gives its nodes, depth first.
 * @param {string} name
 * @param {number} least
 */
export function testDeclarations(name, least) {
  const file = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const golden = fileURLToPath(new URL(`./${name}.golden`, import.meta.url));
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const nodes = [];
  const visit = (node) => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);

  test(`${name} is the golden contract (UPDATE_GOLDEN=1 writes a new one, for review)`, () => {
    const bare = ts.createPrinter({ removeComments: true }).printFile(source);
    if (process.env.UPDATE_GOLDEN) writeFileSync(golden, bare);
    assert.equal(bare, readFileSync(golden, "utf8"));
  });

  test(`nothing in ${name} is \`any\``, () => {
    const found = nodes.filter((node) => node.kind === ts.SyntaxKind.AnyKeyword);
    assert.deepEqual(found.map((node) => node.parent.getText()), []);
  });

  test(`every exported name and every member of ${name} says what it is`, () => {
    const member = (node) => ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isMethodDeclaration(node);
    const wanted = nodes.filter(
      (node) =>
        ts.isInterfaceDeclaration(node) ||
        ts.isTypeAliasDeclaration(node) ||
        ts.isClassDeclaration(node) ||
        ts.isFunctionDeclaration(node) ||
        (member(node) && (ts.isInterfaceDeclaration(node.parent) || ts.isClassDeclaration(node.parent))),
    );
    assert.ok(wanted.length > least, `only ${wanted.length} declarations were met`);
    const silent = wanted.filter((node) => !ts.getJSDocCommentsAndTags(node).some((doc) => doc.getText().length > 15));
    assert.deepEqual(silent.map((node) => `${node.parent.name?.getText() ?? ""}.${node.name.getText()}`), []);
  });
  return nodes;
}

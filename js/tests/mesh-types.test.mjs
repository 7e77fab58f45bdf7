// Holds the published types of webgpu-softbody/mesh: the common rules, and the same names as the module exports.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testDeclarations, ts } from "./declarations.mjs";

const nodes = testDeclarations("mesh.d.ts", 30);

test("what the types declare, the module exports", async () => {
  const functions = nodes.filter((node) => ts.isFunctionDeclaration(node)).map((node) => node.name.text);
  assert.deepEqual(Object.keys(await import("../mesh.js")).sort(), ["SoftBodyError", ...functions].sort());
});

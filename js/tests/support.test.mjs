// isSupported in every environment: it answers, with a reason, and never throws.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { isSupported } from "../support.js";

const original = Object.getOwnPropertyDescriptor(globalThis, "navigator");
function pretend(navigator, isSecureContext) {
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  globalThis.isSecureContext = isSecureContext;
}
afterEach(() => {
  delete globalThis.navigator;
  delete globalThis.isSecureContext;
  if (original) Object.defineProperty(globalThis, "navigator", original);
});

test("plain Node has no WebGPU", async () => {
  const report = await isSupported();
  assert.equal(report.supported, false);
  assert.equal(report.reason, "no-webgpu");
  assert.match(report.detail, /navigator\.gpu/);
});

test("an insecure page is told so, not that its browser is old", async () => {
  pretend({}, false);
  assert.equal((await isSupported()).reason, "insecure-context");
});

test("no adapter, a failing request and a throwing getter are no-adapter", async () => {
  pretend({ gpu: { requestAdapter: async () => null } }, true);
  assert.equal((await isSupported()).reason, "no-adapter");
  pretend({ gpu: { requestAdapter: () => Promise.reject(new Error("GPU process gone")) } }, true);
  const failed = await isSupported();
  assert.equal(failed.reason, "no-adapter");
  assert.match(failed.detail, /GPU process gone/);
  pretend({ get gpu() { throw new Error("policy"); } }, true);
  assert.match((await isSupported()).detail, /policy/);
});

test("an adapter is enough, and nothing else is reported then", async () => {
  pretend({ gpu: { requestAdapter: async () => ({}) } }, true);
  assert.deepEqual(await isSupported(), { supported: true });
});

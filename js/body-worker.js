// The worker that prepares one large body: the package's own WebAssembly, without a GPU.
import { initSync, prepareBody } from "./webgpu_softbody.js";

const scope = /** @type {{ postMessage(message: unknown, transfer?: Transferable[]): void }} */ (/** @type {unknown} */ (globalThis));

globalThis.addEventListener("message", ({ data }) => {
  if (data.hello) return scope.postMessage({ ready: true });
  try {
    initSync({ module: data.module });
    const { positions, tets, options, surface, floor, settings } = data;
    const tell = (/** @type {number} */ fraction) => scope.postMessage({ fraction });
    const sections = prepareBody(positions, tets, options, surface, floor, settings, tell);
    scope.postMessage({ sections }, sections.map((list) => list.buffer));
  } catch (thrown) {
    const { code, message } = /** @type {{ code?: unknown, message?: string }} */ (thrown);
    // Ours have a code; anything else is a trap.
    const error = typeof code === "string" ? { code, message } : { code: "internal", message: `preparing the body stopped: ${message} (out of memory?)` };
    scope.postMessage({ error });
  }
});

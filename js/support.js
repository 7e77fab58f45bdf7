// Tells whether WebGPU can be used here, and if not, why. Never throws, needs no wasm, runs anywhere.

/**
 * @returns {Promise<import("./index.js").SupportReport>}
 */
export async function isSupported() {
  try {
    if (globalThis.isSecureContext === false) {
      return no("insecure-context", "WebGPU exists in secure contexts only: serve the page over https or from localhost");
    }
    const gpu = globalThis.navigator?.gpu;
    if (!gpu) return no("no-webgpu", "this environment has no navigator.gpu");
    const adapter = await gpu.requestAdapter();
    if (!adapter) {
      return no("no-adapter", "navigator.gpu.requestAdapter() found no usable GPU: it may be blocklisted or switched off");
    }
    return { supported: true };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return no("no-adapter", `asking for a GPU adapter failed: ${message}`);
  }
}

/**
 * @param {NonNullable<import("./index.js").SupportReport["reason"]>} reason
 * @param {string} detail
 * @returns {import("./index.js").SupportReport}
 */
function no(reason, detail) {
  return { supported: false, reason, detail };
}

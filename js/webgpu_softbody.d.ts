// What index.js uses of the module that wasm-bindgen generates beside it; for type checking only, not published.

/** Instantiates the WebAssembly; a second call does nothing. */
export default function init(options: {
  module_or_path: URL | string | Response | BufferSource | WebAssembly.Module;
}): Promise<unknown>;

export class SoftBody {
  static create(canvas: HTMLCanvasElement | OffscreenCanvas, options: object): Promise<SoftBody>;
  dispose(): void;
}

// What index.js and body-worker.js use of the module that wasm-bindgen generates beside it; for type checking only, not published.

/** Instantiates the WebAssembly; a second call does nothing. */
export default function init(options: {
  module_or_path: URL | string | Response | BufferSource | WebAssembly.Module;
}): Promise<unknown>;

/** The same at once. */
export function initSync(options: { module: WebAssembly.Module }): unknown;

/** The sections of a prepared body, each with a buffer of its own. */
export function prepareBody(
  positions: Uint8Array,
  tets: Uint8Array,
  options: object,
  surface: (Uint32Array | Uint8Array)[],
  floor: number,
  settings: number,
  tell: (fraction: number) => void,
): Uint32Array<ArrayBuffer>[];

export class SoftBody {
  static create(canvas: HTMLCanvasElement | OffscreenCanvas, options: object): Promise<SoftBody>;
  dispose(): void;
}

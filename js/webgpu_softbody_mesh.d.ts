// What mesh-worker.js uses of the module that wasm-bindgen generates beside it; for type checking only, not published.

/** Instantiates a compiled module; a second call does nothing. */
export function initSync(options: { module: WebAssembly.Module }): unknown;

interface Read {
  format: string;
  notes: string[];
  surface?: { images?: { mime?: string; data: Uint8Array }[]; parts?: { triangles: number; image?: number }[] };
}

export function convertFiles(files: { name: string; bytes: Uint8Array }[], options: object, onProgress: (fraction: number) => void): Read;
export function fillSurface(surface: object, options: object, onProgress: (fraction: number) => void): Read;
export function readSurface(files: { name: string; bytes: Uint8Array }[]): Read;

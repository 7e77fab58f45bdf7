// Builds the page against the package in ../pkg; every address in the result is relative, so any folder can host it.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  base: "./",
  resolve: {
    alias: [
      { find: /^webgpu-softbody$/, replacement: here("../pkg/index.js") },
      { find: /^webgpu-softbody\/mesh$/, replacement: here("../pkg/mesh.js") },
    ],
  },
  // The mesh module's worker is a module that loads its WebAssembly glue.
  worker: { format: "es" },
  build: { target: "es2022", outDir: "dist", emptyOutDir: true, assetsInlineLimit: 0 },
  server: { fs: { allow: [here("."), here("../pkg")] } },
});

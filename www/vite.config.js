// Builds the page against the package in ../pkg; every address in the result is relative, so any folder can host it.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  base: "./",
  resolve: { alias: { "webgpu-softbody": here("../pkg/index.js") } },
  build: { target: "es2022", outDir: "dist", emptyOutDir: true, assetsInlineLimit: 0 },
  server: { fs: { allow: [here("."), here("../pkg")] } },
});

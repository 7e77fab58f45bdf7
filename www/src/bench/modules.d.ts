// What the bundler resolves, and the flags of WebGPU that TypeScript's DOM library does not have yet.
declare module "*.wgsl?raw" {
  const text: string;
  export default text;
}
declare module "*.css";

declare const GPUBufferUsage: Readonly<Record<"COPY_SRC" | "COPY_DST" | "MAP_READ" | "STORAGE" | "UNIFORM", number>>;
declare const GPUShaderStage: Readonly<Record<"COMPUTE", number>>;
declare const GPUMapMode: Readonly<Record<"READ", number>>;

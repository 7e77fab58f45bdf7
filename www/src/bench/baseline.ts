// The article's scheme on raw WebGPU (shaders/baseline/article.wgsl), to compare the package with.
import article from "../../../shaders/baseline/article.wgsl?raw";
import articleSvd from "../../../shaders/baseline/article_svd.wgsl?raw";
import { readFloats, storage, type Machine } from "./adapter";
import type { Rest } from "./rest";

const SUBSTEPS = 10;
const ITERATIONS = 8;
const WORKGROUP = 64;
const KERNELS = [
  "predict_positions",
  "reset_multipliers",
  "clamp_and_copy",
  "solve_tets",
  "update_velocities",
  "clear_normals",
  "accumulate_normals",
  "normalize_normals",
] as const;
type Kernel = (typeof KERNELS)[number];

export interface MaterialNumbers {
  youngsModulus: number;
  poissonRatio: number;
  damping: number;
  friction: number;
}

/** The dispatches of a frame in order. */
function frameKernels(): Kernel[] {
  const kernels: Kernel[] = [];
  for (let substep = 0; substep < SUBSTEPS; substep++) {
    kernels.push("predict_positions", "reset_multipliers");
    for (let iteration = 0; iteration < ITERATIONS; iteration++) kernels.push("clamp_and_copy", "solve_tets");
    kernels.push("update_velocities");
  }
  return [...kernels, "clear_normals", "accumulate_normals", "normalize_normals"];
}

/** Made once for all bodies. */
export class Article {
  readonly #device: GPUDevice;
  readonly #layout: GPUBindGroupLayout;
  readonly #pipelines: Record<Kernel, GPUComputePipeline>;
  readonly frame = frameKernels();

  constructor({ device }: Machine) {
    this.#device = device;
    const module = device.createShaderModule({ code: article + articleSvd });
    const types: GPUBufferBindingType[] = ["storage", "storage", "storage", "read-only-storage", "storage", "read-only-storage", "uniform"];
    this.#layout = device.createBindGroupLayout({
      entries: types.map((type, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } })),
    });
    const layout = device.createPipelineLayout({ bindGroupLayouts: [this.#layout] });
    this.#pipelines = Object.fromEntries(
      KERNELS.map((entryPoint) => [entryPoint, device.createComputePipeline({ layout, compute: { module, entryPoint } })]),
    ) as Record<Kernel, GPUComputePipeline>;
  }

  /** A body that starts at `start`, its world positions. */
  body(rest: Rest, start: Float32Array, material: MaterialNumbers): ArticleBody {
    const device = this.#device;
    const counts = { vertices: start.length / 3, tets: rest.tets.length / 16, triangles: rest.triangles.length / 3 };
    const { youngsModulus: e, poissonRatio: nu } = material;
    const seconds = 1 / 60 / SUBSTEPS;
    const params = new ArrayBuffer(48);
    new Float32Array(params).set([
      0, -9.81, 0, seconds,
      e / (2 * (1 + nu)), (e * nu) / ((1 + nu) * (1 - 2 * nu)), Math.exp(-material.damping * seconds), material.friction,
      0,
    ]);
    new Uint32Array(params).set([counts.vertices, counts.tets, counts.triangles], 9);
    const uniform = device.createBuffer({ size: 48, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(uniform, 0, params);
    const buffers = [
      storage(device, start, GPUBufferUsage.COPY_SRC),
      storage(device, start.byteLength),
      storage(device, rest.vertices),
      storage(device, rest.tets),
      storage(device, 16 * counts.tets),
      storage(device, rest.triangles),
      uniform,
    ];
    const group = device.createBindGroup({
      layout: this.#layout,
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const [perVertex, perTet, perTriangle] = [counts.vertices, counts.tets, counts.triangles].map((n) => Math.ceil(n / WORKGROUP)) as [number, number, number];
    const domains: Record<Kernel, number> = {
      predict_positions: perVertex,
      reset_multipliers: perTet,
      clamp_and_copy: perVertex,
      solve_tets: perTet,
      update_velocities: perVertex,
      clear_normals: perVertex,
      accumulate_normals: perTriangle,
      normalize_normals: perVertex,
    };
    return {
      reset() {
        device.queue.writeBuffer(buffers[0] as GPUBuffer, 0, start as Float32Array<ArrayBuffer>);
        device.queue.writeBuffer(buffers[2] as GPUBuffer, 0, rest.vertices as Float32Array<ArrayBuffer>);
      },
      submit: (frames) => {
        for (let i = 0; i < frames; i++) {
          const encoder = device.createCommandEncoder();
          const pass = encoder.beginComputePass();
          pass.setBindGroup(0, group);
          for (const kernel of this.frame) {
            pass.setPipeline(this.#pipelines[kernel]);
            pass.dispatchWorkgroups(domains[kernel]);
          }
          pass.end();
          device.queue.submit([encoder.finish()]);
        }
      },
      settled: () => device.queue.onSubmittedWorkDone(),
      lowest: () => lowest(device, buffers[0] as GPUBuffer),
      destroy() {
        for (const buffer of buffers) buffer.destroy();
      },
    };
  }
}

export interface ArticleBody {
  reset(): void;
  /** Hands so many frames of 1/60 s to the GPU. */
  submit(frames: number): void;
  settled(): Promise<void>;
  /** Height of the lowest vertex, m; NaN where one is no number any more. */
  lowest(): Promise<number>;
  destroy(): void;
}

async function lowest(device: GPUDevice, positions: GPUBuffer): Promise<number> {
  const values = await readFloats(device, positions);
  let least = Infinity;
  // Vertices are whole triples; the buffer may be longer.
  for (let i = 1; i + 1 < values.length; i += 3) {
    const height = values[i] as number;
    least = Number.isFinite(height) ? Math.min(least, height) : NaN;
    if (Number.isNaN(least)) break;
  }
  return least;
}

// The article's cloth on raw WebGPU (shaders/baseline/cloth.wgsl), to compare the package with.
import shader from "../../../shaders/baseline/cloth.wgsl?raw";
import { readFloats, storage, type Machine } from "./adapter";
import type { Scheme } from "./measure";

const PASSES = 5;
const TILE = 8;
/** Kinds of springs: columns from the cell's left of the first and of the second end, and rows from the one to the other. */
const KINDS = [[0, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 1], [0, 2, 0], [0, 0, 2]] as const;
const GRAVITY = [0, -9.81, 0] as const;

/** Springs of which no two share a particle: two batches of each kind. */
interface Batch {
  pipeline: GPUComputePipeline;
  /** Neighbours that begin a spring side by side. */
  run: number;
  downColumns: boolean;
}

export interface ArticleSheet extends Scheme {
  /** x, y, z per particle, m. */
  positions(): Promise<Float32Array>;
  destroy(): void;
}

/** Made once for all cloths. */
export class ClothArticle {
  readonly #device: GPUDevice;
  readonly #layout: GPUBindGroupLayout;
  readonly #batches: Batch[];
  readonly #move: GPUComputePipeline;
  readonly #normals: GPUComputePipeline;

  constructor({ device }: Machine) {
    this.#device = device;
    const module = device.createShaderModule({ code: shader });
    const types: GPUBufferBindingType[] = ["storage", "storage", "storage", "uniform"];
    this.#layout = device.createBindGroupLayout({
      entries: types.map((type, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } })),
    });
    const layout = device.createPipelineLayout({ bindGroupLayouts: [this.#layout] });
    const pipeline = (entryPoint: string, constants: Record<string, number> = {}) =>
      device.createComputePipeline({ layout, compute: { module, entryPoint, constants } });
    this.#batches = KINDS.flatMap(([left, right, down]) =>
      [0, 1].map((parity) => {
        const run = Math.max(left, right, down);
        return { pipeline: pipeline("relax", { left, right, down, parity, run }), run, downColumns: left === right };
      }),
    );
    this.#move = pipeline("move_particles");
    this.#normals = pipeline("compute_normals");
  }

  /** A square grid of `side` particles a side that starts at `start`, its upper row held; its wind is an acceleration. */
  sheet(side: number, spacing: number, start: Float32Array, wind: readonly [number, number, number]): ArticleSheet {
    const device = this.#device;
    const rows = new Float32Array((4 * start.length) / 3);
    for (let particle = 0; 3 * particle < start.length; particle++) {
      rows.set(start.subarray(3 * particle, 3 * particle + 3), 4 * particle);
      rows[4 * particle + 3] = particle < side ? 0 : 1;
    }
    const params = new ArrayBuffer(48);
    new Float32Array(params).set([...GRAVITY, 1 / 60, ...wind, 0, spacing]);
    new Uint32Array(params)[7] = side;
    const uniform = device.createBuffer({ size: 48, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(uniform, 0, params);
    const positions = storage(device, rows, GPUBufferUsage.COPY_SRC);
    const previous = storage(device, rows);
    const buffers = [positions, previous, storage(device, rows.byteLength), uniform];
    const group = device.createBindGroup({
      layout: this.#layout,
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const whole = Math.ceil(side / TILE);
    const frame = (pass: GPUComputePassEncoder) => {
      pass.setBindGroup(0, group);
      pass.setPipeline(this.#move);
      pass.dispatchWorkgroups(whole, whole);
      for (let number = 0; number < PASSES; number++) {
        for (const { pipeline, run, downColumns } of this.#batches) {
          const strided = Math.ceil((Math.ceil(side / (2 * run)) * run) / TILE);
          pass.setPipeline(pipeline);
          pass.dispatchWorkgroups(downColumns ? whole : strided, downColumns ? strided : whole);
        }
      }
      pass.setPipeline(this.#normals);
      pass.dispatchWorkgroups(whole, whole);
    };
    return {
      reset() {
        for (const buffer of [positions, previous]) device.queue.writeBuffer(buffer, 0, rows);
      },
      submit(frames) {
        for (let i = 0; i < frames; i++) {
          const encoder = device.createCommandEncoder();
          const pass = encoder.beginComputePass();
          frame(pass);
          pass.end();
          device.queue.submit([encoder.finish()]);
        }
      },
      settled: () => device.queue.onSubmittedWorkDone(),
      async positions() {
        const values = await readFloats(device, positions);
        return new Float32Array(start.length).map((_, i) => values[4 * Math.floor(i / 3) + (i % 3)] ?? NaN);
      },
      destroy() {
        for (const buffer of buffers) buffer.destroy();
      },
    };
  }
}

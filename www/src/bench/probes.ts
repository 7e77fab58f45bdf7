// What this browser and GPU can do at best: copy bandwidth, and what a dispatch that waits for the last one costs.
import probesText from "../../../shaders/baseline/probes.wgsl?raw";
import { storage, type Machine } from "./adapter";

export interface Probes {
  copyGBs: number;
  copyArrayBytes: number;
  dispatchMicroseconds: number;
  gflops: number;
}

const DISPATCHES = 1000;
const RUNS = 5;
const WORKGROUP = 256;
/** Operations of an invocation of `multiply_add`. */
const OPERATIONS = 512 * 32 * 2;
/** Repeats, so that the wait for the end does not count. */
const REPEATS = 20;

export async function probe({ device, adapter }: Machine): Promise<Probes> {
  const module = device.createShaderModule({ code: probesText });
  const bytes = Math.min(device.limits.maxStorageBufferBindingSize, adapter.software ? 1 << 25 : 1 << 28);
  const source = storage(device, bytes);
  const target = storage(device, bytes);
  const layout = device.createBindGroupLayout({
    entries: [
      { binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: "read-only-storage" } },
      { binding: 1, visibility: GPUShaderStage.COMPUTE, buffer: { type: "storage" } },
    ],
  });
  const group = device.createBindGroup({
    layout,
    entries: [source, target].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  /** Seconds per dispatch, the best of some runs. */
  const time = async (entryPoint: string, workgroups: number, count: number) => {
    const compute = { module, entryPoint };
    const pipeline = device.createComputePipeline({ layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }), compute });
    const rows = Math.ceil(workgroups / 32768);
    let best = Infinity;
    for (let run = 0; run <= RUNS; run++) {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      for (let i = 0; i < count; i++) pass.dispatchWorkgroups(Math.ceil(workgroups / rows), rows);
      pass.end();
      const commands = encoder.finish();
      const begun = performance.now();
      device.queue.submit([commands]);
      await device.queue.onSubmittedWorkDone();
      // The first run waits for the driver's compiler.
      if (run > 0) best = Math.min(best, (performance.now() - begun) / 1e3 / count);
    }
    return best;
  };
  const repeats = adapter.software ? 1 : REPEATS;
  const copy = await time("copy", Math.ceil(bytes / 16 / WORKGROUP), repeats);
  const groups = adapter.software ? 64 : 32768;
  const arithmetic = await time("multiply_add", groups, repeats);
  const dispatch = await time("tick", 1, DISPATCHES);
  source.destroy();
  target.destroy();
  return {
    copyGBs: (2e-9 * bytes) / copy,
    copyArrayBytes: bytes,
    gflops: (1e-9 * OPERATIONS * groups * WORKGROUP) / arithmetic,
    dispatchMicroseconds: dispatch * 1e6,
  };
}

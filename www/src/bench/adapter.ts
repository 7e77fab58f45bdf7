// The adapter the bench runs on, and whether it is a GPU at all.

export interface Adapter {
  name: string;
  /** A processor plays the GPU: SwiftShader, llvmpipe, WARP. */
  software: boolean;
}

export interface Machine {
  adapter: Adapter;
  device: GPUDevice;
  /** What the device said was wrong. */
  errors: string[];
}

const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|software|basic render|warp/i;

export function describeAdapter(info: Partial<GPUAdapterInfo>, fallback = false): Adapter {
  const words = [info.vendor, info.architecture, info.device, info.description].filter(Boolean);
  const name = words.join(" ") || "an adapter that does not say its name";
  return { name, software: fallback || info.isFallbackAdapter === true || SOFTWARE.test(name) };
}

/** A device for the baseline and the probes, with limits as large as the adapter has them. */
export async function openMachine(): Promise<Machine> {
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new Error("WebGPU found no adapter");
  const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  const device = await adapter.requestDevice({ requiredLimits: { maxBufferSize, maxStorageBufferBindingSize } });
  const errors: string[] = [];
  device.addEventListener("uncapturederror", (event) => errors.push(event.error.message));
  return { adapter: describeAdapter(adapter.info), device, errors };
}

export const align = (bytes: number) => Math.max(16, Math.ceil(bytes / 16) * 16);

/** A storage buffer, filled where `content` is given. */
export function storage(device: GPUDevice, content: Float32Array | Uint32Array | number, more = 0): GPUBuffer {
  const bytes = typeof content === "number" ? content : content.byteLength;
  const limit = device.limits.maxStorageBufferBindingSize;
  if (bytes > limit) throw new Error(`a buffer needs ${bytes} bytes, but this device binds ${limit}`);
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | more;
  const buffer = device.createBuffer({ size: align(bytes), usage });
  if (typeof content !== "number") device.queue.writeBuffer(buffer, 0, content as Uint32Array<ArrayBuffer>);
  return buffer;
}

/** What a buffer holds once everything handed over so far is done. */
export async function readFloats(device: GPUDevice, buffer: GPUBuffer): Promise<Float32Array> {
  const staging = device.createBuffer({ size: buffer.size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const values = new Float32Array(staging.getMappedRange()).slice();
  staging.destroy();
  return values;
}

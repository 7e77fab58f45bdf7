// Type-checked only: what the published types allow and refuse.
import { SoftBody, SoftBodyError, type ErrorCode, type MeshReport, type SoftBodyOptions } from "webgpu-softbody";
import {
  SoftBodyError as MeshError,
  importMesh,
  readSurface,
  tetrahedralize,
  type MeshOptions,
  type MeshResult,
  type SurfaceSource,
} from "webgpu-softbody/mesh";

export async function use(canvas: OffscreenCanvas, options: SoftBodyOptions): Promise<MeshReport> {
  using body = await SoftBody.create(canvas, { ...options, material: { youngsModulus: 1e5 }, pinned: new Uint32Array([1]) });
  const off: () => void = body.on("frame", ({ cpuMs }) => console.log(cpuMs));
  body.on("error", (error) => {
    const code: ErrorCode = error.code;
    console.log(code);
  });
  off();
  // @ts-expect-error there is no such event
  body.on("tick", () => {});
  // @ts-expect-error there is no such material
  body.setMaterial("wool");
  // @ts-expect-error bodies come from create()
  new SoftBody();
  // @ts-expect-error a misspelt option
  body.setSolver({ substep: 3 });
  await body.loadCloth({ grid: { columns: 4, rows: 3, spacing: 0.1 } }, { material: "silk", pinned: new Uint32Array([0]) });
  body.setMaterial({ strainLimit: Infinity, arealDensity: 0.1 });
  body.setWind({ velocity: [1, 0, 0], gusts: 0.2 });
  const hit = await body.pick(1, 2);
  if (hit && (await body.grab(1, 2, { stiffness: 100 }))) body.drag(hit.point[0], 3);
  const y: number | undefined = (await body.readPositions())[1];
  console.log(y, new SoftBodyError("internal", "x").details);
  return body.load({ positions: "a.bin", tets: new URL("b.bin", "https://example.test") }, { units: "mm" });
}

export async function mesh(body: SoftBody, files: File[], scan: SurfaceSource, signal: AbortSignal): Promise<MeshResult> {
  const options: MeshOptions = { tets: 5000, units: "in", weld: 0, center: true, signal, onProgress: (fraction) => console.log(fraction.toFixed(2)) };
  const result = await importMesh(files, { ...options, name: "x.glb" });
  const report: MeshReport = await body.load(result.mesh, { surface: result.surface, dropToFloor: true });
  const histogram: number[] | undefined = result.report.shape?.dihedralHistogram;
  console.log(report.tets, histogram, result.notes.join(), result.format.length);
  const surface: SurfaceSource = await readSurface("a.glb", { signal });
  console.log(surface.parts?.[0]?.color?.[3], surface.images?.[0]?.width);
  // @ts-expect-error a volume mesh has no resolution in metres per file
  await importMesh("a.msh", { cellsize: 1 });
  // @ts-expect-error there is no such unit
  await tetrahedralize(scan, { units: "ft" });
  // @ts-expect-error arrays are no file
  await importMesh(scan);
  try {
    return await tetrahedralize(scan, { cellSize: 0.01, worker: () => new Worker("w.js", { type: "module" }) });
  } catch (error) {
    if (error instanceof MeshError && error instanceof SoftBodyError) console.log(error.code, error.details);
    return tetrahedralize([{ name: "a.obj", bytes: new Uint8Array(3) }, new Blob([])]);
  }
}

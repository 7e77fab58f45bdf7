// The types of webgpu-softbody/mesh: any mesh in, tetrahedra out. Loaded only when used; works in a worker of its own.

import type { BytesSource, MeshReport, SurfaceSource } from "./index.js";

export { SoftBodyError } from "./index.js";
export type { BytesSource, ErrorCode, MeshFinding, MeshReport, SurfaceImage, SurfacePart, SurfaceSource } from "./index.js";

/** A file as bytes, with the name that tells formats and companions apart. */
export interface NamedBytes {
  /** File name with its ending. */
  name: string;
  /** Its content; fetched, read or copied. */
  bytes: BytesSource;
}

/**
 * A file: its address, its content, or a `File`. Several belong together, in any order: `.gltf` with its `.bin` and
 * images, `.obj` with its `.mtl`, TetGen's `.node` and `.ele`, `.vec3f32bin` and `.vec4u32bin`.
 */
export type FileSource = BytesSource | Blob | (Blob | NamedBytes)[];

/** Options of every function here. */
export interface CallOptions {
  /** Ends the work at once with the error `"aborted"`. */
  signal?: AbortSignal;
  /** Where the WebAssembly is, for bundlers that lose the file. Only the first successful call of a page loads it. Default: beside this module. */
  wasm?: string | URL | Response | ArrayBuffer | Uint8Array | WebAssembly.Module;
  /**
   * A module worker that runs `webgpu-softbody/mesh-worker.js`, or a function that makes one, for bundlers and content
   * security policies under which the package cannot start its own. An aborted job ends the worker, so prefer a
   * function; a given Worker is left running otherwise. Default: its own, kept for ten seconds after the last job.
   */
  worker?: Worker | (() => Worker);
}

/** Options of {@link tetrahedralize} and {@link importMesh}. */
export interface MeshOptions extends CallOptions {
  /** Edge of the cells that a surface is filled with, metres. Features thinner than a cell vanish. */
  cellSize?: number;
  /** How many tetrahedra a surface should become, 1 … 4e6, met within 10 % from about 2000 on. Default 5000. Not together with `cellSize`. */
  tets?: number;
  /** Merges vertices of a volume mesh that are at most so far apart, metres; 0 merges equal positions. Default: none. */
  weld?: number;
  /** The unit of the file. Default `"m"`. */
  units?: "m" | "cm" | "mm" | "in";
  /** A factor besides the units, 1e-9 … 1e9. Default 1. */
  scale?: number;
  /** Moves the middle of the bounding box to the origin. Default false. */
  center?: boolean;
  /** Moves the mesh along y so that its lowest vertex is at 0. Default false. */
  dropToFloor?: boolean;
  /** The part that is done, 0 … 1, never less than before; about 30 times a second. */
  onProgress?: (fraction: number) => void;
}

/** Options of {@link readSurface}. */
export interface SurfaceOptions extends CallOptions {
  /** File name of a source that has none of its own. */
  name?: string;
}

/** The shapes of the tetrahedra. */
export interface MeshShape {
  /** The smallest angle between two faces of a tet, degrees. */
  minDihedralDegrees: number;
  /** The largest, degrees. */
  maxDihedralDegrees: number;
  /** How many of the six angles of each tet lie in 0–10°, 10–20°, … 170–180°. */
  dihedralHistogram: number[];
  /** Condition numbers of the tets' edge matrices; 1 is best. */
  conditionNumbers: { median: number; p99: number; worst: number };
}

/** A mesh that is ready for `SoftBody.load`. */
export interface MeshResult {
  /** A volume mesh is exactly the file's: order, winding and unused vertices. Metres. */
  mesh: { positions: Float32Array; tets: Uint32Array };
  /** The surface that was filled, in the same place as the mesh; its images are decoded. */
  surface?: SurfaceSource;
  /** What loading the mesh finds, and what the importer saw. The mass is that of water. */
  report: MeshReport & { shape?: MeshShape };
  /** What the file was recognised as, such as `"Gmsh 4.1 binary"`. */
  format: string;
  /** What was left out or reduced on the way, a sentence each. */
  notes: string[];
}

/**
 * Fills a surface with tetrahedra by isosurface stuffing. The surface may be open, self-intersecting or non-manifold:
 * what it winds around is inside.
 *
 * @param surface a file in OBJ, STL, PLY, glTF or GLB, or arrays (which are copied)
 * @throws SoftBodyError "invalid-option", "invalid-mesh", "mesh-load", "aborted", "wasm-load", "limits", "internal";
 * messages about a file say where in it
 */
export function tetrahedralize(surface: FileSource | SurfaceSource, options?: MeshOptions): Promise<MeshResult>;

/**
 * Reads any mesh file. Volume meshes (Gmsh, Medit, VTK, VTU, TetGen, Abaqus, this package's own pair) come back exactly as
 * they are; a surface is filled as by {@link tetrahedralize}. The format is recognised by content first.
 *
 * @throws as {@link tetrahedralize}
 */
export function importMesh(file: FileSource, options?: MeshOptions & { name?: string }): Promise<MeshResult>;

/**
 * Reads a surface file without filling it, in the file's own units; its images are decoded.
 *
 * @throws as {@link tetrahedralize}
 */
export function readSurface(source: FileSource, options?: SurfaceOptions): Promise<SurfaceSource>;

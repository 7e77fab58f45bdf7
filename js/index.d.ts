// The types of webgpu-softbody. Units: metres, kilograms, seconds, pascals. Coordinates: right-handed, y up.
/// <reference lib="esnext.disposable" />

/** What {@link SoftBody.isSupported} found. */
export interface SupportReport {
  /** Whether a body can be made here. */
  supported: boolean;
  /**
   * Why not:
   * - `"insecure-context"`: the page is neither on https nor on localhost;
   * - `"no-webgpu"`: the browser (or Node) has no WebGPU;
   * - `"no-adapter"`: it has, but no usable GPU.
   */
  reason?: "insecure-context" | "no-webgpu" | "no-adapter";
  /** One sentence for people. */
  detail?: string;
}

/**
 * Anything bytes can come from. A string or URL is fetched; its status and content are checked (an HTML page is
 * refused). A `Response` is read. Arrays are copied, so the caller may change or transfer them afterwards.
 */
export type BytesSource = string | URL | Response | ArrayBuffer | Float32Array | Uint32Array | Uint8Array;

/** A tetrahedral mesh: two headerless little-endian files or arrays. */
export interface TetMeshSource {
  /** f32 x, y, z per vertex (`.vec3f32bin`), metres unless {@link BodyOptions.units} says otherwise. */
  positions: BytesSource;
  /** u32 × 4 per tetrahedron (`.vec4u32bin`), counted from 0. Negative winding is mended and reported. */
  tets: BytesSource;
}

/**
 * A cloth: a grid of particles, or any triangle mesh. Particle (column i, row j) of a grid has number `j * columns + i`;
 * the grid hangs in the plane z = 0 with row 0 on top, its lowest row at y = 0 and its middle at x = 0.
 */
export interface ClothSource {
  /** Particles per row and per column, 2 … 4096 each, and their distance in metres (in {@link BodyOptions.units}). */
  grid?: { columns: number; rows: number; spacing: number };
  /** In place of `grid`: f32 x, y, z per vertex (`.vec3f32bin`), the shape at rest. */
  positions?: BytesSource;
  /** With `positions`: u32 × 3 per triangle, counted from 0. Turned, flat and double triangles are mended and reported. */
  triangles?: BytesSource;
}

/**
 * What a cloth is made of. The numbers belong to the sheet, not to the mesh: a finer grid of the same cloth is as stiff.
 * What is left out is silk's.
 */
export interface ClothMaterial {
  /** Compliance along warp and weft, m/N: strain per force per width, 0 … 1000. Default 5e-4: 2000 N/m stretch it by 1. */
  stretch?: number;
  /** Compliance in shear, m/N: angle per force per width, 0 … 1000. Default 5e-3. */
  shear?: number;
  /** Compliance in bending, 1/(N·m), 0 … 1e12: 1/bend is the flexural rigidity B of the energy ½ B κ² per area. Default 2e5. */
  bend?: number;
  /** Largest strain of a thread and of the way to the next pin, 0 … 10, or `Infinity` for none. Default 0.02: 2 %. */
  strainLimit?: number;
  /** kg/m², 0.0001 … 1000. Default 0.07. */
  arealDensity?: number;
  /** Damping as a rate in 1/s, 0 … 1000, beside the air's drag. Default 0.1. */
  damping?: number;
  /** Coulomb's coefficient µ against the floor, 0 … 100. Default 0.3. */
  friction?: number;
  /** Drag coefficient C of ½ρCAv² across the sheet, 0 … 100. Default 1.2. */
  normalDrag?: number;
  /** The same along it. Default 0.02. */
  tangentialDrag?: number;
}

/** `"silk"`: 70 g/m², flows. `"cotton"`: 180 g/m², wider folds. `"rubber"`: half a millimetre of latex, stretches. */
export type ClothPreset = "silk" | "cotton" | "rubber";

/** The air. It drags cloth; solids are too heavy to notice. What is left out keeps its value. */
export interface Wind {
  /** m/s, each within ±200. Default [0, 0, 0]. */
  velocity?: [number, number, number];
  /** Turbulence intensity: root mean square of each component of the gusts over the mean speed, 0 … 2. Default 0. */
  gusts?: number;
  /** Which gusts, an integer from 0: the same seed blows the same wind. Default 0. */
  seed?: number;
  /** kg/m³, 0 (no air) … 100. Default 1.2. */
  airDensity?: number;
}

/** What the body is made of. */
export interface Material {
  /** Stiffness E in Pa, 1 … 1e12. Default 2e5 (`"medium"`). Gelatine 1e4, soft rubber 1e6, rubber 1e7. */
  youngsModulus: number;
  /**
   * Poisson's ratio ν, 0 ≤ ν < 0.5: how much it thins when pulled. Default 0.35. Of a ν above 0.49999 the scheme `"xpbd"` keeps
   * the volume as at 0.49999.
   */
  poissonRatio: number;
  /** kg/m³, 0.001 … 1e5. Default 1000. */
  density: number;
  /** Air damping as a rate in 1/s, 0 … 1000, whatever the substeps. Default 1. */
  damping?: number;
  /** Coulomb's coefficient µ against the floor, 0 … 100. Default 0.5. */
  friction?: number;
}

/** `"soft"`: E = 5e4 Pa, ν = 0.4. `"medium"`: E = 2e5 Pa, ν = 0.35. `"stiff"`: E = 1e6 Pa, ν = 0.3. All 1000 kg/m³. */
export type MaterialPreset = "soft" | "medium" | "stiff";

/** Where a mesh is put: scaled, then turned, then moved. */
export interface Transform {
  /** Metres, each within ±1e7. Default [0, 0, 0]. */
  translation?: [number, number, number];
  /** Quaternion x, y, z, w; normalised, may not be zero. Default [0, 0, 0, 1]. */
  rotation?: [number, number, number, number];
  /** 1e-6 … 1e6. Default 1. */
  scale?: number;
}

/** How the body looks. */
export interface Appearance {
  /** `"#rgb"` or `"#rrggbb"`, sRGB. Default a raspberry red. */
  color?: string;
  /** 0 (mirror) … 1 (matt). Default 0.22. */
  roughness?: number;
  /** 0 (plastic) … 1 (metal). Default 0. */
  metallic?: number;
  /** Of cloth: highlights stretched along the warp (1) … along the weft (-1). Default 0. */
  anisotropy?: number;
  /** Of cloth: 0 … 1 (fibres that stand off it brighten where it is seen at a slant). Default 0. */
  sheen?: number;
  /** Shows the edges of the surface triangles. Default false. */
  wireframe?: boolean;
}

/** Triangles of one material, one after the other. */
export interface SurfacePart {
  /** How many triangles; the first follows the last of the part before. */
  triangles: number;
  /** Linear RGBA that multiplies the vertex colours and the image; alpha is ignored. Default white. */
  color?: [number, number, number, number];
  /** Index of the base colour image. Default none. */
  image?: number;
}

/** A decoded picture. */
export interface SurfaceImage {
  /** Texels per row. */
  width: number;
  /** Rows of texels. */
  height: number;
  /** sRGB with alpha (which is ignored), 4 bytes per texel, rows from the top: what `getImageData` gives. */
  data: Uint8Array | Uint8ClampedArray;
}

/**
 * A triangle surface with its colours. Without `colors` and `parts` it is drawn in the body's {@link Appearance};
 * otherwise in its own colours, of which `appearance.color` changes nothing.
 */
export interface SurfaceSource {
  /** x, y, z per vertex, in the unit and coordinates of the mesh. */
  positions: Float32Array;
  /** Three vertices per triangle, counted from 0, counter-clockwise seen from outside. */
  triangles: Uint32Array;
  /**
   * x, y, z per vertex, as modelled. They say which edges are hard: neighbours whose normals differ by more than 3°.
   * Default: edges bent by more than 50° are.
   */
  normals?: Float32Array;
  /** u, v per vertex; (0, 0) is the first texel of an image, and v runs down. Images repeat. */
  uvs?: Float32Array;
  /** Linear RGBA per vertex, 0 … 1; alpha is ignored. */
  colors?: Float32Array;
  /** Together all triangles, in their order. Default one part in white. */
  parts?: SurfacePart[];
  /** The pictures that the parts name. */
  images?: SurfaceImage[];
}

/** How one mesh becomes a body. */
export interface BodyOptions {
  /**
   * A solid's material or a cloth's, whichever is loaded. Values that are left out are those of `"medium"` or `"silk"`,
   * which are the defaults.
   */
  material?: Partial<Material> | MaterialPreset | ClothMaterial | ClothPreset;
  /** Where the body starts. Default: as in the file. */
  transform?: Transform;
  /** The unit of the positions (`"in"`: inches); they are converted to metres first. Default `"m"`. */
  units?: "m" | "cm" | "mm" | "in";
  /** Moves the middle of the bounding box to the origin before the transform. Default false. */
  center?: boolean;
  /** Moves the body, after the transform, along y so that its lowest vertex lies on the floor. Default false. */
  dropToFloor?: boolean;
  /**
   * Vertices held where they are: indices into the input file, or all vertices inside a box. The box is in the mesh's
   * own coordinates, in metres (after `units` and `scale`, before the body is centred, turned and moved: those of
   * {@link MeshReport.bounds}); its bounds are included. Default none.
   */
  pinned?: Uint32Array | { box: { min: [number, number, number]; max: [number, number, number] } };
  /** How the body looks; what is left out keeps its value. */
  appearance?: Appearance;
  /**
   * What is drawn in place of the faces of the tets: a finer surface that moves with them, placed like the mesh.
   * Vertices outside every tet follow the nearest. Given as arrays, or as a GLB, OBJ, STL or PLY file, for which
   * `webgpu-softbody/mesh` is loaded. Default: the faces of the tets.
   */
  surface?: SurfaceSource | BytesSource | undefined;
}

/** Where the viewer stands. What is left out keeps its value; until a camera is set or moved, each load frames the body. */
export interface Camera {
  /** Where the eye is, metres, each within ±1e7. */
  position?: [number, number, number];
  /** Metres, each within ±1e7; may not equal the position. */
  target?: [number, number, number];
  /** Vertical angle of view in degrees, 5 … 120. Default 40. */
  fovYDegrees?: number;
}

/** One thing that loading a mesh found. */
export interface MeshFinding {
  /** A stable name, such as `"flipped-tets"`. */
  code: string;
  /** How many vertices, tets, faces or edges it concerns. */
  count: number;
  /**
   * The first few vertices, tets or edges concerned; the message says which. Tets that were found while reading are
   * counted as in the input, those found in the finished mesh without the removed ones.
   */
  examples: number[];
  /** True where the body differs from the input because of it. */
  mended: boolean;
  /** One sentence for people, with numbers. */
  message: string;
}

/** What loading a mesh found and mended: nothing is mended silently. */
export interface MeshReport {
  /** Vertices of the input, used or not. */
  vertices: number;
  /** Tetrahedra that are simulated. */
  tets: number;
  /** Faces of one tet only: the surface that is shown, unless {@link BodyOptions.surface} is. */
  surfaceTriangles: number;
  /** Parts that share no vertex. */
  components: number;
  /** Tets of negative volume in the input, whose winding was turned. */
  flippedTets: number;
  /** Tets without volume, or that name a vertex twice; they are not simulated. */
  removedDegenerateTets: number;
  /** Tets with the four vertices of an earlier one; they are not simulated. */
  removedDuplicateTets: number;
  /** Vertices that no tet uses; they keep their index, have no mass and stay where they are. */
  unusedVertices: number;
  /** Edges of the surface that do not join exactly two of its triangles. */
  nonManifoldEdges: number;
  /** The most tets that meet in one vertex. */
  maxValence: number;
  /** The worst condition number of a tet's edge matrix: 1 is best. */
  worstConditionNumber: number;
  /** Volume of all tets, m³. */
  volume: number;
  /** Volume times density, kg. */
  mass: number;
  /** Metres, of the mesh without unused vertices, before it is placed. */
  bounds: { min: [number, number, number]; max: [number, number, number] };
  /**
   * Where a surface was given: its vertices and triangles, how many of its vertices lie outside every tet, and how far
   * the farthest of them is from the nearest tet, in metres. Beyond 5 % of the mesh's extent there is a finding
   * `"surface-outside-tets"`.
   */
  surface?: { vertices: number; triangles: number; outside: number; farthest: number };
  /**
   * How the mesh is moved at the present material and solver settings; only of a loaded body, with the explicit scheme.
   * `substeps` are those of a frame of 1/60 s. `r` is the highest frequency of the mesh (its bound on ω, 1/s) times
   * 1/60 s divided by them. Up to 1.5 every vibration is followed as it is. Beyond, the stiffest are slowed so that
   * nothing explodes: shapes at rest, momentum and slow motion stay exact, what swings faster than `slowestScaledHz` (where
   * that is known) swings slower than in truth, and there is a finding `"scaled-dynamics"`. Where `slowestScaledHz` is 0, all
   * motion but free fall is too slow, and only shapes at rest stay exact. Beyond `r` = 300 Young's modulus is lowered as
   * well, to `softening` (below 1, otherwise absent) of what is set: shapes at rest are those of so soft a body.
   */
  dynamics?: { substeps: number; r: number; slowestScaledHz?: number; softening?: number };
  /** Everything worth knowing, mended or not; empty for a flawless mesh. */
  findings: MeshFinding[];
}

/** What goes with loading a mesh. */
export interface LoadOptions extends BodyOptions {
  /** Where the viewer stands. Default: so that the body and the floor under it are seen. */
  camera?: Camera;
  /** Ends the loading with the error `"aborted"`; without effect afterwards. */
  signal?: AbortSignal;
  /** Bytes of the mesh files that are fetched; `total` is 0 while one of them has not said its length. */
  onProgress?: (loaded: number, total: number) => void;
  /**
   * How much of the work between the last byte and the first picture is done, from 0 to 1; the last call is with 1. A body
   * of 50,000 tets and more is prepared in a worker meanwhile, so that the page stays responsive; a smaller one is ready
   * at once, which is told with a single 1. Where the page may not start that worker (its content policy forbids it, or the
   * package comes from another origin), a large body is prepared on the thread of the page, which stands still for seconds
   * per million tets.
   */
  onPrepare?: (fraction: number) => void;
}

/** How tets and time are handled. */
export interface SolverOptions {
  /**
   * How tets enter a substep. Default `"auto"`.
   * - `"explicit"`: the forces of the material, integrated directly. Where the mesh is stiffer than the substeps can
   *   follow, a mass operator slows its fastest vibrations (see {@link MeshReport.dynamics}); equilibria are exact as long
   *   as the body is not softened, which that report tells.
   * - `"xpbd"`: extended position-based dynamics, constraints projected iteratively, as in most of this field. Too few
   *   substeps and iterations make the body softer than its material.
   * - `"auto"`: the one that measured more exact per millisecond, which is `"explicit"`.
   */
  scheme?: "auto" | "explicit" | "xpbd";
  /**
   * Steps of time per 1/60 s, 1 … 200, or `"auto"`: with `"explicit"` as many as mesh and material need, 4 … 96, each
   * time one of them changes; 20 with `"xpbd"`; for a cloth, which is solved by XPBD with one iteration per substep, as many as
   * the way to the pins and the spacing ask for, 12 … 96. Default `"auto"`. More make shapes of solids at strains beyond a third exact, where
   * `"auto"` may be percents too soft: a cube pulled to twice its length is off by 2 % (ν = 0.3), pressed to half of it by
   * 14 % (ν = 0.45), and right with one and a half times the substeps.
   */
  substeps?: number | "auto";
  /** Iterations per substep of `"xpbd"`, 1 … 100; `"explicit"` needs none. Default 4. */
  iterations?: number;
}

/** Everything {@link SoftBody.create} takes; all of it optional. */
export interface SoftBodyOptions extends LoadOptions, SolverOptions {
  /** The body. Without one (or a cloth) the scene is empty until {@link SoftBody.load}. */
  mesh?: TetMeshSource;
  /** A cloth in place of a body of tets. */
  cloth?: ClothSource;
  /** The air: a velocity in m/s, or more of it. Default still. */
  wind?: [number, number, number] | Wind;
  /** m/s², each within ±1000. Default [0, -9.81, 0]. */
  gravity?: [number, number, number];
  /** The floor's height in metres, within ±1e6; `true` is 0, `false` none. Default 0. */
  floor?: boolean | number;
  /**
   * Where the WebAssembly is, for bundlers that lose the file; anything else than a string or URL is used as it is.
   * Only the first successful `create` of a page loads it. Default: the file beside this module.
   */
  wasm?: string | URL | Response | ArrayBuffer | Uint8Array | WebAssembly.Module;
  /** Follow the canvas' size on the page, in device pixels. Default true; does nothing for an OffscreenCanvas. */
  autoResize?: boolean;
  /**
   * Gestures on the canvas. Default true; does nothing for an OffscreenCanvas. The left button, a finger or a pen takes hold
   * of the body and pulls it, several fingers at several places; on the background it turns the camera. The right or
   * middle button, Shift, or two fingers move the camera; pinch and wheel zoom. While the canvas has the focus, arrows turn
   * the camera (with Shift: move it), + and - zoom, and G takes hold of what is nearest to the middle: arrows then pull
   * (with Shift: to and fro), G or Escape lets go.
   */
  interactive?: boolean;
}

/**
 * - `"webgpu-unavailable"`: no WebGPU here (see {@link SupportReport});
 * - `"no-adapter"`: WebGPU, but no usable GPU;
 * - `"canvas-context"`: the canvas gives no WebGPU context, e.g. because it already has a 2D one;
 * - `"wasm-load"`: the .wasm file did not load; the message names its URL;
 * - `"invalid-option"`: an option or argument; the message names it;
 * - `"invalid-mesh"`: the bytes are no valid mesh or surface; the message names the vertex, tet or triangle;
 * - `"mesh-load"`: a mesh file did not load; the message names its URL and status;
 * - `"limits"`: more than this GPU allows;
 * - `"device-lost"`: the GPU went away;
 * - `"disposed"`: used after {@link SoftBody.dispose};
 * - `"aborted"`: by the caller's signal;
 * - `"internal"`: a fault of this package.
 */
export type ErrorCode =
  | "webgpu-unavailable"
  | "no-adapter"
  | "canvas-context"
  | "wasm-load"
  | "invalid-option"
  | "invalid-mesh"
  | "mesh-load"
  | "limits"
  | "device-lost"
  | "disposed"
  | "aborted"
  | "internal";

/** Every rejection and throw of this package. */
export class SoftBodyError extends Error {
  constructor(code: ErrorCode, message: string, details?: unknown);
  /** Stable: branch on this. */
  readonly code: ErrorCode;
  /** What caused it, or figures to it. */
  readonly details?: unknown;
}

/** What one frame did. */
export interface FrameStats {
  /** Counts from 1, since creation. */
  frame: number;
  /** Simulated time since creation or the last load or reset, s. */
  simulatedSeconds: number;
  /** Substeps that this picture took: those of a frame times the frames simulated for it, which are 0 … 3. */
  substeps: number;
  /** Time spent on the CPU to record and submit this frame, ms. */
  cpuMs: number;
  /** Real time since creation that was not simulated, because frames took too long or the page was hidden, s. */
  droppedSeconds: number;
}

/** The number of a body; there is one so far, 0. */
export type BodyId = number;

/** Where a ray through the canvas meets a body first. */
export interface Hit {
  /** Number of the body. */
  body: BodyId;
  /** The corner of {@link Hit.triangle} that is nearest by its weight. */
  vertex: number;
  /** Corners, indices into the input file; of the mesh's own surface, also where another is drawn in its place. */
  triangle: [number, number, number];
  /** Weights of the corners, 0 … 1, which add up to 1. */
  barycentric: [number, number, number];
  /** In the world, metres. */
  point: [number, number, number];
  /** From the camera, metres. */
  distance: number;
}

/** How {@link SoftBody.grab} takes hold. */
export interface GrabOptions {
  /** Which pointer, an integer: that of a `PointerEvent`, or any other. Default -1, which no browser gives. */
  pointerId?: number;
  /** N/m, above 0, at most 1e15. Default 400 1/s² times the mass of the body, which then hangs 2.5 cm below the pointer. */
  stiffness?: number;
  /** Of the held patch, metres, above 0, at most 1e6. Default 5 % of the largest extent of the body. */
  radius?: number;
}

/** The events and what their listeners get. */
export interface EventMap {
  /** After each frame of a started body. */
  frame: FrameStats;
  /** What went wrong outside a call, e.g. the GPU going away. Without a listener it is written to the console. */
  error: SoftBodyError;
  /** The canvas changed its size, device pixels. */
  resize: { width: number; height: number };
  /** A pointer has taken hold of a body; `vertex` is the nearest one. */
  grab: { body: BodyId; vertex: number };
  /** A pointer has let go, or what it held is gone. */
  release: { body: BodyId };
}

/**
 * A soft body on a canvas: simulated and drawn on the GPU. It lives until {@link SoftBody.dispose}, whether anybody keeps
 * it or not.
 *
 * Every method throws (or rejects with) a {@link SoftBodyError}. Besides the codes it names, any method but `dispose` may
 * do so with `"disposed"` after {@link SoftBody.dispose} and with `"device-lost"` after the GPU went away, and any that
 * concerns the body with `"invalid-option"` while none is loaded.
 */
export class SoftBody {
  private constructor();

  /** Asks whether a body can be made here. Works anywhere, also in Node; never throws and loads nothing. */
  static isSupported(): Promise<SupportReport>;

  /**
   * Makes a body on a canvas and draws it once. It stands still until {@link SoftBody.start}.
   *
   * @throws "webgpu-unavailable", "no-adapter", "canvas-context", "wasm-load", "invalid-option", "invalid-mesh",
   * "mesh-load", "limits", "aborted". A failed creation leaves nothing behind and may be tried again.
   */
  static create(canvas: HTMLCanvasElement | OffscreenCanvas, options?: SoftBodyOptions): Promise<SoftBody>;

  /**
   * Replaces the body, also while running. If it fails, the present body goes on untouched. Gravity, floor and solver
   * stay, and so does a camera that was set or moved; otherwise the new body is framed. A call made before an earlier one has finished takes its place: the earlier
   * one is rejected with "aborted".
   *
   * @throws "invalid-option", "invalid-mesh", "mesh-load", "limits", "aborted"
   */
  load(mesh: TetMeshSource, options?: LoadOptions): Promise<MeshReport>;

  /**
   * Replaces what is loaded by a cloth; otherwise as {@link SoftBody.load}. {@link BodyOptions.surface} is not for cloth.
   * The report counts its triangles as `surfaceTriangles`; tets and volume are 0, and `bounds` are those of the flat shape.
   *
   * @throws "invalid-option", "invalid-mesh", "mesh-load", "limits", "aborted"
   */
  loadCloth(cloth: ClothSource, options?: LoadOptions): Promise<MeshReport>;

  /**
   * What loading the present body found, with its mass at the present density, and how it moves at the present stiffness
   * and solver settings.
   *
   * @param body 0, the only one
   * @throws "invalid-option" where there is no body
   */
  report(body?: BodyId): MeshReport;

  /** Puts the body back to how it was loaded, at rest; pins set since stay. */
  reset(): void;

  /** Simulates and draws on every animation frame, in real time. Does nothing when running. */
  start(): void;

  /** Ends {@link SoftBody.start}; the picture stays. */
  stop(): void;

  /** Whether it was started. */
  readonly running: boolean;

  /**
   * Simulates without drawing: hands the work to the GPU and returns at once.
   *
   * @param seconds 1e-9 … 60; default 1/60. Cut into equal frames of at most 1/60 s, each of which takes as many
   * substeps as a frame of 1/60 s does: those that were set, or the automatic ones.
   * @throws "invalid-option"
   */
  step(seconds?: number): void;

  /** Draws the present state. */
  render(): void;

  /**
   * Sets the canvas' size; needed only with `autoResize: false` or an OffscreenCanvas.
   *
   * @param width device pixels, an integer 1 … 8192
   * @param height device pixels, an integer 1 … 8192
   * @throws "invalid-option"
   */
  resize(width: number, height: number): void;

  /** Resolves when the GPU has done all that was handed to it. */
  settled(): Promise<void>;

  /**
   * Changes the material, also while running. A preset sets stiffness, Poisson's ratio and density; otherwise what is
   * left out keeps its value.
   *
   * @throws "invalid-option"
   */
  setMaterial(material: Partial<Material> | MaterialPreset | ClothMaterial | ClothPreset, body?: BodyId): void;

  /** Changes how the body looks; what is left out keeps its value. @throws "invalid-option" */
  setAppearance(appearance: Appearance): void;

  /** The air, from the next frame on: a velocity in m/s, or an object of which what is left out keeps its value. @throws "invalid-option" */
  setWind(wind: [number, number, number] | Wind): void;

  /** m/s². @throws "invalid-option" */
  setGravity(gravity: [number, number, number]): void;

  /** Changes how tets and time are handled, also while running; what is left out keeps its value. @throws "invalid-option" */
  setSolver(options: SolverOptions): void;

  /** What is left out keeps its value. @throws "invalid-option" */
  setCamera(camera: Camera): void;

  /**
   * Holds vertices where they are now, or moves them: each to its target in the course of the next frame, at a steady
   * velocity, and there it stays until it gets another. Call it before each frame to lead the body; of several targets
   * for a vertex in one frame the last one counts.
   *
   * @param vertices indices into the input file
   * @param body 0, the only one
   * @param targets metres, x, y, z per vertex, each within ±1e7
   * @throws "invalid-option" naming the first index that is too large, or the target that is no place
   */
  pin(vertices: Uint32Array, body?: BodyId, targets?: Float32Array): void;

  /** Lets vertices go, by default all of them. @throws "invalid-option" */
  unpin(vertices?: Uint32Array, body?: BodyId): void;

  /**
   * Finds what is under a point of the canvas: the nearest point of the body's surface as it is now, after all work handed
   * over so far. Asks the GPU, which answers within a frame; nothing else is read back.
   *
   * @param x CSS pixels from the left edge of the canvas (device pixels of an OffscreenCanvas); beyond it is allowed
   * @param y CSS pixels from its upper edge
   * @returns null where there is nothing but the background
   * @throws "invalid-option"
   */
  pick(x: number, y: number): Promise<Hit | null>;

  /**
   * Takes hold of what is under a point of the canvas, as the default gestures do: a damped spring then pulls the vertices
   * round it to where the pointer is dragged. Several pointers may hold something, ten at most; what the same pointer held
   * before it lets go.
   *
   * @param x CSS pixels, as in {@link SoftBody.pick}
   * @param y CSS pixels
   * @returns false where nothing is there, or the pointer was released before the GPU had answered
   * @throws "invalid-option"
   */
  grab(x: number, y: number, options?: GrabOptions): Promise<boolean>;

  /**
   * Moves a pointer that holds something: the grabbed point is drawn to where the ray through this point of the canvas meets
   * the plane through it that faces the camera. Does nothing where the pointer holds nothing.
   *
   * @param x CSS pixels; beyond the canvas is allowed
   * @param y CSS pixels
   * @param pointerId that of {@link SoftBody.grab}
   * @throws "invalid-option"
   */
  drag(x: number, y: number, pointerId?: number): void;

  /**
   * Lets go; also ends a {@link SoftBody.grab} that has not answered yet. Loading, resetting, restoring, disposing and the
   * loss of the device let everything go.
   *
   * @param pointerId default all of them
   * @throws "invalid-option"
   */
  release(pointerId?: number): void;

  /**
   * Adds a velocity at once: to the whole body, or near a point. Pinned vertices stay.
   *
   * @param velocity m/s, at most 1e4 together
   * @param body 0, the only one
   * @param at where it acts, m: fully at the point, with (1 − s²)² at s radii from it; the radius above 0, at most 1e6
   * @throws "invalid-option"
   */
  impulse(velocity: [number, number, number], body?: BodyId, at?: { point: [number, number, number]; radius: number }): void;

  /**
   * Metres, x, y, z per vertex in the order of the input file, after all work handed over so far.
   *
   * @param body 0, the only one
   * @param out filled and returned where given; three numbers per vertex
   * @throws "invalid-option"
   */
  readPositions(body?: BodyId, out?: Float32Array): Promise<Float32Array>;

  /** m/s; otherwise as {@link SoftBody.readPositions}. */
  readVelocities(body?: BodyId, out?: Float32Array): Promise<Float32Array>;

  /**
   * The body as it is now, after all work handed over so far, as bytes for {@link SoftBody.restore}: positions,
   * velocities, pins, material and simulated time. The mesh itself, gravity, floor, solver settings, looks and camera are
   * not in it. The format has a version and a checksum, and may be kept.
   *
   * @throws "invalid-option" where there is no body
   */
  snapshot(): Promise<Uint8Array>;

  /**
   * Takes the body back to a snapshot of the same mesh (in the same units and scale), also one of another instance, placed
   * elsewhere, or from an earlier visit. It goes on as it did then, on the same GPU under the same gravity, floor and
   * solver settings bit for bit.
   *
   * @param snapshot what {@link SoftBody.snapshot} gave
   * @throws "invalid-option" saying what is wrong with it: no snapshot, cut short or damaged, a later version, another mesh,
   * a number that no body can have. The body goes on untouched then.
   */
  restore(snapshot: Uint8Array): void;

  /**
   * Listens to an event. A listener that throws is reported like any uncaught error and disturbs nothing else.
   *
   * @returns removes this listener
   * @throws "invalid-option" for a name that is none
   */
  on<K extends keyof EventMap>(event: K, listener: (data: EventMap[K]) => void): () => void;

  /** Ends everything and frees the GPU's memory. May be called again; the canvas stays usable for a new body. */
  dispose(): void;

  /** The same as {@link SoftBody.dispose}, for `using`. */
  [Symbol.dispose](): void;
}

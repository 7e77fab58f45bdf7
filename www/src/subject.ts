// What can be shown: a scene of ours, a body in our two binary files, or any other mesh, which the mesh module reads and fills.
import type { ClothSource, LoadOptions, MeshReport, TetMeshSource } from "webgpu-softbody";
import type { MeshResult } from "webgpu-softbody/mesh";
import { cloths, type ClothName, type ClothScene } from "./cloths";
import { areBinary, readBinary } from "./files";
import { fetched, meshOf, presets, surfaceOf, type Preset, type PresetName } from "./presets";
import { isCloth, type SceneName } from "./scenes";
import { boundsOf, longestSide, placement, usualSize, usualUp, type Axis, type Size } from "./sizing";
import { counted, number } from "./text";

/** How much wider than a body of the visitor's the view is. */
const OWN_ROOM = 1.3;
export const TETS = { min: 500, max: 50_000, usual: 5_000 };
/** What the report calls a size that nobody means. */
export const SCALE_FINDING = "suspicious-scale";
/** What a volume mesh answers to a wished number of tets. */
const NOT_ASKED = /a resolution is for surfaces$/;
/** Notes on what formats always need or bring: nothing is lost that would be seen. */
const ROUTINE = /were joined where positions are equal|were taken as one surface|were read as one mesh|moved by the translation|only solid cells are simulated|split into .* tets?$/;
/** For surfaces that bring no colours. */
const COLOUR = "#e0865a";

export interface Imported {
  files: File[];
  result: MeshResult;
  /** Of what the file holds, in its own unit; tets fill a surface not quite to its edges. */
  bounds: MeshReport["bounds"];
  size: Size;
  up: Axis;
  /** The number of tets that was asked for. */
  tets: number;
  /** How long reading and meshing took, s. */
  seconds: number;
}

interface Shown {
  /** For people. */
  name: string;
  /** Which of ours, if it is one. */
  scene?: SceneName;
  options: LoadOptions;
}

export interface Solid extends Shown {
  mesh: TetMeshSource;
  room: number;
  credit?: string;
  imported?: Imported;
  /** The two files of a mesh that did not come through the mesh module, for a closer examination than loading does. */
  binary?: () => Promise<NamedFile[]>;
}

export interface Sheet extends Shown {
  cloth: ClothSource;
  /** How the scene begins. */
  start: Pick<ClothScene, "fabric" | "air" | "view" | "poke">;
}

export type Subject = Solid | Sheet;

export const isSheet = (subject: Subject): subject is Sheet => "cloth" in subject;
/** What was made of the visitor's files. */
export const importedOf = (subject: Subject) => (isSheet(subject) ? undefined : subject.imported);

export interface NamedFile {
  name: string;
  bytes: ArrayBuffer;
}

/** How far an import has come: what it does, and the share that is done where that is known. */
export type Progress = (doing: string, fraction?: number) => void;

/** Any scene of ours. */
export const sceneSubject = async (name: SceneName): Promise<Subject> => (isCloth(name) ? sheet(name) : solid(name));

function sheet(name: ClothName): Sheet {
  const { label, grid, options, fabric, air, view, poke }: ClothScene = cloths[name];
  return { name: label, scene: name, cloth: { grid }, options, start: { fabric, air, view, poke } };
}

async function solid(name: PresetName): Promise<Solid> {
  const preset: Preset = presets[name];
  const mesh = meshOf(preset);
  const surface = await surfaceOf(preset);
  return {
    name: preset.label,
    scene: name,
    mesh,
    options: { ...preset.options, ...(surface && { surface }) },
    room: preset.room,
    ...(preset.credit && { credit: preset.credit }),
    binary: () => Promise.all([mesh.positions, mesh.tets].map(async (url) => ({ name: url.pathname, bytes: await fetched(url) }))),
  };
}

/** The mesh module is fetched by the first visitor's mesh, not with the page. */
export const meshModule = () => import("webgpu-softbody/mesh");

/** Throws what is wrong with the files, naming the place in the file where there is one. */
export async function fileSubject(files: File[], tets: number, signal: AbortSignal, progress: Progress): Promise<Solid> {
  if (areBinary(files)) {
    const { name, mesh } = await readBinary(files);
    return {
      name,
      mesh,
      options: { center: true, dropToFloor: true },
      room: OWN_ROOM,
      binary: () => Promise.all(files.map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() }))),
    };
  }
  const name = mainName(files);
  progress("Loading the mesh tools");
  const { importMesh } = await meshModule();
  signal.throwIfAborted();
  progress(`Reading ${name}`);
  // It is shown in the middle anyway, and far from it, as scans with map coordinates are, nothing can be meshed.
  const began = performance.now();
  const result = await importMesh(files, { tets, center: true, signal, onProgress: (fraction) => progress(`Meshing ${name}`, fraction) });
  const seconds = (performance.now() - began) / 1000;
  // Nobody asked for a number: the slider always has one.
  result.notes = result.notes.filter((note) => !NOT_ASKED.test(note));
  const bounds = result.surface ? boundsOf(result.surface.positions) : result.report.bounds;
  const up = usualUp(name);
  const size = usualSize(bounds, result.surface !== undefined);
  return importedSubject({ files, result, bounds, size, up, tets, seconds });
}

/** Also for the same result in another size or another way up. */
export function importedSubject(imported: Imported): Solid {
  const { files, result, bounds, size, up } = imported;
  const { surface, mesh } = result;
  const coloured = surface?.images?.length || surface?.colors || surface?.parts?.some(({ color }) => color);
  return {
    name: mainName(files),
    mesh,
    options: {
      ...placement(bounds, size, up),
      ...(surface && { surface }),
      // The material's colour is multiplied with the surface's own.
      appearance: { color: coloured ? "#ffffff" : COLOUR },
    },
    room: OWN_ROOM,
    imported,
  };
}

/** Of several files, the one that is no companion. */
function mainName(files: readonly File[]): string {
  const companion = /\.(bin|png|jpe?g|webp|ktx2|mtl|ele)$/i;
  return (files.find(({ name }) => !companion.test(name)) ?? files[0])?.name ?? "no file";
}

/** What was left out, missed or not found. */
export const remarksOn = ({ notes }: MeshResult) => notes.filter((note) => !ROUTINE.test(note));

/** What an import did, in a few sentences. */
export function summaryOf({ result, bounds, size, seconds, files }: Imported): string {
  const { report, surface, format } = result;
  const took = `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const what = surface
    ? `${counted(surface.triangles.length / 3, "triangle")} filled with ${counted(report.tets, "tet")} in ${took}.`
    : `${counted(report.tets, "tet")}, read in ${took}.`;
  const side = number(longestSide(bounds));
  const scaled = size === "one" ? ` Its longest side is ${side} in the file and 1 m here; Size has other choices.` : "";
  const finding = report.findings.find(({ code }) => code === SCALE_FINDING);
  const hint = size === "m" && finding ? ` Its size is suspicious: ${finding.message}.` : "";
  const [remark, ...others] = remarksOn(result);
  const said = remark ? ` Note: ${remark}.` : "";
  const more = others.length > 0 ? ` The mesh report has ${counted(others.length, "more note")}.` : "";
  return `${mainName(files)} (${format}): ${what}${scaled}${hint}${said}${more}`;
}

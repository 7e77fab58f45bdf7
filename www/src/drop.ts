// A mesh of the visitor's own: two files dropped on the page or picked, sorted by their names.
import type { TetMeshSource } from "webgpu-softbody";

export interface OwnMesh {
  name: string;
  mesh: TetMeshSource;
}

const POSITIONS = /\.vec3f32bin$|position|vert/i;
const TETS = /\.vec4u32bin$|tet|indic|index/i;

/** Which file is which. Throws an Error that says what is wrong with the choice. */
export async function readOwnMesh(files: readonly File[]): Promise<OwnMesh> {
  const names = files.map((file) => file.name).join(", ") || "none";
  const wanted = "a mesh is two files, positions (.vec3f32bin) and tets (.vec4u32bin)";
  if (files.length !== 2) throw new Error(`${wanted}; given: ${names}`);
  // The suffix says more than the name: `tet_positions.vec3f32bin` holds positions.
  const bySuffix = (suffix: RegExp) => files.find((file) => suffix.test(file.name));
  const positions = bySuffix(/\.vec3f32bin$/i) ?? bySuffix(POSITIONS);
  const tets = bySuffix(/\.vec4u32bin$/i) ?? files.find((file) => file !== positions && TETS.test(file.name));
  if (!positions || !tets || positions === tets) throw new Error(`${wanted}; cannot tell which is which: ${names}`);
  const [positionBytes, tetBytes] = await Promise.all([positions.arrayBuffer(), tets.arrayBuffer()]);
  return {
    name: positions.name.replace(/[._-]?(positions)?\.[^.]*$/i, "") || positions.name,
    mesh: { positions: positionBytes, tets: tetBytes },
  };
}

/** Calls `take` with the files that are dropped anywhere on the page. */
export function acceptDrops(overlay: HTMLElement, take: (files: File[]) => void) {
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    overlay.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    // Only leaving the window has nothing on the other side.
    if (event.relatedTarget === null) overlay.hidden = true;
  });
  addEventListener("drop", (event) => {
    overlay.hidden = true;
    if (!carriesFiles(event)) return;
    event.preventDefault();
    take([...(event.dataTransfer?.files ?? [])]);
  });
}

/** Lets the visitor choose files; `picker` is a file input of the page. */
export function acceptPicks(picker: HTMLInputElement, take: (files: File[]) => void) {
  picker.addEventListener("change", () => {
    const files = [...(picker.files ?? [])];
    // So that choosing the same files again counts as a change.
    picker.value = "";
    if (files.length > 0) take(files);
  });
}

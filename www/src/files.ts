// Files from the visitor: dropped on the page, picked, or named in the address; and which two are a body's own format.
import type { TetMeshSource } from "webgpu-softbody";

export interface BinaryMesh {
  name: string;
  mesh: TetMeshSource;
}

const POSITIONS = /\.vec3f32bin$|position|vert/i;
const TETS = /\.vec4u32bin$|tet|indic|index/i;
const OWN_SUFFIX = /\.vec(3f32|4u32)bin$/i;
/** Files without a format of their own: only their names tell what they hold. */
const RAW_SUFFIX = /\.(vec3f32bin|vec4u32bin|bin|raw|dat)$/i;

/** Whether these are the two binary files rather than some other format. */
export function areBinary(files: readonly File[]): boolean {
  if (files.some((file) => OWN_SUFFIX.test(file.name))) return true;
  const [one, other] = files;
  if (!one || !other || files.length !== 2 || !files.every((file) => RAW_SUFFIX.test(file.name))) return false;
  return [[one, other] as const, [other, one] as const].some(([first, second]) => POSITIONS.test(first.name) && TETS.test(second.name));
}

/** Which file is which. Throws an Error that says what is wrong with the choice. */
export async function readBinary(files: readonly File[]): Promise<BinaryMesh> {
  const names = files.map((file) => file.name).join(", ");
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

/** Files by their addresses, relative to the page or to a server that allows it. Throws an Error that names the address. */
export function fetchFiles(addresses: readonly string[], signal: AbortSignal): Promise<File[]> {
  return Promise.all(
    addresses.map(async (address) => {
      if (!URL.canParse(address, document.baseURI)) throw new Error(`?model=${address} is no address`);
      const url = new URL(address, document.baseURI);
      let response: Response;
      try {
        response = await fetch(url, { signal });
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        throw new Error(`${url.href} cannot be fetched: there is no connection, or that server does not allow other sites (CORS)`);
      }
      if (!response.ok) throw new Error(`${url.href} answered ${response.status}`);
      const name = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf("/") + 1));
      return new File([await response.blob()], name || url.host);
    }),
  );
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
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) take(files);
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

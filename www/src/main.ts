// Composition root of the page: one body on one canvas, its controls, keys and files.
import { SoftBody, type BodyOptions, type MeshReport, type TetMeshSource } from "webgpu-softbody";
import { Controls, materialOf, setStiffness, type Settings } from "./controls";
import { acceptDrops, acceptPicks, readOwnMesh } from "./drop";
import { describe, hideToast, showFailed, showToast, showUnsupported } from "./fail";
import { Figures } from "./figures";
import { cameraFor, meshOf, presets, type Preset, type PresetName } from "./presets";
import { readQuery } from "./query";

type State = "loading" | "running" | "paused" | "unsupported" | "failed";

declare global {
  interface Window {
    /** The live body, for the console and the browser tests. */
    softbody?: SoftBody;
  }
}

const STATE_TEXT: Record<State, string> = {
  loading: "Loading",
  running: "Running",
  paused: "Paused",
  unsupported: "Not supported here",
  failed: "Stopped",
};
const STEP_SECONDS = 1 / 60;
const OWN_MESH_ROOM = 1.3;

function find<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`index.html has no ${type.name} #${id}`);
  return found;
}

const canvas = find("scene", HTMLCanvasElement);
const query = readQuery(location.search);
const figures = new Figures(find("figures", HTMLElement));

const first: PresetName = query.preset ?? "cube";
const settings: Settings = {
  preset: first,
  stiffness: "medium",
  exponent: 5,
  poissonRatio: 0.35,
  friction: 0.5,
  substeps: query.substeps ?? 20,
  iterations: query.iterations ?? 4,
  gravity: 9.81,
  wireframe: false,
  // Who asked for less motion starts it themselves.
  paused: query.paused ?? matchMedia("(prefers-reduced-motion: reduce)").matches,
};
setStiffness(settings, query.stiffness ?? "medium");

function setState(state: State) {
  document.documentElement.dataset["softbody"] = state;
  find("state", HTMLElement).textContent = STATE_TEXT[state];
}

function bodyOptions(options: BodyOptions): BodyOptions {
  return {
    ...options,
    material: materialOf(settings),
    appearance: { ...options.appearance, wireframe: settings.wireframe },
  };
}

const aspect = () => canvas.clientWidth / Math.max(1, canvas.clientHeight);
const gravity = (): [number, number, number] => [0, -settings.gravity, 0];
const solver = () => ({ substeps: settings.substeps, iterations: settings.iterations });

/** The page once a body exists. */
async function run(body: SoftBody) {
  let simulated = 0;
  /** Loads are done one after the other; of those that wait, only the last is wanted. */
  let loads = Promise.resolve();
  let newest = 0;

  const load = (read: () => Promise<{ mesh: TetMeshSource; options: BodyOptions; room: number; preset?: PresetName }>) => {
    const mine = ++newest;
    loads = loads.then(async () => {
      if (mine !== newest) return;
      try {
        const { mesh, options, room, preset } = await read();
        const report = await body.load(mesh, bodyOptions(options));
        hideToast();
        controls.showPreset(preset);
        await show(report, room, preset);
      } catch (thrown) {
        // The body that was there goes on.
        controls.showPreset(shown);
        showToast(describe(thrown).message);
      }
    });
  };
  const loadPreset = (name: PresetName) => {
    const preset: Preset = presets[name];
    load(async () => ({ mesh: meshOf(preset), options: preset.options, room: preset.room, preset: name }));
  };
  const loadFiles = (files: File[]) => {
    load(async () => {
      const { mesh } = await readOwnMesh(files);
      return { mesh, options: { center: true, dropToFloor: true }, room: OWN_MESH_ROOM };
    });
  };

  let shown: PresetName | undefined = first;
  /** After a load: camera, figures, and a picture even while paused. */
  const show = async (report: MeshReport, room: number, preset: PresetName | undefined) => {
    shown = preset;
    simulated = 0;
    figures.simulated(0);
    figures.tets(report.tets);
    body.setCamera(cameraFor(await body.readPositions(), room, aspect()));
    redraw();
    document.documentElement.dataset["preset"] = preset ?? "own";
  };
  const redraw = () => {
    if (!body.running) body.render();
  };

  const applyPause = () => {
    if (settings.paused) {
      body.stop();
      figures.pause();
    } else {
      body.start();
    }
    setState(settings.paused ? "paused" : "running");
  };
  const setPaused = (paused: boolean) => {
    settings.paused = paused;
    controls.refresh();
    applyPause();
  };
  const step = () => {
    if (!settings.paused) setPaused(true);
    body.step(STEP_SECONDS);
    body.render();
    simulated += STEP_SECONDS;
    figures.simulated(simulated);
  };
  const reset = () => {
    body.reset();
    simulated = 0;
    figures.simulated(0);
    redraw();
  };

  const picker = find("picker", HTMLInputElement);
  const controls = new Controls(find("panel", HTMLElement), settings, {
    preset: loadPreset,
    material: () => body.setMaterial(materialOf(settings)),
    solver: () => body.setSolver(solver()),
    gravity: () => body.setGravity(gravity()),
    wireframe: () => {
      body.setAppearance({ wireframe: settings.wireframe });
      redraw();
    },
    paused: applyPause,
    step,
    reset,
    openFiles: () => {
      controls.showPreset(shown);
      picker.click();
    },
  });
  acceptDrops(find("drop", HTMLElement), loadFiles);
  acceptPicks(picker, loadFiles);

  addEventListener("keydown", (event) => {
    document.documentElement.dataset["keyboard"] = "";
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    // A key held down steps on, but does not flicker between running and paused.
    if (event.repeat && event.key.toLowerCase() !== "s") return;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (target.matches("input:not([type=checkbox]):not([readonly]), select, textarea")) return;
    // Space on a button or box is theirs.
    if (event.key === " " && target.matches("button, input")) return;
    switch (event.key.toLowerCase()) {
      case " ":
        setPaused(!settings.paused);
        break;
      case "s":
        step();
        break;
      case "r":
        reset();
        break;
      case "h":
        controls.toggle();
        break;
      default:
        return;
    }
    event.preventDefault();
  });

  body.on("frame", (stats) => {
    simulated = stats.simulatedSeconds;
    figures.frame(stats);
  });
  // A camera gesture or a new size needs a picture even while nothing moves.
  body.on("resize", redraw);
  body.on("error", (error) => {
    // What stopped the frames is the end; all else is told while the body goes on.
    if (error.code === "device-lost" || (!settings.paused && !body.running)) {
      setState("failed");
      showFailed(error);
    } else {
      showToast(error.message);
    }
  });

  await show(body.report(), presets[first].room, first);
  canvas.focus({ preventScroll: true });
  applyPause();
  if (query.problems.length > 0) showToast(query.problems.join("; "));
}

async function main() {
  const support = await SoftBody.isSupported();
  if (!support.supported) {
    setState("unsupported");
    showUnsupported(support);
    return;
  }
  const preset: Preset = presets[first];
  const body = await SoftBody.create(canvas, {
    ...bodyOptions(preset.options),
    ...solver(),
    mesh: meshOf(preset),
    gravity: gravity(),
    floor: 0,
  });
  window.softbody = body;
  await run(body);
}

main().catch((thrown: unknown) => {
  setState("failed");
  showFailed(thrown);
});

// Composition root of the page: one body on one canvas, its controls, keys and files.
import { actionBar } from "./actions";
import { Breeze } from "./air";
import { cameraFor, cameraOn } from "./camera";
import { LOOKS } from "./cloths";
import { SoftBody, type LoadOptions, type MeshReport, type SolverOptions } from "webgpu-softbody";
import { Controls, materialOf, setStiffness, tetsOf, type Settings } from "./controls";
import { element, find } from "./dom";
import { describe, hideNotice, hideToast, showFailed, showNotice, showToast, showUnsupported } from "./fail";
import { Figures } from "./figures";
import { acceptDrops, acceptPicks, fetchFiles } from "./files";
import { handleKeys } from "./keys";
import { Loader } from "./loader";
import { poke } from "./poke";
import { DEFAULT_PRESET } from "./presets";
import { ProgressBar } from "./progress";
import { AUTO, addressOf, readQuery } from "./query";
import { ReportPanel, type Examination } from "./report";
import { setFabric, strainLimitOf } from "./sheet-controls";
import { isSlowed, substepFigure } from "./solver";
import { TETS, fileSubject, importedOf, importedSubject, isSheet, meshModule, sceneSubject, summaryOf, type NamedFile, type Subject } from "./subject";

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
/** Of style.css, CSS pixels: up to where the panels lie above and below, and what both take beside the scene otherwise. */
const PHONE_WIDTH = 640;
const PANELS_WIDTH = 616;
const LEAST_ASPECT = 0.75;

const canvas = find("scene", HTMLCanvasElement);
const query = readQuery(location.search);
const figures = new Figures(element("figures"));

const first = query.scene ?? DEFAULT_PRESET;
const settings: Settings = {
  scene: first,
  stiffness: "medium",
  exponent: 5,
  poissonRatio: 0.35,
  friction: 0.5,
  scheme: query.scheme ?? "explicit",
  substeps: query.substeps ?? AUTO,
  iterations: query.iterations ?? 4,
  gravity: 9.81,
  wireframe: false,
  // Who asked for less motion starts it themselves.
  paused: query.paused ?? matchMedia("(prefers-reduced-motion: reduce)").matches,
  resolution: Math.log10(query.tets ?? TETS.usual),
  size: "m",
  up: "y",
  fabric: "silk",
  strainLimit: 2,
  speed: 0,
  towards: 0,
  gusts: 0,
};
setStiffness(settings, query.stiffness ?? "medium");

function setState(state: State) {
  document.documentElement.dataset["softbody"] = state;
  element("state").textContent = STATE_TEXT[state];
}

/** What a cloth that was there before may have changed. */
const SOLID_LOOK = { roughness: 0.22 };

const loadOptions = (subject: Subject): LoadOptions => ({
  ...subject.options,
  material: isSheet(subject) ? subject.start.fabric : materialOf(settings),
  appearance: { ...(isSheet(subject) ? LOOKS[subject.start.fabric] : SOLID_LOOK), ...subject.options.appearance, wireframe: settings.wireframe },
});

/** The first scene as the address wants it. */
async function firstSubject(): Promise<Subject> {
  const subject = await sceneSubject(first);
  if (!isSheet(subject)) return subject;
  const { air, fabric } = subject.start;
  const { wind = air.speed, towards = air.towards, gusts = air.gusts } = query;
  return { ...subject, start: { ...subject.start, fabric: query.fabric ?? fabric, air: { speed: wind, towards, gusts } } };
}

/** What the mesh module finds in a mesh that it did not read itself. */
async function examine(files: NamedFile[]): Promise<Examination> {
  const { importMesh } = await meshModule();
  const { findings, shape } = (await importMesh(files)).report;
  return { findings, ...(shape && { shape }) };
}

/** Of what the card and the panel leave free, but not so little that the body becomes small. */
const aspect = () => {
  const { clientWidth, clientHeight } = canvas;
  const free = clientWidth > PHONE_WIDTH ? Math.max(clientWidth - PANELS_WIDTH, LEAST_ASPECT * clientHeight) : clientWidth;
  return free / Math.max(1, clientHeight);
};
const gravity = (): [number, number, number] => [0, -settings.gravity, 0];
const solver = (): SolverOptions => ({
  scheme: settings.scheme,
  substeps: settings.substeps === AUTO ? "auto" : settings.substeps,
  iterations: settings.iterations,
});

/** The page once a body exists; `shown` is what it was made of. */
async function run(body: SoftBody, shown: Subject) {
  let simulated = 0;
  /** Whether the same thing will be seen, so that the view may stay as it is. */
  let sameView = false;
  /** The number of tets that a surface is being meshed again with. */
  let meshing: number | undefined;

  const redraw = () => {
    if (!body.running) body.render();
  };
  /** Substeps and what they cost depend on mesh, material and solver. */
  const showMotion = (report: MeshReport) => {
    figures.substeps(isSheet(shown) ? undefined : substepFigure(settings, report), isSlowed(report));
    controls.motion(report);
  };
  const motionChanged = () => {
    const report = body.report();
    showMotion(report);
    reportPanel.update(report);
  };
  /** After a load: camera, figures, and a picture even while paused. */
  const show = async (subject: Subject, report: MeshReport) => {
    shown = subject;
    simulated = 0;
    figures.anew();
    if (isSheet(subject)) {
      const { fabric, air } = subject.start;
      setFabric(settings, fabric);
      Object.assign(settings, air);
      figures.elements("Triangles", report.surfaceTriangles);
    } else {
      figures.elements("Tets", report.tets);
    }
    breeze.apply();
    bar.show(isSheet(subject));
    controls.show(subject);
    reportPanel.show(subject, report);
    showMotion(report);
    const credit = element("credit");
    credit.textContent = (!isSheet(subject) && subject.credit) || "";
    credit.hidden = credit.textContent === "";
    if (isSheet(subject)) body.setCamera(cameraOn(subject.start.view, aspect()));
    else if (!sameView) body.setCamera(cameraFor(await body.readPositions(), subject.room, aspect()));
    redraw();
    const { dataset } = document.documentElement;
    dataset["preset"] = subject.scene ?? "own";
    dataset["mesh"] = `${subject.name}, ${report.tets} tets`;
  };

  const progress = new ProgressBar(() => loader.cancel());
  const loader = new Loader(body, {
    shown: async (subject, report) => {
      hideToast();
      hideNotice();
      await show(subject, report);
      const imported = importedOf(subject);
      if (imported) showNotice(summaryOf(imported));
      if (subject.scene) history.replaceState(null, "", addressOf(subject.scene));
    },
    failed: (thrown) => {
      controls.show(shown);
      showToast(describe(thrown).message);
    },
    cancelled: () => {
      controls.show(shown);
      showNotice("Cancelled. The body that was there goes on.");
    },
    done: () => {
      meshing = undefined;
      progress.hide();
    },
  });
  const load = (prepare: (signal: AbortSignal) => Promise<Subject>, keepView = false) => {
    progress.hide();
    meshing = undefined;
    loader.load(async (signal) => {
      const subject = await prepare(signal);
      sameView = keepView;
      return subject;
    }, loadOptions);
  };
  /** The bar of a load that was overtaken must not come back. */
  const tell = (signal: AbortSignal) => (doing: string, fraction?: number) => {
    if (!signal.aborted) progress.show(doing, fraction);
  };
  const loadFiles = (files: File[]) => {
    // What was wrong with the last files is not said of these.
    hideToast();
    load((signal) => fileSubject(files, tetsOf(settings), signal, tell(signal)));
  };
  const loadModel = (addresses: string[]) => {
    load(async (signal) => {
      tell(signal)("Fetching the model");
      return fileSubject(await fetchFiles(addresses, signal), tetsOf(settings), signal, tell(signal));
    });
  };
  /** The same surface in another number of tets: its size, its way up and the view stay. */
  const meshAgain = () => {
    const imported = importedOf(shown);
    const tets = tetsOf(settings);
    if (!imported || tets === (meshing ?? imported.tets)) return;
    const { size, up } = imported;
    load(async (signal) => {
      const { imported: again } = await fileSubject(imported.files, tets, signal, tell(signal));
      if (!again) throw new Error(`${shown.name} is another format now`);
      return importedSubject({ ...again, size, up });
    }, true);
    meshing = tets;
  };
  const placeAgain = () => {
    const imported = importedOf(shown);
    const { size, up } = settings;
    if (imported) load(async () => importedSubject({ ...imported, size, up }));
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
    breeze.advance(simulated);
  };
  const reset = () => {
    body.reset();
    breeze.apply();
    simulated = 0;
    figures.anew();
    redraw();
  };

  const breeze = new Breeze(settings, (wind) => body.setWind(wind));
  const bar = actionBar({
    poke: () => void poke(body, shown).then(redraw, (thrown: unknown) => showToast(describe(thrown).message)),
    gust: () => breeze.gust(simulated),
    again: reset,
  });
  const picker = find("picker", HTMLInputElement);
  const controls = new Controls(element("panel"), settings, {
    scene: (name) => load(() => sceneSubject(name)),
    fabric: () => {
      body.setMaterial(settings.fabric);
      body.setAppearance(LOOKS[settings.fabric]);
      redraw();
    },
    strainLimit: () => body.setMaterial(strainLimitOf(settings)),
    air: () => breeze.apply(),
    material: () => {
      body.setMaterial(materialOf(settings));
      motionChanged();
    },
    solver: () => {
      body.setSolver(solver());
      motionChanged();
    },
    gravity: () => body.setGravity(gravity()),
    wireframe: () => {
      body.setAppearance({ wireframe: settings.wireframe });
      redraw();
    },
    paused: applyPause,
    step,
    reset,
    openFiles: () => {
      controls.show(shown);
      picker.click();
    },
    resolution: meshAgain,
    placement: placeAgain,
    panelOpened: () => reportPanel.close(),
  });
  const reportPanel = new ReportPanel(examine, () => controls.yieldRoom());
  acceptDrops(element("drop"), loadFiles);
  acceptPicks(picker, loadFiles);
  handleKeys({
    pause: () => setPaused(!settings.paused),
    step,
    reset,
    panel: () => controls.toggle(),
    escape: () => {
      if (loader.busy) loader.cancel();
      else {
        hideToast();
        hideNotice();
      }
    },
  });

  body.on("frame", (stats) => {
    simulated = stats.simulatedSeconds;
    figures.frame(stats);
    breeze.advance(simulated);
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

  await show(shown, body.report());
  canvas.focus({ preventScroll: true });
  applyPause();
  if (query.problems.length > 0) showToast(query.problems.join("; "));
  if (query.model.length > 0) loadModel(query.model);
}

async function main() {
  if (new URLSearchParams(location.search).has("bench")) {
    // Most visitors never load it. What goes wrong is told on its own page.
    const { startBench } = await import("./bench");
    await startBench(location.search).catch(() => {});
    return;
  }
  const support = await SoftBody.isSupported();
  if (!support.supported) {
    setState("unsupported");
    showUnsupported(support);
    return;
  }
  const subject = await firstSubject();
  const body = await SoftBody.create(canvas, {
    ...loadOptions(subject),
    ...solver(),
    ...(isSheet(subject) ? { cloth: subject.cloth } : { mesh: subject.mesh }),
    gravity: gravity(),
    floor: 0,
  });
  window.softbody = body;
  await run(body, subject);
}

main().catch((thrown: unknown) => {
  setState("failed");
  showFailed(thrown);
});

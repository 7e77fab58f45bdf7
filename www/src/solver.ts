// What the solver does with the body that is shown, in words: its substeps, and what they cost where they are too few.
import type { MeshReport } from "webgpu-softbody";
import type { Settings } from "./controls";
import { AUTO } from "./query";
import { number } from "./text";

/** What XPBD takes where nothing is set; the same as the package's. */
export const XPBD_SUBSTEPS = 20;
/** The finding on motion that is slower than in truth. */
const SLOWED = "scaled-dynamics";

type SolverSettings = Pick<Settings, "scheme" | "substeps">;

/** Substeps of a frame of 1/60 s; undefined where they are not known. */
export function substepsOf({ scheme, substeps }: SolverSettings, { dynamics }: MeshReport): number | undefined {
  if (substeps !== AUTO) return substeps;
  return dynamics?.substeps ?? (scheme === "xpbd" ? XPBD_SUBSTEPS : undefined);
}

export const isSlowed = ({ findings }: MeshReport) => findings.some(({ code }) => code === SLOWED);

/** For the card: "14 (r 1.42)". */
export function substepFigure(settings: SolverSettings, report: MeshReport): string {
  const substeps = substepsOf(settings, report);
  if (substeps === undefined) return "–";
  return report.dynamics ? `${substeps} (r ${number(report.dynamics.r)})` : String(substeps);
}

/** For the panel. */
export const ABOUT_CLOTH = "A cloth is solved by XPBD, with one iteration per substep; auto takes more of them the farther it hangs from its pins.";

/** For the panel: what the settings mean for this body. */
export function aboutSolver({ scheme }: SolverSettings, { dynamics, findings }: MeshReport): string {
  if (scheme === "xpbd") return "The stiffer the material and the finer the mesh, the more substeps and iterations XPBD needs; with too few the body is too soft.";
  const slowed = findings.find(({ code }) => code === SLOWED);
  if (slowed) return `${slowed.message.charAt(0).toUpperCase()}${slowed.message.slice(1)}.`;
  return dynamics ? `r = ${number(dynamics.r)}: up to 1.5 every vibration of the mesh is followed as it is.` : "";
}

// What the page says when something is wrong: a panel when nothing can run, a toast when the body goes on.
import { SoftBodyError, type SupportReport } from "webgpu-softbody";

const ADVICE: Record<NonNullable<SupportReport["reason"]>, { title: string; advice: string[] }> = {
  "insecure-context": {
    title: "This address is not secure",
    advice: ["Browsers offer WebGPU on secure pages only.", "Open this page over https, or from localhost."],
  },
  "no-webgpu": {
    title: "This browser has no WebGPU",
    advice: [
      "Use a current Chrome, Edge or Safari, or Firefox on a system where it offers WebGPU.",
      "On an older system, update the browser; in Safari before 26, WebGPU is off.",
    ],
  },
  "no-adapter": {
    title: "WebGPU found no usable GPU",
    advice: [
      "Switch on hardware acceleration in the browser's settings and restart it.",
      "Update the graphics driver.",
      "In a virtual machine or over remote desktop there may be no GPU at all.",
    ],
  },
};

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found;
}

function make<K extends keyof HTMLElementTagNameMap>(tag: K, text: string, className = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function showPanel(title: string, advice: string[], detail: string) {
  hideToast();
  const list = document.createElement("ul");
  list.append(...advice.map((line) => make("li", line)));
  const again = make("button", "Try again");
  again.type = "button";
  again.addEventListener("click", () => location.reload());
  const panel = element("fail");
  panel.replaceChildren(make("h2", title), list, make("p", detail, "detail"), again);
  panel.hidden = false;
  panel.focus();
}

export function showUnsupported({ reason = "no-webgpu", detail = "" }: SupportReport) {
  const { title, advice } = ADVICE[reason];
  showPanel(title, advice, detail);
}

export function showFailed(thrown: unknown) {
  const { code, message } = describe(thrown);
  const advice =
    code === "device-lost"
      ? ["The GPU went away: a driver update, a sleeping computer, or too much work at once.", "Loading the page again starts anew."]
      : ["Loading the page again may help."];
  showPanel("The soft body could not go on", advice, `${code}: ${message}`);
}

/** For what went wrong while the body goes on. */
export function showToast(message: string) {
  const toast = element("toast");
  const close = make("button", "Close");
  close.type = "button";
  close.addEventListener("click", hideToast);
  toast.replaceChildren(make("p", message), close);
  toast.hidden = false;
}

export function hideToast() {
  element("toast").hidden = true;
}

export function describe(thrown: unknown): { code: string; message: string } {
  if (thrown instanceof SoftBodyError) return { code: thrown.code, message: thrown.message };
  return { code: "error", message: thrown instanceof Error ? thrown.message : String(thrown) };
}

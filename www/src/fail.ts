// What the page says: a panel when nothing can run, a toast for what went wrong, a notice for what was done.
import { SoftBodyError, type SupportReport } from "webgpu-softbody";
import { element, make } from "./dom";

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

const NOTICE_MS = 9_000;

function showPanel(title: string, advice: string[], detail: string) {
  hideToast();
  hideNotice();
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

function showMessage(id: string, message: string, hide: () => void) {
  const box = element(id);
  const close = make("button", "Close");
  close.type = "button";
  close.addEventListener("click", hide);
  box.replaceChildren(make("p", message), close);
  box.hidden = false;
}

function hideMessage(id: string) {
  const box = element(id);
  // The focus may not vanish with the button.
  if (box.contains(document.activeElement)) element("scene").focus({ preventScroll: true });
  box.hidden = true;
}

/** For what went wrong while the body goes on. */
export function showToast(message: string) {
  hideNotice();
  showMessage("toast", message, hideToast);
}

export function hideToast() {
  hideMessage("toast");
}

let noticeEnds = 0;

/** For what was done; goes away by itself, as the report says it, too. */
export function showNotice(message: string) {
  showMessage("notice", message, hideNotice);
  clearTimeout(noticeEnds);
  const end = () => {
    const box = element("notice");
    if (box.matches(":hover, :focus-within")) noticeEnds = setTimeout(end, NOTICE_MS);
    else hideNotice();
  };
  noticeEnds = setTimeout(end, NOTICE_MS);
}

export function hideNotice() {
  clearTimeout(noticeEnds);
  hideMessage("notice");
}

export function describe(thrown: unknown): { code: string; message: string } {
  if (thrown instanceof SoftBodyError) return { code: thrown.code, message: thrown.message };
  return { code: "error", message: thrown instanceof Error ? thrown.message : String(thrown) };
}

// The bar that shows how far an import has come, with a button that ends it.
import { element } from "./dom";

export class ProgressBar {
  readonly #root = element("progress");
  readonly #text = element("progress-text");
  readonly #bar = element("progress-bar");
  readonly #share = element("progress-share");

  constructor(cancel: () => void) {
    element("progress-cancel").addEventListener("click", cancel);
  }

  /** Without a fraction, how long it will take is not known. */
  show(doing: string, fraction?: number) {
    if (this.#text.textContent !== doing) this.#text.textContent = doing;
    const percent = fraction === undefined ? undefined : Math.round(100 * Math.min(1, Math.max(0, fraction)));
    this.#share.textContent = percent === undefined ? "" : `${percent} %`;
    if (percent === undefined) this.#bar.removeAttribute("aria-valuenow");
    else this.#bar.setAttribute("aria-valuenow", String(percent));
    this.#bar.style.setProperty("--share", percent === undefined ? "0" : String(percent / 100));
    this.#root.hidden = false;
  }

  hide() {
    // The focus may not vanish with the button.
    if (this.#root.contains(document.activeElement)) element("scene").focus({ preventScroll: true });
    this.#root.hidden = true;
  }
}

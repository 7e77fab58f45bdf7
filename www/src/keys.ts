// The page's keys, and when they belong to something else.

export interface KeyActions {
  pause(): void;
  step(): void;
  reset(): void;
  panel(): void;
  escape(): void;
}

export function handleKeys(actions: KeyActions) {
  addEventListener("keydown", (event) => {
    document.documentElement.dataset["keyboard"] = "";
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") return actions.escape();
    // A key held down steps on, but does not flicker between running and paused.
    if (event.repeat && event.key.toLowerCase() !== "s") return;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (target.matches("input:not([type=checkbox]):not([readonly]), select, textarea")) return;
    // Space on a button or box is theirs.
    if (event.key === " " && target.matches("button, input, summary")) return;
    switch (event.key.toLowerCase()) {
      case " ":
        actions.pause();
        break;
      case "s":
        actions.step();
        break;
      case "r":
        actions.reset();
        break;
      case "h":
        actions.panel();
        break;
      default:
        return;
    }
    event.preventDefault();
  });
}

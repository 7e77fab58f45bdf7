// The buttons below the scene: for hands that want to do something at once.
import { element, find } from "./dom";

export interface ActionBar {
  /** Shows what makes sense for a cloth or for a solid. */
  show(isSheet: boolean): void;
}

export function actionBar(actions: { poke(): void; gust(): void; again(): void }): ActionBar {
  const button = (id: string, act: () => void) => {
    const found = find(id, HTMLButtonElement);
    found.addEventListener("click", ({ detail }) => {
      act();
      // Who clicked wants Space to pause again; who pressed a key stays on the button.
      if (detail > 0) element("scene").focus({ preventScroll: true });
    });
    return found;
  };
  button("poke", () => actions.poke());
  const gust = button("gust", () => actions.gust());
  button("again", () => actions.again());
  find("actions", HTMLElement).hidden = false;
  return {
    show(isSheet) {
      gust.hidden = !isSheet;
    },
  };
}

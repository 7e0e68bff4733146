/** Replaces the list of a menu by the complete one of its page, when the menu is first opened. */
import { fetchPage } from "../navigation.ts";

/** Handles the opening of any popover. */
export function loadMenuList({ target, newState }: ToggleEvent): void {
  const menu = target as HTMLElement;
  const { listUrl } = menu.dataset;
  if (!listUrl || newState !== "open") return;
  delete menu.dataset.listUrl;
  // If the list does not arrive, the link to its page stays.
  fetchPage(listUrl).then(
    ({ document }) => {
      const list = document?.querySelector("main form ul");
      if (!list) return;
      menu.querySelector("ul")?.replaceWith(list);
      menu.querySelector("[data-list-link]")?.remove();
    },
    () => undefined,
  );
}

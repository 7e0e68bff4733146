/** Replaces the list of a menu by the complete one of its page, when the menu is first opened. */
import { fetchPage } from "./navigation.ts";

/** Loads the list once. If it does not arrive, the link to its page stays. */
export async function loadMenuList(menu: HTMLElement): Promise<void> {
  const { listUrl } = menu.dataset;
  if (!listUrl) return;
  delete menu.dataset.listUrl;
  const page = await fetchPage(listUrl).catch(() => undefined);
  const list = page?.document?.querySelector("main form ul");
  if (!list) return;
  menu.querySelector("ul")?.replaceWith(list);
  menu.querySelector("[data-list-link]")?.remove();
}

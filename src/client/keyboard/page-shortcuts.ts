/** The shortcuts of a page in the list of shortcuts. Loaded when the list is first opened. */

/** Adds the shortcuts of these elements to the list. Removes those of an earlier page. */
export function addPageShortcuts(elements: readonly HTMLElement[]): void {
  const list = document.getElementById("shortcuts");
  const last = list?.querySelector("dl > :last-child");
  for (const old of list?.querySelectorAll("[data-page-shortcut]") ?? []) old.remove();
  const shown = new Set<string>();
  for (const { dataset, ariaLabel, textContent } of elements) {
    const key = dataset.shortcut ?? "";
    if (shown.has(key)) continue;
    shown.add(key);
    const entry = last?.cloneNode(true) as HTMLElement;
    const [term, description] = entry.children;
    entry.dataset.pageShortcut = "";
    term?.firstElementChild?.replaceChildren(key);
    description?.replaceChildren(ariaLabel ?? textContent ?? "");
    last?.before(entry);
  }
}

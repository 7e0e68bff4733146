/** The list of shortcuts with those of the page. Loaded with the palette. */

/** Opens the list with the shortcuts of these elements instead of those of an earlier page. */
export function showShortcuts(elements: readonly HTMLElement[]): void {
  const list = document.getElementById("shortcuts");
  const last = list?.querySelector("dl > :last-child");
  for (const old of list?.querySelectorAll("[data-page-shortcut]") ?? []) old.remove();
  const shown = new Set(
    Array.from(list?.querySelectorAll("kbd") ?? [], ({ textContent }) => textContent),
  );
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
  list?.togglePopover(true);
}

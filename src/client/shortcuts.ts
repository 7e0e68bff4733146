/** Keyboard shortcuts: those in `data-shortcut`, and those of `ui/layout/shortcut-list.tsx`. */

/** Handles a key, unless a text field has the focus. */
export function handleKeydown(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  const target = event.target as Element;
  if ((ctrlKey || metaKey) && key === "k") handle(event, () => focusField("[data-lookup-input]"));
  const isTyping = target.matches("select, :read-write");
  if (ctrlKey || metaKey || altKey || isTyping) return;
  const element = listShortcutElements().find(
    (one) => one.dataset.shortcut === key && one.checkVisibility(),
  );
  if (element) handle(event, () => element.click());
  else if (key === "/")
    handle(event, () => focusField("[data-query-input]") || focusField("[data-lookup-input]"));
  else if (key === "j") moveFocus(1);
  else if (key === "k") moveFocus(-1);
  else if (key === "x") target.closest("tr")?.querySelector("input")?.click();
  else if (key === "?") showShortcuts();
}

function handle(event: Event, action: () => void): void {
  event.preventDefault();
  action();
}

function focusField(field: string): boolean {
  const input = document.querySelector<HTMLInputElement>(field);
  input?.focus();
  input?.select();
  return input !== null;
}

/** Focuses the next (1) or previous (-1) row. */
function moveFocus(offset: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row-link]")];
  const row = document.activeElement?.closest("tr");
  const index = rows.findIndex((one) => row?.contains(one));
  rows[Math.max(0, index + offset)]?.focus();
}

/** Opens the list of shortcuts, including those of this page. */
function showShortcuts(): void {
  const keys = document.getElementById("shortcuts");
  const last = keys?.querySelector("dl > :last-child");
  for (const old of keys?.querySelectorAll("[data-page-shortcut]") ?? []) old.remove();
  for (const { dataset, ariaLabel, textContent } of listShortcutElements()) {
    const entry = last?.cloneNode(true) as HTMLElement;
    const [term, what] = entry.children;
    entry.dataset.pageShortcut = "";
    term?.firstElementChild?.replaceChildren(dataset.shortcut ?? "");
    what?.replaceChildren(ariaLabel ?? textContent ?? "");
    last?.before(entry);
  }
  keys?.showPopover();
}

function listShortcutElements(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-shortcut]")];
}

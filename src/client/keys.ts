/** The keys of the desk. What has a key of its own says it in `data-key`; the others are here, and in `ui/key-list.tsx`. */

/** A key was pressed. Whoever types is left alone. */
export function press(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  const target = event.target as Element;
  if ((ctrlKey || metaKey) && key === "k") take(event, () => write("[data-lookup]"));
  const isTyping = target.matches("select, :read-write");
  if (ctrlKey || metaKey || altKey || isTyping) return;
  const own = owners().find((one) => one.dataset.key === key && one.checkVisibility());
  if (own) take(event, () => own.click());
  else if (key === "/") take(event, () => write("[data-query]") || write("[data-lookup]"));
  else if (key === "j") step(1);
  else if (key === "k") step(-1);
  else if (key === "x") target.closest("tr")?.querySelector("input")?.click();
  else if (key === "?") tell();
}

function take(event: Event, act: () => void): void {
  event.preventDefault();
  act();
}

function write(field: string): boolean {
  const box = document.querySelector<HTMLInputElement>(field);
  box?.focus();
  box?.select();
  return box !== null;
}

/** To the neighbour of the row that has the focus. */
function step(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const row = document.activeElement?.closest("tr");
  const at = rows.findIndex((one) => row?.contains(one));
  rows[Math.max(0, at + by)]?.focus();
}

/** Opens the list of keys, with those of this page. */
function tell(): void {
  const keys = document.getElementById("shortcuts");
  const last = keys?.querySelector("dl > :last-child");
  for (const old of keys?.querySelectorAll("[data-own]") ?? []) old.remove();
  for (const { dataset, ariaLabel, textContent } of owners()) {
    const entry = last?.cloneNode(true) as HTMLElement;
    const [term, what] = entry.children;
    entry.dataset.own = "";
    term?.firstElementChild?.replaceChildren(dataset.key ?? "");
    what?.replaceChildren(ariaLabel ?? textContent ?? "");
    last?.before(entry);
  }
  keys?.showPopover();
}

function owners(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-key]")];
}

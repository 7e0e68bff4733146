/** Rows of a list: the next row after an action, selection of ranges, and the buttons of a row. */

const ROW_LINK = "[data-row-link]";

/** The id of the row that last had the focus. */
let lastRowId: string | undefined;
/** The checkbox that was changed last, where a range begins. */
let rangeStart: HTMLInputElement | undefined;

/** Starts once for each document. */
export function startTriage(): void {
  document.addEventListener("focusin", ({ target }) => {
    const row = findRow(target);
    if (row) lastRowId = findLink(row)?.id;
    placeRowActions(row);
  });
  document.addEventListener("pointermove", ({ target }) => placeRowActions(findRow(target)));
  document.addEventListener("click", ({ target, shiftKey }) => {
    if (isRowCheckbox(target)) changeRange(target, shiftKey);
  });
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if ("selectAll" in target.dataset)
      for (const checkbox of listCheckboxes()) checkbox.checked = target.checked;
    const { oneLine } = target.dataset;
    if (oneLine) setCookie(`${oneLine}=${Number(target.checked)}`);
    countSelected();
  });
  // The boxes are cleared after the event.
  document.addEventListener("reset", () => setTimeout(countSelected));
  // The browser may restore the boxes of an earlier visit.
  addEventListener("pageshow", countSelected);
}

/** Keeps a choice for a year. */
function setCookie(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API.
  document.cookie = `${cookie}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

/** Shows the number of the selected rows. */
function countSelected(): void {
  const count = listCheckboxes().filter(({ checked }) => checked).length;
  for (const one of document.querySelectorAll("[data-selected-count]"))
    one.textContent = `${count}`;
}

/** The row of a list around an element. */
export function findRow(target: unknown): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(".list-row") : null;
}

/** Focuses the next (1) or previous (-1) row; with `isSelecting`, also selects it. */
export function moveFocus(offset: number, isSelecting = false): void {
  const links = listLinks();
  const row = document.activeElement?.closest("tr, li");
  const index = links.findIndex((link) => row?.contains(link));
  const lastIndex = links.findIndex(({ id }) => id === lastRowId);
  const link = links[Math.max(0, index < 0 && lastIndex >= 0 ? lastIndex : index + offset)];
  link?.focus();
  const checkbox = isSelecting && findCheckbox(findRow(link));
  if (!checkbox) return;
  checkbox.checked = true;
  countSelected();
}

/** Selects the row, or with `isRange` all rows from the last change to it. */
export function selectRow(row: HTMLElement | null, isRange: boolean): void {
  const checkbox = findCheckbox(row);
  if (!checkbox) return;
  checkbox.checked = isRange || !checkbox.checked;
  changeRange(checkbox, isRange);
}

/**
 * The ids of the rows to continue with after an action, the best first: the row with the focus,
 * those below it, those above it.
 */
export function listNextRows(): readonly string[] {
  const ids = listLinks().map(({ id }) => id);
  const selected = findLink(findRow(document.querySelector("[name=digest]:checked")));
  const current = findLink(findRow(document.activeElement))?.id ?? lastRowId;
  const index = ids.indexOf(ids.includes(current ?? "") ? (current ?? "") : (selected?.id ?? ""));
  return index < 0 ? [] : [...ids.slice(index), ...ids.slice(0, index).reverse()];
}

/** Moves the buttons into the row. */
export function placeRowActions(row: HTMLElement | null): void {
  // Tested first: most pages have no rows, and most moves of the pointer stay in one.
  if (!row || row.querySelector("[data-row-actions]")) return;
  const buttons = document.querySelector<HTMLElement>("[data-row-actions]");
  const digest = findCheckbox(row)?.value;
  // A menu stays with its row.
  if (!buttons || !digest || buttons.querySelector(":popover-open")) return;
  buttons.hidden = false;
  for (const button of buttons.querySelectorAll<HTMLButtonElement>("[data-word]"))
    button.value = `${button.dataset.word} ${digest}`;
  row.lastElementChild?.append(buttons);
}

function changeRange(checkbox: HTMLInputElement, isRange: boolean): void {
  const all = listCheckboxes();
  const from = rangeStart ? all.indexOf(rangeStart) : -1;
  const to = all.indexOf(checkbox);
  if (isRange && from >= 0)
    for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1))
      one.checked = checkbox.checked;
  rangeStart = checkbox;
  countSelected();
  // A list with an unselected row is no longer selected as a whole.
  const matching = document.querySelector<HTMLInputElement>("[name=matching]");
  if (matching && !checkbox.checked) matching.checked = false;
}

function isRowCheckbox(target: unknown): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.name === "digest";
}

function findCheckbox(row: Element | null): HTMLInputElement | null | undefined {
  return row?.querySelector<HTMLInputElement>("[name=digest]");
}

function findLink(row: Element | null): HTMLElement | null | undefined {
  return row?.querySelector<HTMLElement>(ROW_LINK);
}

function listLinks(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(ROW_LINK)];
}

function listCheckboxes(): readonly HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>("[name=digest]")];
}

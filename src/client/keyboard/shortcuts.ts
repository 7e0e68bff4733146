/** Keyboard shortcuts: those in `data-shortcut`, and those of `ui/layout/layout.tsx`. */
import { focusMenu, handleMenuKey } from "./menus.ts";
import { findRow, moveFocus, placeRowActions, selectRow } from "./row-selection.ts";

/** Keys that were pressed while a form was being sent. They are meant for the next page. */
let waitingKeys: string[] = [];

/** Handles the waiting keys when the response to a form is shown. */
export function replayWaitingKeys(): void {
  while (waitingKeys.length > 0 && !isSending()) {
    const key = waitingKeys.shift() as string;
    if (key === "Enter") (document.activeElement as HTMLElement).click();
    else handleKey(key);
  }
}

function isSending(): boolean {
  return document.querySelector("form[aria-busy=true]") !== null;
}

/** Handles a key, unless a text field has the focus or a popover is open. */
export function handleKeydown(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  const target = event.target as Element;
  if ((ctrlKey || metaKey) && key === "k") {
    event.preventDefault();
    withPalette(({ openPalette }) => openPalette(listShortcutElements()));
    return;
  }
  if ((ctrlKey || metaKey) && key === "Enter" && target instanceof HTMLTextAreaElement) {
    target.form?.requestSubmit();
    return;
  }
  if (handleMenuKey(event)) return;
  const isTyping = target.matches("select, :read-write");
  if (ctrlKey || metaKey || altKey || isTyping) return;
  if (!isSending()) {
    // If a form fails, its waiting keys are dropped.
    waitingKeys = [];
    if (handleKey(key)) event.preventDefault();
  } else if (key.length === 1) waitingKeys.push(key);
  else if (key === "Enter" && target.matches("[data-row-link]")) {
    event.preventDefault();
    waitingKeys.push(key);
  }
}

/** True if the browser must not handle the key too: it did more than move the focus. */
function handleKey(key: string): boolean {
  const row = findRow(document.activeElement);
  placeRowActions(row);
  const element = findShortcut(key, row);
  if (element) {
    element.click();
    // The next key may be Enter.
    focusMenu(element as HTMLButtonElement);
  } else if (key === "/")
    return focusField("[data-query-input]") || focusField("[data-lookup-input]");
  else if (key === "j" || key === "J") moveFocus(1, key === "J");
  else if (key === "k" || key === "K") moveFocus(-1, key === "K");
  else if (key === "x" || key === "X") selectRow(row, key === "X");
  else if (key === "?") withPalette(({ showShortcuts }) => showShortcuts(listShortcutElements()));
  return element !== undefined;
}

/**
 * The visible element with this shortcut: of a row, only of the focused one. A button of the bar
 * for selected issues that is hidden selects the focused row first.
 */
function findShortcut(key: string, row: Element | null): HTMLElement | undefined {
  const elements = listShortcutElements().filter(
    ({ dataset }) => dataset.shortcut?.split(" ").includes(key) === true,
  );
  const isUsable = (one: HTMLElement) =>
    one.checkVisibility() && (!findRow(one) || findRow(one) === row);
  const usable = elements.find(isUsable);
  if (usable || !row || !elements.some((one) => one.closest(".bulk-bar"))) return usable;
  row.querySelector("input")?.click();
  return elements.find(isUsable);
}

function focusField(field: string): boolean {
  const input = document.querySelector<HTMLInputElement>(field);
  input?.focus();
  input?.select();
  return input !== null;
}

/** Loads the palette and the list of shortcuts; focuses the lookup if that fails. */
function withPalette(use: (palette: typeof import("./palette.ts")) => void): void {
  void import("./palette.ts").then(use, () => focusField("[data-lookup-input]"));
}

function listShortcutElements(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-shortcut]")];
}

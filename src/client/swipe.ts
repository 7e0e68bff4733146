/**
 * Touch on the rows of a list: a swipe to the right presses the row's first action (resolve, or
 * reopen), one to the left its second (snooze); a long press selects the row, and while rows are
 * selected a tap selects others. The buttons of the row do the work. And what an installed app has in
 * place of a browser's frame: a way back, and a badge. Loaded at the first touch.
 */
import { findRow, placeRowActions, selectRow } from "./keyboard/row-selection.ts";

/** A shorter move is a tap. */
const MIN_MOVE_PX = 10;
/** Of the row's width; a shorter swipe does nothing. */
const ARMED_SHARE = 0.28;
const LONG_PRESS_MS = 500;

/** The buttons of each direction by their words, and what the row says; the first that it has. */
const ACTIONS = {
  right: { resolve: "Resolve", reopen: "Reopen" },
  left: { snooze: "Snooze" },
} as const;

interface Gesture {
  readonly row: HTMLElement;
  readonly x: number;
  readonly y: number;
  readonly pointerId: number;
  /** Set once the move is known to be a swipe. */
  isSwipe: boolean;
  button?: HTMLButtonElement | undefined;
}

let gesture: Gesture | undefined;
let timer = 0;
/** True until the click that follows a swipe or a long press. */
let ignoresClick = false;

let hasStarted = false;

/** Begins a gesture with the first touch of a document, and then by itself. */
export function startSwipes(first: PointerEvent): void {
  if (hasStarted) return;
  hasStarted = true;
  document.addEventListener("pointerdown", begin);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", end);
  // The browser scrolls.
  document.addEventListener("pointercancel", cancel);
  document.addEventListener("click", handleClick, { capture: true });
  document.addEventListener("contextmenu", (event) => {
    if (ignoresClick) event.preventDefault();
  });
  // Before the navigation without a reload sees it.
  document.addEventListener("click", handleBackClick, { capture: true });
  new MutationObserver(syncBadge).observe(document.body, { childList: true });
  syncBadge();
  begin(first);
}

/** Goes back in the history, if there is one; otherwise the link leads to the home page. */
function handleBackClick(event: MouseEvent): void {
  if (!(event.target as Element).closest("[data-back]") || history.length < 2) return;
  event.preventDefault();
  history.back();
}

/** Shows the unread messages of the page on the icon of the app. */
function syncBadge(): void {
  const unread = document.querySelector<HTMLElement>("[data-unread]")?.dataset.unread;
  void navigator.setAppBadge?.(Number(unread ?? 0)).catch(() => undefined);
}

function begin({
  target,
  pointerType,
  isPrimary,
  clientX: x,
  clientY: y,
  pointerId,
}: PointerEvent) {
  cancel();
  ignoresClick = false;
  const row = findRow(target);
  const isField = target instanceof Element && target.closest("input, button, label") !== null;
  if (pointerType !== "touch" || !isPrimary || !row?.querySelector("[name=digest]") || isField)
    return;
  gesture = { row, x, y, pointerId, isSwipe: false };
  timer = window.setTimeout(() => {
    cancel();
    ignoresClick = true;
    selectRow(row, false);
  }, LONG_PRESS_MS);
}

function move({ clientX, clientY, pointerId }: PointerEvent): void {
  if (gesture?.pointerId !== pointerId) return;
  const { row } = gesture;
  const [dx, dy] = [clientX - gesture.x, clientY - gesture.y];
  if (!gesture.isSwipe) {
    if (Math.hypot(dx, dy) < MIN_MOVE_PX) return;
    clearTimeout(timer);
    if (Math.abs(dx) < 2 * Math.abs(dy) || hasSelection()) {
      cancel();
      return;
    }
    gesture.isSwipe = true;
    row.setPointerCapture(pointerId);
  }
  const { button, label = "" } = findAction(row, dx > 0 ? "right" : "left");
  gesture.button = button && Math.abs(dx) > row.offsetWidth * ARMED_SHARE ? button : undefined;
  row.dataset.swipe = label;
  row.toggleAttribute("data-armed", gesture.button !== undefined);
  // Without an action, the row follows only a little.
  row.style.translate = `${button ? dx : dx / 6}px`;
}

function end({ pointerId }: PointerEvent): void {
  if (gesture?.pointerId !== pointerId) return;
  const { isSwipe, button } = gesture;
  cancel();
  ignoresClick = isSwipe;
  button?.click();
  // The click that the touch causes comes at once, or not at all.
  setTimeout(() => {
    ignoresClick = false;
  });
}

function cancel(): void {
  clearTimeout(timer);
  const row = gesture?.row;
  gesture = undefined;
  if (!row) return;
  delete row.dataset.swipe;
  row.removeAttribute("data-armed");
  row.style.translate = "";
}

/** Drops the click after a gesture. While rows are selected, a tap on a row selects it. */
function handleClick(event: MouseEvent): void {
  const row = findRow(event.target);
  const isTap =
    (event as PointerEvent).pointerType === "touch" &&
    row !== null &&
    hasSelection() &&
    (event.target as Element).closest("input, button, label") === null;
  if (!ignoresClick && !isTap) return;
  // The buttons that gestures press.
  if (!event.isTrusted) return;
  event.preventDefault();
  event.stopPropagation();
  if (!ignoresClick) selectRow(row, false);
  ignoresClick = false;
}

function findAction(
  row: HTMLElement,
  direction: keyof typeof ACTIONS,
): { readonly button?: HTMLButtonElement; readonly label?: string } {
  placeRowActions(row);
  const isOpen = row.dataset.state === "open";
  for (const [word, label] of Object.entries(ACTIONS[direction])) {
    if ((word === "reopen") === isOpen) continue;
    const button = row.querySelector<HTMLButtonElement>(`[data-word="${word}"]`);
    if (button) return { button, label };
  }
  return {};
}

function hasSelection(): boolean {
  return document.querySelector(":is([name=digest], [data-select-mode]):checked") !== null;
}

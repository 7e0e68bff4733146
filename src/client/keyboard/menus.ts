/**
 * Popovers: focus, arrow keys and filters. The browser opens them and closes them on Escape. The
 * form of a `details` element gets the focus too when a user opens it.
 */

const CONTROLS = "input:not([type=hidden]), button, a, select, textarea";

/** Starts once for each document. */
export function startMenus(): void {
  // `toggle` does not bubble.
  document.addEventListener(
    "toggle",
    ({ target, newState }) => {
      const menu = target as HTMLElement;
      // A `details` that is open when the page is shown fires the event too.
      const isFocused = document.activeElement === menu.querySelector(":scope > summary");
      const form = isFocused ? menu.querySelector<HTMLElement>(":scope > form") : null;
      const opened = menu.popover ? menu : form;
      if (opened && newState === "open") listControls(opened)[0]?.focus();
    },
    true,
  );
  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && "filter" in target.dataset) filterOptions(target);
  });
}

/** Focuses the first control of the menu that a button has opened: before the event of the menu. */
export function focusMenu({ popoverTargetElement: menu }: HTMLButtonElement): void {
  if (menu?.matches(":popover-open")) listControls(menu as HTMLElement)[0]?.focus();
}

/** Handles a key in a popover. True if there is a popover: its keys are not shortcuts. */
export function handleMenuKey(event: KeyboardEvent): boolean {
  const { key, target } = event;
  const menu = (target as Element).closest<HTMLElement>(":popover-open");
  if (!menu) return document.querySelector(":popover-open, dialog[open]") !== null;
  const controls = listControls(menu);
  const index = controls.indexOf(target as HTMLElement);
  const offset = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  if (offset && !(target as Element).matches("textarea, select")) {
    event.preventDefault();
    controls.at((index + offset) % controls.length)?.focus();
  }
  if (offset === 0)
    menu.querySelector<HTMLElement>(`[data-menu-key="${CSS.escape(key)}"]`)?.click();
  if (key === "Enter" && (target as HTMLElement).dataset.filter === "") {
    event.preventDefault();
    controls[1]?.click();
  }
  return true;
}

/** Hides the options of a menu that do not contain the text of its filter. */
function filterOptions(field: HTMLInputElement): void {
  const text = field.value.toLowerCase();
  for (const option of field.parentElement?.querySelectorAll<HTMLButtonElement>("[name=assign]") ??
    [])
    option.hidden = !`${option.value} ${option.textContent}`.toLowerCase().includes(text);
}

function listControls(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>(CONTROLS)].filter((one) => one.checkVisibility());
}

/** Shows a new state of issues before the response to its form. */
import { findRow } from "./keyboard/row-selection.ts";

/**
 * Shows the new state on the row of the button, on the selected rows, or on the issue of the page.
 * Returns a function that shows the previous states again; undefined without a state.
 */
export function markState(
  form: HTMLFormElement,
  button: Element | null,
  state: string | null,
): (() => void) | undefined {
  if (!state) return undefined;
  const row = findRow(button);
  const selected = row ? [row] : [...form.querySelectorAll("[name=digest]:checked")];
  const rows = selected.map((one) => one.closest("[data-state]"));
  const issues = selected.length ? rows : [document.querySelector("main [data-state]")];
  const unmarks = issues.map((issue) => showState(issue, state));
  return () => {
    for (const unmark of unmarks) unmark();
  };
}

/** Returns a function that shows the previous state again, which may be a mark: new, regressed. */
function showState(issue: Element | null, state: string): () => void {
  const before = issue?.getAttribute("data-state") ?? "";
  const badge = issue?.closest(".state") ?? issue?.querySelector(".state");
  const badgeBefore = badge?.cloneNode(true);
  const label = state[0]?.toUpperCase() + state.slice(1);
  issue?.setAttribute("data-state", state);
  badge?.setAttribute("data-state", state);
  if (badge?.hasAttribute("title")) badge.setAttribute("title", label);
  badge?.querySelector("span")?.replaceChildren(label);
  return () => {
    issue?.setAttribute("data-state", before);
    if (badgeBefore) badge?.replaceWith(badgeBefore);
  };
}

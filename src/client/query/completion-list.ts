/** The popup of the query field: a listbox that the field controls (ARIA APG, combobox). */
import type { Suggestion, Suggestions } from "./suggestions.ts";

export interface CompletionList {
  /** The chosen entry of the arrow keys; undefined if there is none. */
  readonly getActive: () => Suggestion | undefined;
  readonly getFirst: () => Suggestion | undefined;
  readonly isOpen: () => boolean;
  /** Shows entries; without any, closes. */
  readonly show: (suggestions: Suggestions) => void;
  readonly close: () => void;
  readonly move: (offset: 1 | -1) => void;
}

/** Creates the closed popup after the form of `input`. `choose` is called for a click or a tap. */
export function createCompletionList(
  input: HTMLInputElement,
  choose: (suggestion: Suggestion) => void,
): CompletionList {
  let entries: readonly Suggestion[] = [];
  let active = -1;
  const popup = create("div", "completion menu");
  popup.hidden = true;
  const heading = create("p", "completion-note");
  heading.id = "query-heading";
  const list = create("ul");
  list.id = "query-options";
  list.role = "listbox";
  list.setAttribute("aria-labelledby", heading.id);
  const foot = create("div", "completion-foot");
  for (const [key, text] of [
    ["Tab", "complete"],
    [",", "or another"],
    ["Esc", "close"],
  ] as const) {
    const hint = foot.appendChild(create("span"));
    hint.appendChild(create("kbd")).textContent = key;
    hint.append(` ${text}`);
  }
  popup.append(heading, list, foot);
  input.form?.append(popup);
  input.role = "combobox";
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.ariaExpanded = "false";

  // The field keeps the focus.
  popup.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", ({ target }) => {
    const option = (target as Element).closest<HTMLElement>("[role=option]");
    const entry = entries[Number(option?.dataset.at)];
    if (entry) choose(entry);
  });

  const setActive = (at: number) => {
    active = at;
    for (const [index, option] of [...list.children].entries())
      option.ariaSelected = index === at ? "true" : "false";
    const option = list.children[at];
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  };
  const close = () => {
    entries = [];
    popup.hidden = true;
    input.ariaExpanded = "false";
    setActive(-1);
  };
  return {
    close,
    getActive: () => entries[active],
    getFirst: () => entries[0],
    isOpen: () => !popup.hidden,
    show(suggestions) {
      ({ entries } = suggestions);
      list.replaceChildren(
        ...entries.map((entry, at) => createOption(entry, at, suggestions.typed)),
      );
      heading.textContent = suggestions.heading;
      if (entries.length === 0) return close();
      popup.hidden = false;
      input.ariaExpanded = "true";
      setActive(-1);
      placeBelow(popup, input);
    },
    move(offset) {
      const { length } = entries;
      if (length > 0)
        setActive(active < 0 && offset < 0 ? length - 1 : (active + offset + length) % length);
    },
  };
}

function createOption(entry: Suggestion, at: number, typed: string): HTMLElement {
  const option = create("li");
  option.id = `query-option-${at}`;
  option.role = "option";
  option.dataset.at = String(at);
  const label = option.appendChild(create("bdi", "completion-value"));
  const start = typed === "" ? -1 : entry.label.toLowerCase().indexOf(typed.toLowerCase());
  if (start < 0) label.textContent = entry.label;
  else {
    const end = start + typed.length;
    const mark = create("mark");
    mark.textContent = entry.label.slice(start, end);
    label.append(entry.label.slice(0, start), mark, entry.label.slice(end));
  }
  if (entry.meta) option.appendChild(create("small")).textContent = entry.meta;
  if (entry.issues !== undefined) {
    const count = option.appendChild(create("span", "completion-count"));
    count.textContent = entry.issues.toLocaleString("en");
    count.appendChild(create("span", "visually-hidden")).textContent = " issues";
  }
  return option;
}

/** Below the caret's part, within the field. */
function placeBelow(popup: HTMLElement, input: HTMLInputElement): void {
  const field = popup.parentElement?.getBoundingClientRect();
  if (!field) return;
  const start = input.getBoundingClientRect().left - field.left;
  const room = field.width - popup.offsetWidth;
  popup.style.left = `${Math.max(0, Math.min(start, room))}px`;
}

export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = "",
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className) element.className = className;
  return element;
}

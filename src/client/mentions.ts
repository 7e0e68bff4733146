/**
 * Completes the names of members after `@` in a comment: a list below the field (ARIA APG, "Editable
 * combobox with list autocomplete"; a text area keeps its own role). Loaded when the field gets the
 * focus.
 */

const MAX_SHOWN = 6;
const MAX_QUERY_CHARS = 40;

/** The `@` before the caret that begins a word, and what follows it. */
const STARTED = /(?:^|[^\p{L}\p{M}\p{N}_.@/-])@([^\n@]*)$/u;

/** Starts once on a field; `data-mentions` has the names. */
export function startMentions(field: HTMLTextAreaElement): void {
  field.onfocus = null;
  const names: readonly string[] = JSON.parse(field.dataset.mentions ?? "[]");
  const list = document.createElement("ul");
  list.id = "mention-list";
  list.role = "listbox";
  list.ariaLabel = "Members";
  list.className = "mention-list";
  list.hidden = true;
  const status = document.createElement("p");
  status.role = "status";
  status.className = "visually-hidden";
  field.after(list, status);
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);

  let shown: readonly string[] = [];
  let current = 0;
  /** Where the `@` is. */
  let start = 0;

  const close = () => {
    shown = [];
    list.hidden = true;
    field.removeAttribute("aria-activedescendant");
  };
  const select = (index: number) => {
    current = (index + shown.length) % shown.length;
    list.querySelectorAll("li").forEach((option, n) => {
      option.ariaSelected = `${n === current}`;
      if (n === current) field.setAttribute("aria-activedescendant", option.id);
    });
  };
  const complete = (index: number) => {
    field.setRangeText(`@${shown[index]} `, start, field.selectionEnd, "end");
    close();
    field.focus();
  };
  const update = () => {
    const { selectionStart, selectionEnd, value } = field;
    const found = STARTED.exec(value.slice(0, selectionStart));
    const query = found?.[1];
    if (query === undefined || query.length > MAX_QUERY_CHARS || selectionStart !== selectionEnd) {
      close();
      return;
    }
    start = selectionStart - query.length - 1;
    shown = find(names, query);
    if (shown.length === 0) {
      close();
      return;
    }
    list.replaceChildren(...shown.map((name, n) => createOption(name, n, () => complete(n))));
    list.hidden = false;
    status.textContent = `${shown.length} ${shown.length === 1 ? "member" : "members"}`;
    select(0);
  };

  field.addEventListener("input", update);
  field.addEventListener("click", update);
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (shown.length === 0 || event.isComposing) return;
    const { key, ctrlKey, metaKey } = event;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step) select(current + step);
    else if ((key === "Enter" && !ctrlKey && !metaKey) || key === "Tab") complete(current);
    else if (key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  update();
}

/** Names of which a word begins with the query, those that begin with it first. */
function find(names: readonly string[], query: string): readonly string[] {
  const text = query.toLowerCase();
  const rank = (name: string) => {
    const lower = name.toLowerCase();
    // A whole name was completed, or written by hand.
    if (lower === text.trimEnd() && text !== lower) return 2;
    return lower.startsWith(text) ? 0 : lower.includes(` ${text}`) ? 1 : 2;
  };
  return names
    .filter((name) => rank(name) < 2)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MAX_SHOWN);
}

function createOption(name: string, n: number, choose: () => void): HTMLLIElement {
  const option = document.createElement("li");
  option.id = `mention-${n}`;
  option.role = "option";
  option.appendChild(document.createElement("bdi")).textContent = name;
  // Before the field loses the focus.
  option.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    choose();
  });
  return option;
}

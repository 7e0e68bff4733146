/**
 * The command palette: actions of this page, pages to go to, and a search. Loaded when it is first
 * opened. A combobox with a list (ARIA APG, "Combobox with listbox popup") in a modal dialog.
 */
import { toLookupUrl } from "../../ui/urls/lookup-urls.ts";

export { showShortcuts } from "./shortcut-help.ts";

const SEARCH_DELAY_MS = 150;
const MAX_FOUND = 6;

/** An entry of the list. */
interface Command {
  readonly group: "This page" | "Go to" | "Issues" | "Search";
  readonly label: string;
  readonly hint?: string | undefined;
  readonly run: () => void;
}

/** An issue as `/issues.json` has it. */
interface FoundIssue {
  readonly digest: string;
  readonly type: string;
  readonly message: string;
  readonly state: string;
}

let dialog: HTMLDialogElement | undefined;

/** Opens the palette with the actions of these elements; closes it if it is open. */
export function openPalette(elements: readonly HTMLElement[]): void {
  if (dialog?.open) {
    dialog.close();
    return;
  }
  const commands = listCommands(elements);
  dialog?.remove();
  dialog = document.body.appendChild(createDialog(commands));
  dialog.showModal();
}

function createDialog(commands: readonly Command[]): HTMLDialogElement {
  const box = document.createElement("dialog");
  box.className = "palette";
  box.ariaLabel = "Command palette";
  const field = box.appendChild(document.createElement("input"));
  field.type = "text";
  field.role = "combobox";
  field.ariaLabel = "Search, go to a page, or act on this one";
  field.placeholder = "Search, go to, act…";
  field.autocomplete = "off";
  field.spellcheck = false;
  field.ariaExpanded = "true";
  field.setAttribute("aria-controls", "palette-list");
  const list = box.appendChild(document.createElement("ul"));
  list.id = "palette-list";
  list.role = "listbox";
  list.ariaLabel = "Commands";
  const status = box.appendChild(document.createElement("p"));
  status.role = "status";
  status.className = "visually-hidden";

  let shown: readonly Command[] = [];
  let current = 0;
  let found: readonly Command[] = [];
  let timer = 0;

  const select = (index: number) => {
    current = (index + shown.length) % shown.length;
    list.querySelectorAll("[role=option]").forEach((option, n) => {
      option.ariaSelected = `${n === current}`;
      if (n !== current) return;
      field.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    });
  };
  const run = (index: number) => {
    const command = shown[index];
    box.close();
    command?.run();
  };
  const show = () => {
    const text = field.value.trim();
    const words = text.toLowerCase().split(/\s+/);
    const matches = commands.filter(({ label, group }) =>
      words.every((word) => `${label} ${group}`.toLowerCase().includes(word)),
    );
    shown = [...matches, ...found, ...(text === "" ? [] : createSearches(text))];
    list.replaceChildren(
      ...shown.flatMap((command, n) => [
        ...(command.group === shown[n - 1]?.group ? [] : [createHeading(command.group)]),
        createOption(command, n, () => run(n)),
      ]),
    );
    status.textContent = `${shown.length} ${shown.length === 1 ? "result" : "results"}`;
    select(0);
  };

  field.addEventListener("input", () => {
    clearTimeout(timer);
    found = [];
    show();
    const text = field.value.trim();
    if (text.length < 2) return;
    timer = window.setTimeout(async () => {
      const issues = await findIssues(text);
      if (field.value.trim() !== text) return;
      found = issues;
      const kept = current;
      show();
      select(Math.min(kept, shown.length - 1));
    }, SEARCH_DELAY_MS);
  });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) select(current + step);
    else if (event.key === "Enter") run(current);
    else return;
    event.preventDefault();
  });
  box.addEventListener("click", ({ target }) => {
    if (target === box) box.close();
  });
  show();
  return box;
}

function createHeading(text: string): HTMLElement {
  const heading = document.createElement("li");
  heading.role = "presentation";
  heading.className = "palette-group";
  heading.textContent = text;
  return heading;
}

function createOption({ label, hint }: Command, n: number, run: () => void): HTMLElement {
  const option = document.createElement("li");
  option.role = "option";
  option.id = `palette-${n}`;
  option.append(Object.assign(document.createElement("span"), { textContent: label }));
  if (hint) option.append(Object.assign(document.createElement("kbd"), { textContent: hint }));
  option.addEventListener("click", run);
  return option;
}

function listCommands(elements: readonly HTMLElement[]): readonly Command[] {
  const actions = elements
    .filter((element) => element.checkVisibility() || element.closest(".actions"))
    .map((element) => ({
      group: "This page" as const,
      label: element.ariaLabel ?? readLabel(element),
      hint: element.dataset.shortcut?.replace(" ", " or "),
      run: () => element.click(),
    }));
  const links = [
    ...document.querySelectorAll<HTMLAnchorElement>(
      ":is(.site-header, .site-footer) a[href]:not(.wordmark), .facets nav a",
    ),
  ].map((link) => ({
    group: "Go to" as const,
    label: readLabel(link),
    run: () => link.click(),
  }));
  const unique = new Map<string, Command>();
  for (const command of [...actions, ...links])
    if (command.label && !unique.has(command.label)) unique.set(command.label, command);
  return [...unique.values()];
}

/** The text of a button or a link: without its key, and with spaces between its parts. */
function readLabel(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const part of copy.querySelectorAll("[aria-hidden=true], kbd, .key")) part.remove();
  // "Alerts" and "20 unread" are two parts of one link.
  for (const mark of copy.querySelectorAll("span")) mark.prepend(" ");
  return (copy.textContent ?? "").replace(/\s+/g, " ").trim();
}

function createSearches(text: string): readonly Command[] {
  const query = new URLSearchParams({ q: text });
  return [
    {
      group: "Search",
      label: `Look up “${text}”`,
      run: () => follow(toLookupUrl(text)),
    },
    {
      group: "Search",
      label: `List all issues with “${text}”`,
      run: () => follow(`/issues?${query}`),
    },
  ];
}

/** The first issues with a text; none if the server does not answer. */
async function findIssues(text: string): Promise<readonly Command[]> {
  try {
    const query = new URLSearchParams({ q: text });
    const response = await fetch(`${getBasePath()}/issues.json?${query}`);
    const { issues } = (await response.json()) as { issues: readonly FoundIssue[] };
    return issues.slice(0, MAX_FOUND).map(({ digest, type, message, state }) => ({
      group: "Issues",
      label: `${digest} ${type} ${message}`.slice(0, 160),
      hint: state === "open" ? undefined : state,
      run: () => follow(`/d/${digest}`),
    }));
  } catch {
    return [];
  }
}

/** The path prefix of the project. */
function getBasePath(): string {
  return document.querySelector<HTMLElement>("[data-desk]")?.dataset.desk ?? "";
}

/** Navigates as a click on a link does. */
function follow(path: string): void {
  const link = document.createElement("a");
  link.href = getBasePath() + path;
  document.body.append(link);
  link.click();
  link.remove();
}

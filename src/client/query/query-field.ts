/**
 * Completes the query of the issue list: turns what is typed into chips, suggests keys and values,
 * and says at once what is not understood. Loaded when the field gets the focus.
 */
import {
  type FilterKey,
  listQueryTokens,
  parseIssueQuery,
  toFilterKey,
} from "../../core/issue/issue-query.ts";
import { findQueryProblems, type QueryProblem } from "../../core/issue/query-problems.ts";
import { create, createCompletionList } from "./completion-list.ts";
import { type ReadValues, type Suggestion, suggest } from "./suggestions.ts";

const TYPING_PAUSE_MS = 120;
/** A part that is being typed is explained after a longer pause. */
const THINKING_PAUSE_MS = 700;
const MAX_CACHED = 100;

/** Starts the field; once for each element. */
export function startQueryField(input: HTMLInputElement): void {
  const form = input.form;
  const parts = form?.querySelector("[data-query-parts] ul");
  if (!form || !parts) return;
  const unknownTags = new Set(listWrongTags(parts));
  const readValues = createReader(form, () => getChipTexts(parts));
  const list = createCompletionList(input, (suggestion) => choose(suggestion, true));
  let changes = 0;

  /** Puts a suggestion in place of the typed part; a complete one becomes a chip. */
  function choose({ part, isComplete }: Suggestion, isSent: boolean): void {
    const [rest] = splitTyped(input.value);
    input.value = isComplete ? rest : rest + part;
    if (isComplete) addChip(part);
    if (isComplete && isSent) form?.requestSubmit();
    else handleInput();
  }

  function addChip(part: string): void {
    parts?.append(createChip(part, explain(part)));
    input.scrollIntoView({ block: "nearest", inline: "end" });
  }

  function explain(text: string): QueryProblem | undefined {
    return findQueryProblems(parseIssueQuery(text), [...unknownTags])[0];
  }

  function handleInput(): void {
    const change = ++changes;
    if (input.selectionStart === input.value.length) takeParts();
    const [, typed] = splitTyped(input.value);
    say(typed, false);
    const update = async () => {
      if (change !== changes) return;
      const suggestions = await suggest(typed, listTags(), readValues).catch(() => undefined);
      if (change !== changes || !suggestions || document.activeElement !== input) return;
      if (suggestions.unknownTag) unknownTags.add(toFilterKey(suggestions.unknownTag));
      list.show(suggestions);
    };
    setTimeout(update, typed.includes(":") ? TYPING_PAUSE_MS : 0);
    setTimeout(() => change === changes && say(typed, true), THINKING_PAUSE_MS);
  }

  /** Turns the parts before the one that is being typed into chips. */
  function takeParts(): void {
    const [before, typed] = splitTyped(input.value);
    const words: string[] = [];
    for (const { whole } of listQueryTokens(before)) {
      if (parseIssueQuery(whole).text === "") addChip(whole);
      else words.push(whole);
    }
    const kept = words.length === 0 ? typed : `${words.join(" ")} ${typed}`;
    if (words.join(" ") !== before.trim()) input.value = kept;
  }

  /** Shows the first problem. While a part is being typed, it may not be complete. */
  function say(typed: string, isPaused: boolean): void {
    const [before] = splitTyped(input.value);
    const isJudged = isPaused && !/^-?[A-Za-z][\w.-]*:?[<>=]*$/.test(typed);
    const ofTyped = isJudged ? findQueryProblems(parseIssueQuery(typed), [...unknownTags]) : [];
    const chips = [...getChipTexts(parts as Element), before].join(" ");
    const [problem] = [...ofTyped, ...findQueryProblems(parseIssueQuery(chips), [...unknownTags])];
    input.ariaInvalid = ofTyped.length > 0 ? "true" : null;
    const text = document.querySelector("[data-query-say] > span");
    if (!text) return;
    const meant = problem?.suggestion && ` Did you mean ${problem.suggestion.part}?`;
    const sentence = problem ? `${problem.part}: ${problem.reason}${meant ?? ""}` : "";
    if (changes > 0 && text.textContent !== sentence) text.textContent = sentence;
  }

  function handleKey(event: KeyboardEvent): void {
    const { key, shiftKey } = event;
    const active = list.getActive();
    const isAtStart = input.selectionStart === 0 && input.selectionEnd === 0;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (list.isOpen()) list.move(key === "ArrowDown" ? 1 : -1);
      else handleInput();
    } else if (key === "Enter" && active) choose(active, true);
    else if (key === "Tab" && !shiftKey && list.isOpen() && (active || input.value !== "")) {
      const entry = active ?? list.getFirst();
      if (!entry) return;
      choose(entry, false);
    } else if (key === "Escape" && list.isOpen()) list.close();
    else if (key === "Backspace" && isAtStart && parts?.lastElementChild) {
      const [last = ""] = getChipTexts(parts).slice(-1);
      parts.lastElementChild.remove();
      input.value = last + (input.value && ` ${input.value}`);
      input.setSelectionRange(last.length, last.length);
      handleInput();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  input.addEventListener("input", handleInput);
  input.addEventListener("keydown", handleKey);
  input.addEventListener("click", () => list.isOpen() || handleInput());
  input.addEventListener("blur", list.close);
  form.addEventListener("submit", list.close);
  handleInput();
}

/** The text before the part that is being typed, and this part: the last one, or nothing. */
function splitTyped(text: string): readonly [before: string, typed: string] {
  const last = listQueryTokens(text).at(-1)?.whole ?? "";
  return text.endsWith(last) && last !== ""
    ? [text.slice(0, text.length - last.length), last]
    : [text, ""];
}

function getChipTexts(parts: Element): readonly string[] {
  return Array.from(parts.querySelectorAll("input"), ({ value }) => value);
}

/** The tags that the server found in no issue. */
function listWrongTags(parts: Element): readonly FilterKey[] {
  const fields = parts.querySelectorAll<HTMLInputElement>("[data-wrong] > input");
  const filters = Array.from(fields, ({ value }) => parseIssueQuery(value).filters).flat();
  return filters.map(({ key }) => key).filter((key) => key.startsWith("tag."));
}

/** The tags of the filters beside the list. */
function listTags(): readonly string[] {
  const facets = document.querySelectorAll<HTMLElement>("#facets [data-key^='tag.']");
  return Array.from(facets, ({ dataset }) => (dataset.key ?? "").slice("tag.".length));
}

/** A chip as the server renders it. Its button removes it from the next search. */
function createChip(part: string, problem: QueryProblem | undefined): HTMLElement {
  const chip = create("li", "chip");
  const outcome = create("small");
  if (problem) {
    chip.dataset.wrong = problem.reason;
    chip.title = problem.reason;
    outcome.textContent = problem.outcome;
  }
  const field = create("input");
  field.type = "hidden";
  field.name = "q";
  field.value = part;
  const text = create("bdi");
  const end = part.indexOf(":") + 1;
  text.append(create("span", "chip-key"), part.slice(end));
  (text.firstElementChild as Element).textContent = part.slice(0, end);
  const button = create("button", "chip-remove");
  button.type = "button";
  button.ariaLabel = `Remove ${part}`;
  button.append(createCross());
  button.addEventListener("click", () => {
    const { form } = field;
    chip.remove();
    form?.requestSubmit();
  });
  chip.append(field, text, ...(problem ? [outcome] : []), button);
  return chip;
}

/** `CrossIcon`. */
function createCross(): SVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const icon = document.createElementNS(namespace, "svg");
  const path = icon.appendChild(document.createElementNS(namespace, "path"));
  icon.setAttribute("class", "cross");
  icon.setAttribute("viewBox", "0 0 16 16");
  path.setAttribute("d", "m4 4 8 8M12 4l-8 8");
  return icon;
}

/** Reads values of the current list, each once. */
function createReader(form: HTMLFormElement, getParts: () => readonly string[]): ReadValues {
  const known = new Map<string, ReturnType<ReadValues>>();
  return (key, text) => {
    const { valuesUrl = "", scope = "" } = form.dataset;
    const parts = getParts();
    const isScoped = parts.some((part) => /^-?(env|environment):/i.test(part));
    const q = [...parts, isScoped ? "" : scope].join(" ").trim();
    const url = `${valuesUrl}?${new URLSearchParams({ key, text, q })}`;
    const reading = known.get(url) ?? read(url);
    if (known.size >= MAX_CACHED) known.clear();
    known.set(url, reading);
    return reading;
  };
}

async function read(url: string): ReturnType<ReadValues> {
  const response = await fetch(url);
  const { values } = await response.json();
  return values;
}

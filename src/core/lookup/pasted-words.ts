/**
 * What to search for in pasted text: the whole text, or the lines in it that an error wrote. A
 * stack has numbers, words of its runtime, and frames of libraries that no search text has; a
 * quoted mail has greetings. Pure, and linear in the length of the text.
 */
import { parseTextStack, type TextStack } from "../report/stacks/parse-text-stack.ts";
import type { Frame } from "../report.ts";
import { stripQuotes } from "./pasted-text.ts";

/** Texts to search for, in this order. */
export interface SearchTexts {
  /** All words of one of these must match. The first that matches counts. */
  readonly exact: readonly string[];
  /** Most words of one of these must be in a title, whose values may differ: `cart 7 is empty`. */
  readonly similar: readonly string[];
}

const MAX_FRAMES = 5;
const MAX_LINES = 6;
const MAX_SIMILAR = 3;
const MAX_LINE_CHARS = 1_000;
/** Part of a text says less than the whole: a line of fewer words may be in any issue. */
const MIN_LINE_WORDS = 3;

/** The texts of `pasted`; the first is `pasted` itself. */
export function listSearchTexts(pasted: string): SearchTexts {
  const text = stripQuotes(pasted);
  const stack = parseTextStack(text);
  const titles = stack === undefined ? [] : listTitles(stack);
  const lines = listLines(text);
  const exact = [
    pasted,
    ...titles,
    ...(stack === undefined ? [] : listPlaces(stack)),
    ...lines.filter((line) => countWords(line) >= MIN_LINE_WORDS),
  ];
  return {
    exact: [...new Set(exact)],
    similar: [...new Set([...titles, ...lines])].slice(0, MAX_SIMILAR),
  };
}

/** The type and the message of the error, then of its causes. */
function listTitles({ type, message, causes }: TextStack): readonly string[] {
  const errors = [{ type, message }, ...causes].slice(0, MAX_FRAMES);
  return errors
    .map((error) => `${error.type ?? ""} ${error.message ?? ""}`.trim())
    .filter((title) => title !== "");
}

const MAX_NAME_CHARS = 120;
const LAST_ERROR = /^.*(?<![\w.$])([\w.$]{0,100}(?:Error|Exception): .+)$/s;

/**
 * What names a pasted text in a heading: the error of a stack or of a log, `ValueError: negative
 * amount -3`; other text as it is.
 */
export function namePastedText(pasted: string): string {
  const text = stripQuotes(pasted).trim();
  if (text.length <= MAX_NAME_CHARS && !text.includes("\n")) return text;
  const { type = "", message = "" } = parseTextStack(text) ?? {};
  if (type !== "" && message !== "") return `${type}: ${message}`;
  return LAST_ERROR.exec(text.slice(-MAX_LINE_CHARS))?.[1] ?? text;
}

/** The file and the function of each frame, those of the application first. */
function listPlaces({ frames, causes }: TextStack): readonly string[] {
  const all = [...frames, ...causes.flatMap((cause) => cause.frames ?? [])];
  const own = all.filter(({ inApp }) => inApp);
  return [...own, ...all.filter(({ inApp }) => !inApp)].flatMap(toPlace).slice(0, MAX_FRAMES);
}

function toPlace({ file, function: name, module }: Frame): readonly string[] {
  // Paths differ between machines; the name of the file does not.
  const base = file
    ?.replace(/[?#].*$/, "")
    .split(/[\\/]/)
    .at(-1);
  // Ruby and Python name the block within a function.
  const own = name?.replace(/^(?:(?:block|rescue|ensure)[^a-z]{0,20}(?:levels\) )?in )+/, "");
  const words = [module === undefined ? base : undefined, module, own];
  const place = words.filter((word) => word !== undefined && word !== "").join(" ");
  return countWords(place) < 2 ? [] : [place];
}

/** What logs and runtimes write before the type of an error. */
const PREFIX =
  /^.{0,200}?(?=(?:[\w$.\\:]{0,100}[a-z\d])?(?:Error|Exception|Fault|Warning|Panic|panic|Failure)\b[:( ])|^\s*(?:Caused by|Uncaught|Unhandled|thrown|panic):?\s+/;

/** The lines, those that name an error first. */
function listLines(text: string): readonly string[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.slice(0, MAX_LINE_CHARS).trim())
    .filter((line) => line !== "");
  const named = lines.flatMap((line) => {
    const rest = line.replace(PREFIX, "");
    return rest === line && !/(?:Error|Exception)\b/.test(line) ? [] : [rest];
  });
  const others = lines.toSorted((a, b) => countWords(b) - countWords(a));
  return [...new Set([...named, ...others])].slice(0, MAX_LINES);
}

function countWords(text: string): number {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu)?.length ?? 0;
}

/**
 * What to search for in pasted text: the whole text, or the lines in it that an error wrote. A
 * stack has numbers, words of its runtime, and frames of libraries that no search text has; a
 * quoted mail has greetings. Pure, and linear in the length of the text.
 */
import { nameCode } from "../grouping/v1/code-name.ts";
import { parseTextStack, type TextStack } from "../report/stacks/parse-text-stack.ts";
import type { Frame } from "../report.ts";
import { listEngineWordings } from "./engine-wordings.ts";
import { stripQuotes } from "./pasted-text.ts";

/** Texts to search for, in this order. */
export interface SearchTexts {
  /**
   * All words and, in quotes, phrases of one of these must match, but for quotes in the first. The
   * first that matches counts.
   */
  readonly exact: readonly string[];
  /** Most words of one of these must be in a title, whose values may differ: `cart 7 is empty`. */
  readonly similar: readonly string[];
}

/** Each is a search. */
const MAX_EXACT = 17;
const MAX_FRAMES = 5;
const MAX_LINES = 6;
const MAX_SIMILAR = 3;
const MAX_LINE_CHARS = 1_000;
/** Part of a text says less than the whole: a line of fewer words may be in any issue. */
const MIN_LINE_WORDS = 3;

/** The texts of `pasted`; the first is `pasted` itself. */
export function listSearchTexts(pasted: string): SearchTexts {
  const text = splitJoined(stripQuotes(pasted));
  // The first line may have lost its indentation, by which some runtimes mark a frame.
  const stack = parseTextStack(text) ?? parseTextStack(`\t${text.trimStart()}`);
  const titles = stack === undefined ? [] : listTitles(stack);
  const lines = listLines(text);
  const exact = [
    pasted,
    ...titles,
    ...(stack === undefined ? [] : listPlaces(stack)),
    ...lines.filter((line) => countWords(line) >= MIN_LINE_WORDS),
    ...[...titles, ...lines].flatMap(listEngineWordings),
    ...listDecoded(pasted),
    ...listHosts(pasted),
    ...listSources(pasted),
  ];
  return {
    exact: [...new Set(exact)].slice(0, MAX_EXACT),
    similar: [...new Set([...titles, ...lines])].slice(0, MAX_SIMILAR),
  };
}

/** Where a frame begins in a stack whose lines a field has joined. */
const JOINED_FRAME =
  /[ \t](?=File "[^"]{1,500}", line \d|at \S{1,500}(?: \S{1,200})? ?\(|from \S{1,500}:\d{1,9}:in |#\d{1,4} )|(?<=, line \d{1,9}, in [\w.<>]{1,200})[ \t]/g;
/** Where an error begins. */
const JOINED_ERROR =
  /[ \t](?=Caused by: |(?:[\w$]{1,100}(?:\.|::|\\)){0,9}\w{0,100}(?:Error|Exception): )/g;

/** The text with the lines that a stack had, if it is one line. */
function splitJoined(text: string): string {
  if (text.trim().includes("\n")) return text;
  const frames = text.replace(JOINED_FRAME, "\n    ");
  return frames === text ? text : frames.replace(JOINED_ERROR, "\n");
}

/** The text with the characters that a URL encodes. */
function listDecoded(text: string): readonly string[] {
  const decoded = text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return " ";
    }
  });
  return decoded === text ? [] : [decoded];
}

/** The host and port of an address, whose path differs from request to request, as a phrase. */
function listHosts(text: string): readonly string[] {
  const [, host, port] = ADDRESS.exec(text.trim()) ?? [];
  return host === undefined ? [] : [`"${host} ${port}"`];
}

const ADDRESS = /^(?:[a-z][a-z\d+.-]{0,30}:\/\/)?([a-z][\w.-]{1,100}):(\d{2,5})[/?#]\S*$/i;

/** `Cart.cs:41` for `Cart.cs:line 41`, as .NET writes it in the language of the system. */
function listSources(text: string): readonly string[] {
  const place = text.replace(/(?<=\.\w{1,8}:)[^\d:\\/\s]{1,12} (?=\d{1,9}\.?\s*$)/, "");
  return place === text ? [] : [place];
}

/** The type and the message of the error, then of its causes. */
function listTitles({ type, message, causes }: TextStack): readonly string[] {
  const errors = [{ type, message }, ...causes].slice(0, MAX_FRAMES);
  return errors
    .map((error) => `${error.type ?? ""} ${error.message ?? ""}`.trim())
    .filter((title) => title !== "")
    .flatMap(withShortType);
}

/** A report may have the type without its module or package. */
const MODULE = /^(?:[A-Za-z_$][\w$]{0,100}(?:\.|::|\\)){1,10}(?=[\w$]{1,100}(?::? |$))/;

function withShortType(title: string): readonly string[] {
  return [...new Set([title, title.replace(MODULE, "")])];
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
function listPlaces({ platform, frames, causes }: TextStack): readonly string[] {
  const all = [...frames, ...causes.flatMap((cause) => cause.frames ?? [])];
  const own = all.filter(({ inApp }) => inApp);
  const places = [...own, ...all.filter(({ inApp }) => !inApp)].flatMap((frame) => {
    // Builds, runtimes and SDKs write the name of the same code differently.
    const { module, name } = nameCode(frame, platform);
    const cleaned = { file: frame.file, function: name, ...(frame.module && { module }) };
    return [...toPlace(frame), ...(name === "" ? [] : toPlace(cleaned))];
  });
  return [...new Set(places)].slice(0, MAX_FRAMES);
}

function toPlace({
  file,
  function: name,
  module,
}: Pick<Frame, "file" | "function" | "module">): readonly string[] {
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

/** A line of a log begins with a time, a level or a name in brackets. */
const LOG_LINE =
  /^(?:[\w.-]{1,60} +\| )?\W{0,3}(?:\[|\d{4}-\d\d-\d\d|\d\d:\d\d|(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b)/;
/** What is before the message of a log. */
const LOG_PREFIX = /\] | : | - |: /g;
const MAX_PREFIXES = 4;

/** What may be the message of a line of a log, the longest first. */
function listLoggedMessages(line: string): readonly string[] {
  if (!LOG_LINE.test(line)) return [];
  return Array.from(line.matchAll(LOG_PREFIX))
    .slice(0, MAX_PREFIXES)
    .map(({ 0: prefix, index }) => line.slice(index + prefix.length).trim())
    .filter((rest) => countWords(rest) >= MIN_LINE_WORDS);
}

/** The lines, those that name an error first. */
function listLines(text: string): readonly string[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.slice(0, MAX_LINE_CHARS).trim())
    .filter((line) => line !== "");
  const named = lines.flatMap((line) => {
    const rest = line.replace(PREFIX, "");
    return rest === line && !/(?:Error|Exception)\b/.test(line) ? [] : withShortType(rest);
  });
  const logged = lines.flatMap(listLoggedMessages).slice(0, MAX_PREFIXES);
  const others = lines.toSorted((a, b) => countWords(b) - countWords(a));
  return [...new Set([...named, ...logged, ...others])].slice(0, MAX_LINES);
}

function countWords(text: string): number {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu)?.length ?? 0;
}

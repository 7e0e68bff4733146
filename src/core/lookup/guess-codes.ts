/**
 * What pasted text may contain besides the codes of `parse-codes.ts`: a digest in an unusual
 * grouping or with a character too many, a number that a camera misread, a code that was spelled.
 * A guess counts only if an issue has it: of 34 billion digests, a project has a few thousand.
 * Pure, and linear in the length of the text.
 */
import { correctLength, parseDigest, readDigest } from "../grouping/parse-digest.ts";
import { limits } from "../limits.ts";
import { guessTokens } from "./guess-tokens.ts";
import { formatCodeKey, isCodeLike, isNextDigest, type LookupCode } from "./lookup-code.ts";
import { findSpelledCodes } from "./spelled-codes.ts";

/**
 * The possible codes in text that `readPastedText` returned, the most certain first. Reads the
 * first and the last `MAX_PART_CHARS` characters.
 */
export function guessCodes(whole: string): readonly LookupCode[] {
  const isLong = whole.length > 2 * MAX_PART_CHARS;
  const text = isLong
    ? `${whole.slice(0, MAX_PART_CHARS)}\n\n\n${whole.slice(-MAX_PART_CHARS)}`
    : whole;
  const repaired = text
    .replace(/(?<=[\dA-Za-z])[|!]{1,3}(?=[\dA-Za-z])/g, (bars) => "1".repeat(bars.length))
    .replace(/(?<=[\dA-Za-z])\$(?=[\dA-Za-z-])/g, "S");
  const spelled = findSpelledCodes(text);
  const groups = listGroups(repaired);
  const found = [
    ...spelled.flatMap(guessSpelled),
    ...groups.flatMap(guessDigest),
    ...guessNumbers(repaired),
    ...guessHexIds(repaired),
    ...guessShortIds(text),
    ...groups.filter(isLikelyCode).slice(0, MAX_MISREAD).flatMap(guessMisread),
    ...guessWrongNumbers(text),
    ...guessTokens(repaired),
  ];
  const unique = new Map(found.map((code) => [formatCodeKey(code), code]));
  return [...unique.values()].slice(0, limits.maxGuessesPerQuery);
}

/** Longer texts are logs, in which codes are written as their systems write them. */
const MAX_PART_CHARS = 4_096;
/** Each has up to nine corrections, and each takes about a thousand check characters. */
const MAX_MISREAD = 6;

// Digests.

/** Characters in a row, or in groups with the same separator between them. */
interface Group {
  readonly chars: string;
  readonly parts: number;
  /** `-`, a space, another separator; empty for a single part. */
  readonly separator: string;
}

/** The most parts of a group: eight characters, each apart. */
const MAX_PARTS = 9;
const MAX_GROUP_CHARS = 9;
/** What may stand between the parts: one mark, or two around which there are spaces. */
const SEPARATORS = /^(?:[ \t]{0,2}(?:-{1,2}|[_.·•:;/|,+=>→]|\r?\n)?[ \t]{0,2})$/u;

/** The groups of seven to nine characters in the text, each text once. */
function listGroups(text: string): readonly Group[] {
  const parts = Array.from(text.matchAll(/[\dA-Za-z]+/g), ({ 0: chars, index }) => ({
    chars,
    index,
  }));
  // The mark before each part; undefined if it is apart.
  const marks = parts.map(({ index }, at) => {
    const before = parts[at - 1];
    if (before === undefined) return undefined;
    const between = text.slice(before.index + before.chars.length, index);
    return between.length <= 6 && SEPARATORS.test(between) ? between.trim() || " " : undefined;
  });
  const groups = new Map<string, Group>();
  for (const [at, first] of parts.entries()) {
    let { chars } = first;
    for (let next = at; chars.length <= MAX_GROUP_CHARS; ) {
      const separator = next === at ? "" : (marks[at + 1] ?? "");
      if (chars.length >= 7 && !groups.has(chars))
        groups.set(chars, { chars, parts: next - at + 1, separator });
      next += 1;
      const mark = marks[next];
      if (mark === undefined || mark !== marks[at + 1] || next - at >= MAX_PARTS) break;
      chars += parts[next]?.chars ?? "";
    }
  }
  return [...groups.values()];
}

function guessDigest({ chars, separator }: Group): readonly LookupCode[] {
  const digest = readDigest(chars);
  if (digest === undefined) return [];
  const isPlain = separator === "" || separator.startsWith("-");
  const isWord = !/\d/.test(chars) && chars !== chars.toUpperCase();
  return isWord && !isPlain ? [] : [{ kind: "digest", digest }];
}

/** True for a text that looks like a digest with a wrong, missing or extra character. */
function isLikelyCode({ chars, parts, separator }: Group): boolean {
  return parts <= 2 && isCodeLike(chars) && /\d/.test(chars) && /^[- ]?$/.test(separator);
}

function guessMisread({ chars }: Group): readonly LookupCode[] {
  if (chars.length === 8) {
    const parsed = parseDigest(chars);
    return !parsed.ok && parsed.reason === "wrong-check"
      ? [{ kind: "misread", read: parsed.read, corrections: parsed.corrections }]
      : [];
  }
  const corrected = correctLength(chars);
  return corrected === undefined ? [] : [{ kind: "misread", ...corrected }];
}

/**
 * A run that someone spelled has the code, perhaps with an article before it: "a seven foxtrot".
 */
function guessSpelled(spelled: string): readonly LookupCode[] {
  const found: LookupCode[] = [];
  for (let at = 0; at + 8 <= spelled.length; at++)
    found.push(...guessDigest({ chars: spelled.slice(at, at + 8), parts: 1, separator: "" }));
  if (isNextDigest(spelled)) found.push({ kind: "alias", alias: spelled });
  if (/^(?:[\dA-F]{16}|[\dA-F]{32})$/.test(spelled))
    found.push({ kind: "alias", alias: spelled.toLowerCase() });
  if (/^[\dA-F]{32}$/.test(spelled)) found.push({ kind: "report-id", id: spelled.toLowerCase() });
  const misread = found.length > 0 ? [] : guessMisread({ chars: spelled, parts: 1, separator: "" });
  const isShortId = /^(?=.*\d)[\dA-F]{8}$/.test(spelled);
  return [
    ...found,
    ...misread,
    ...(isShortId ? [{ kind: "short-id" as const, prefix: spelled.toLowerCase() }] : []),
  ];
}

// Numbers of Next.js.

/** Letters that cameras and typists put for a digit, where only a digit can stand. */
const DIGIT_LIKENESSES: Readonly<Record<string, string>> = {
  ...{ o: "0", q: "9", d: "0", i: "1", l: "1", j: "1", t: "7", z: "2", e: "3", a: "4" },
  ...{ s: "5", g: "9", b: "8" },
};
const CASED_LIKENESSES: Readonly<Record<string, string>> = { b: "6", G: "6", Q: "0", q: "9" };

function toDigits(text: string): string {
  return text.replace(
    /[A-Za-z]/g,
    (letter) => CASED_LIKENESSES[letter] ?? DIGIT_LIKENESSES[letter.toLowerCase()] ?? letter,
  );
}

/** Shorter numbers are years, ports and prices. */
const MIN_DIGITS = 7;
const MAX_NUMBERS = 10;
/**
 * A number in groups: `1,308,521,094`, `13085 21094`, and a number with letters in place of digits.
 */
const GROUPED_NUMBER =
  /(?<![\dA-Za-z])[\dA-Za-z]{1,9}(?:(?:[,.'’_ -]|,? {0,2}\r?\n {0,4})[\dA-Za-z]{1,9}){1,9}(?![\dA-Za-z])/g;
const LABEL_OF_NUMBER = /(?:digest|dgst|error|code|number|nummer|id|no|nr)\W{0,6}$/i;

function guessNumbers(text: string): readonly LookupCode[] {
  const found = new Set<string>();
  const add = (digits: string, minDigits = MIN_DIGITS) => {
    if (digits.length >= minDigits && isNextDigest(digits)) found.add(digits);
  };
  for (const [word] of text.matchAll(/(?<![\dA-Za-z])[\dA-Za-z]{4,10}(?![\dA-Za-z])/g)) {
    const digitCount = word.replace(/\D/g, "").length;
    if (digitCount === word.length) add(word);
    else if (2 * digitCount >= word.length) add(toDigits(word));
    if (found.size >= MAX_NUMBERS) break;
  }
  const isWhole = text.trim().length <= 16;
  for (const { 0: group, index } of text.matchAll(GROUPED_NUMBER)) {
    const isLabelled = isWhole || LABEL_OF_NUMBER.test(text.slice(Math.max(0, index - 24), index));
    const parts = group.split(/[^\dA-Za-z]+/);
    // Thousands, lakhs, or any groups after a label.
    const isGrouped =
      /^\d{1,3}(?:([,.'’_ ])\d{3})(?:\1\d{3})*$|^\d{1,2}(?:[, ]\d\d)+[, ]\d{3}$/.test(group);
    const digits = parts.join("");
    if (isGrouped || parts.every((part) => /^\d+$/.test(part)))
      add(digits, isLabelled ? 4 : MIN_DIGITS);
    else if (isLabelled && parts.every((part) => /\d/.test(part))) add(toDigits(digits));
    if (found.size >= MAX_NUMBERS) break;
  }
  return [...found].slice(0, MAX_NUMBERS).map((alias) => ({ kind: "alias", alias }));
}

/** A number after a label, or the only one, with a digit too many, too few, or swapped. */
function guessWrongNumbers(text: string): readonly LookupCode[] {
  const runs = text.match(/(?<!\d)\d{8,11}(?!\d)/g) ?? [];
  const [, digits = runs.length === 1 ? runs[0] : ""] =
    /(?:digest|dgst|error(?:[ _-]?(?:id|code))?)["'\s:=#]{1,6}(\d{7,11})(?![\w.-])/i.exec(text) ??
    /^\s*(\d{7,11})\s*$/.exec(text) ??
    [];
  if (digits === "") return [];
  const found = new Set<string>();
  for (let at = 0; at < digits.length; at++) {
    found.add(digits.slice(0, at) + digits.slice(at + 1));
    const swapped = `${digits.charAt(at + 1)}${digits.charAt(at)}`;
    found.add(digits.slice(0, at) + swapped + digits.slice(at + 2));
  }
  for (let at = 0; at <= digits.length; at++)
    for (let digit = 0; digit < 10; digit++)
      found.add(`${digits.slice(0, at)}${digit}${digits.slice(at)}`);
  found.delete(digits);
  return [...found]
    .filter((alias) => alias.length >= MIN_DIGITS && isNextDigest(alias))
    .map((alias) => ({ kind: "alias", alias }));
}

// Ids of 32 and 16 hex digits.

const MAX_SHORT_IDS = 2;

/** `fc6d8c0c`, `fc6d8c0c43fc…`: the beginning of an event id, alone or after a label. */
function guessShortIds(text: string): readonly LookupCode[] {
  const labelled = text.matchAll(
    /(?:event|report|sentry|id|ref(?:erence)?)[ _-]?(?:id)?["'\s:=#(]{1,4}([\da-f]{8,31})(?![\dA-Za-z])/gi,
  );
  const [, alone] = /^\W*([\da-f]{8,31})\W*$/i.exec(text) ?? [];
  const found = [alone, ...Array.from(labelled, ([, id]) => id)].filter(
    (id) => id !== undefined && /\d/.test(id),
  );
  return [...new Set(found)]
    .slice(0, MAX_SHORT_IDS)
    .map((id) => ({ kind: "short-id", prefix: (id ?? "").toLowerCase() }));
}

const HEX_LIKENESSES: Readonly<Record<string, string>> = {
  ...{ o: "0", q: "0", i: "1", l: "1", j: "1", z: "2", s: "5", g: "6", t: "7" },
};
/** An id in groups, or on several lines; letters that are not hex digits may be misread ones. */
const SPLIT_HEX =
  /(?<![\dA-Za-z])[\da-jloqstz]{2,36}(?:(?:[-_.: ]{1,3}|[ \t]{0,4}\r?\n[ \t]{0,4})[\da-jloqstz]{2,32}){0,16}(?![\dA-Za-z])/gi;
const MAX_HEX_IDS = 4;

function guessHexIds(text: string): readonly LookupCode[] {
  const found: LookupCode[] = [];
  for (const [group] of text.matchAll(SPLIT_HEX)) {
    const parts = group.split(/[^\dA-Za-z]+/);
    for (const [at] of parts.entries()) {
      let id = "";
      for (let n = at; n < parts.length && id.length < 32; n++) {
        id += parts[n];
        if (id.length === 16 || id.length === 32) found.push(...toHexCodes(id));
      }
    }
    if (found.length >= 2 * MAX_HEX_IDS) break;
  }
  return found;
}

/** An id of a report or a trace, or a Ray ID. Words have few digits. */
function toHexCodes(id: string): readonly LookupCode[] {
  const hex = id.toLowerCase().replace(/[^\da-f]/g, (letter) => HEX_LIKENESSES[letter] ?? "x");
  if (!/^[\da-f]+$/.test(hex) || (id.match(/\d/g) ?? []).length < id.length / 8) return [];
  const alias = { kind: "alias", alias: hex } as const;
  return hex.length === 32 ? [{ kind: "report-id", id: hex }, alias] : [alias];
}

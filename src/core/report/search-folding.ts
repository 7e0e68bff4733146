/**
 * Words that the tokenizer of SQLite does not fold or divide, as the full-text index has them.
 * `unicode61` removes one accent of a letter of ASCII only, divides words at joiners, and takes a
 * run of Chinese, Japanese, Korean or Thai as one word. Pure.
 *
 *     πληρωμής → πληρωμης   Straße → strasse   kết → ket   余额不足 → 余额 额不 不足
 */

/** A run without spaces between its words. Marks of Thai belong to their script. */
const RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ーｰﾞﾟ]+/gu;
const IS_RUN = new RegExp(RUN.source, "u");
const IS_ASCII = /^[\0-\x7F]*$/;
/** Words may be joined by characters of no width, as in Persian. */
const WORD = /[\p{L}\p{N}\p{M}_$]+(?:[\u200c\u200d][\p{L}\p{N}\p{M}_$]+)*/gu;
const JOINER = /[\u200c\u200d]/g;
/** A word whose letters the tokenizer folds as `foldText` does: of ASCII, with one accent each. */
const IS_FOLDED = /^(?:[\0-\x7F]\p{M}?)*$/u;

/** Letters that are written for each other, and those without a decomposition in Unicode. */
const SAME_LETTERS: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ ς: "σ", ٱ: "ا", ى: "ي", ی: "ي", ک: "ك", ة: "ه", ـ: "" }),
  ...Object.entries({ ß: "ss", æ: "ae", œ: "oe", þ: "th", ŋ: "ng" }),
  ...Array.from("øoɔoðdđdɖdɗdħhıiɨiłlŧtəeɛeɓbƙkƴyƒf".matchAll(/(.)(.)/g), toPair),
]);
const SAME_LETTER = new RegExp(`[${[...SAME_LETTERS.keys()].join("")}]`, "g");

function toPair([, letter = "", same = ""]: readonly string[]): readonly [string, string] {
  return [letter, same];
}

/**
 * The text in lower case without accents, points and joiners, and with plain letters for `ß` and
 * `ł`; also of Greek, Cyrillic, Arabic and Hebrew.
 */
export function foldText(text: string): string {
  if (IS_ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\u200c\u200d]/gu, "")
    .toLowerCase()
    .replace(SAME_LETTER, (letter) => SAME_LETTERS.get(letter) ?? letter);
}

/** A part of a word: a run, or the letters and digits between two runs. */
export interface WordPart {
  readonly text: string;
  readonly isRun: boolean;
}

/** The parts of a word, in order. */
export function splitRuns(word: string): readonly WordPart[] {
  if (!IS_RUN.test(word)) return [{ text: word, isRun: false }];
  const parts: WordPart[] = [];
  let end = 0;
  for (const { 0: run, index } of word.matchAll(RUN)) {
    if (index > end) parts.push({ text: word.slice(end, index), isRun: false });
    parts.push({ text: run, isRun: true });
    end = index + run.length;
  }
  if (end < word.length) parts.push({ text: word.slice(end), isRun: false });
  return parts;
}

/** The pairs of neighboring characters of a run, in order; its only character, if it has one. */
export function listPairs(run: string): readonly string[] {
  const letters = [...run.normalize("NFKC").replace(/\p{M}/gu, "")];
  return letters.length < 2
    ? letters
    : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}

/** The last character of a longer run, with which no pair begins. */
function listLast(run: string): readonly string[] {
  return listPairs(run)
    .slice(-1)
    .flatMap((pair) => [...pair].slice(1));
}

/** Before the words that are added to a text. No reported text has this control character. */
const ADDED = "\n\u001f";
/** Limit of the added words: a text of one script takes at most three times its size. */
const MAX_ADDED_CHARS = 8_000;

/** The text to store in the index: with the folded words and the pairs of runs after it. */
export function toIndexedText(text: string): string {
  if (IS_ASCII.test(text)) return text;
  const added: string[] = [];
  const known = new Set<string>();
  let length = 0;
  for (const [word] of text.matchAll(WORD)) {
    if (IS_ASCII.test(word) || known.has(word)) continue;
    known.add(word);
    // The pairs of a run follow each other, so that a phrase finds them.
    const words = splitRuns(word).flatMap((part) =>
      part.isRun
        ? [...listPairs(part.text), ...listLast(part.text)]
        : [...new Set([part.text, ...part.text.split(JOINER)].flatMap(listFolded))],
    );
    length += words.reduce((sum, one) => sum + one.length + 1, 0);
    if (length > MAX_ADDED_CHARS) break;
    added.push(...words);
  }
  return added.length === 0 ? text : `${text}${ADDED}${added.join(" ")}`;
}

/** The text without the words that `toIndexedText` added. */
export function fromIndexedText(indexed: string): string {
  const at = indexed.indexOf(ADDED);
  return at < 0 ? indexed : indexed.slice(0, at);
}

function listFolded(word: string): readonly string[] {
  if (IS_FOLDED.test(word.normalize("NFD"))) return [];
  const folded = foldText(word);
  return folded === word.toLowerCase() ? [] : [folded];
}

/**
 * Codes that someone spelled on the telephone and someone else wrote down: "seven foxtrot three
 * kilo, quebec two mike niner", "Sieben Friedrich drei Kaufmann", "H as in Henry, W, eight", "HW8A
 * dash JFF8". Pure, and linear in the length of the text.
 */
import { foldSpelledWord, listDigitWords } from "./digit-words.ts";

/** Spelling words and names of letters, by the letter that they mean. */
const LETTER_WORDS: Readonly<Record<string, string>> = {
  // ICAO Annex 10, volume II, 5.2.1.3, and the alphabets of other countries.
  A: "alfa alpha able anton anna antoine ay",
  B: "bravo baker berta bernd berthe bee",
  C: "charlie caesar célestin cee see ce",
  D: "delta dog dora david désiré dee",
  E: "echo easy emil eugène ee",
  F: "foxtrot fox friedrich françois eff ef efe effe",
  G: "golf george gustav gaston gee ge",
  H: "hotel how heinrich henri aitch haitch ha hache ache acca",
  I: "india item ida ingelheim irma",
  J: "juliett juliet jig julius joseph jay jot jota",
  K: "kilo king kaufmann konrad kléber kay ka",
  L: "lima love ludwig louis el ell ele elle",
  M: "mike martha marcel em eme emme",
  N: "november nan nordpol nicolas en ene enne",
  O: "oscar oboe otto",
  P: "papa peter paula pierre pee pe",
  Q: "quebec queen quelle quintal cue",
  R: "romeo roger richard raoul ar erre",
  S: "sierra sugar samuel siegfried suzanne ess ese esse",
  T: "tango tare theodor thérèse tee te",
  U: "uniform uncle ulrich ursule",
  V: "victor viktor vau vee uve",
  W: "whiskey whisky william wilhelm doubleu we",
  X: "xray xanthippe xaver xavier ex ix equis",
  Y: "yankee yoke ypsilon yvonne wye why",
  Z: "zulu zebra zacharias zeppelin zoé zed zee zett zeta",
};

/** What each word means: a character, or several that it may mean: Otto is O, and otto is 8. */
const WORDS: ReadonlyMap<string, string> = collectWords();

function collectWords(): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const letters = Object.entries(LETTER_WORDS).flatMap(([letter, names]) =>
    names.split(" ").map((name) => [foldSpelledWord(name), letter] as const),
  );
  for (const [word, character] of [...letters, ...listDigitWords()]) {
    const known = words.get(word) ?? "";
    if (!known.includes(character)) words.set(word, known + character);
  }
  return words;
}

/** The same words without doubled letters, which people write in other places: `foxtrott`. */
const LOOSE_WORDS: ReadonlyMap<string, string> = new Map(
  Array.from(WORDS, ([word, meaning]) => [dropDoubles(word), meaning] as const),
);
const MIN_LOOSE_CHARS = 5;

/** "Twenty" is 2 before another digit, and 20 otherwise. */
const TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";

/** The dash of a digest. What is beside it belongs to the code: "HW8A dash JFF8". */
const DASHES = toWords(
  "dash hyphen minus sign underscore space strich bindestrich gedankenstrich tiret trait dunion",
  "guion traco hifen trattino streepje koppelteken bindestreck bindestrek myslnik lacznik kreska",
  "pomlcka tire kisa cizgi дефис тире",
  "минус ハイフン ダッシュ マイナス 하이픈 대시 شرطة מקף डैश",
);
/** Other words between the characters, which mean none. */
const FILLERS = toWords(
  "then and capital upper lower case small letter digit number dann und groß klein buchstabe",
  "ziffer et majuscule lettre chiffre mayuscula maiuscola",
);
/** `F as in Foxtrot`: the word only confirms the letter before it. */
const CONFIRMS = toWords("as in like for wie comme como come jak som als zoals von van de как");
const REPEATS: Readonly<Record<string, number>> = { double: 2, doppel: 2, triple: 3 };

function toWords(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(" ").split(" ").map(foldSpelledWord));
}

const MIN_CHARS = 7;
const MAX_CHARS = 36;
/** Each may be checked for misreadings, which takes long. */
const MAX_CODES = 30;

/** A word of the text: as it is written, folded, and the characters that it may mean. */
interface Token {
  readonly raw: string;
  readonly word: string;
  readonly meaning: string | undefined;
}

/** The spelled runs of characters in the text, in capitals without separators. */
export function findSpelledCodes(text: string): readonly string[] {
  const tokens = readTokens(text);
  const runs = [...findRuns(tokens, false), ...findRuns(tokens, true)];
  return [...new Set(runs.flatMap(listReadings))].slice(0, MAX_CODES);
}

function readTokens(text: string): readonly Token[] {
  const normalized = text
    .normalize("NFC")
    .replace(/(?<=\p{L})['\u2019](?=\p{L})/gu, "")
    .replace(/\bx-ray\b/gi, "xray")
    .replace(/\bdou?ble[- ]?(?:u|you|v|ve)\b/gi, "doubleu");
  return Array.from(normalized.matchAll(/[\p{L}\p{N}]+/gu), ([raw]) => {
    const word = foldSpelledWord(raw);
    return { raw, word, meaning: readMeaning(word) };
  });
}

function readMeaning(word: string): string | undefined {
  if (/^[\da-z]$/.test(word)) return word.toUpperCase();
  return (
    WORDS.get(word) ??
    (word.length >= MIN_LOOSE_CHARS ? LOOSE_WORDS.get(dropDoubles(word)) : undefined)
  );
}

function dropDoubles(word: string): string {
  return word.replace(/(.)\1/gu, "$1");
}

/**
 * The runs of words that each mean a character. `hasInitials`: other names in them, of alphabets
 * that are not known here, mean their first letter.
 */
function findRuns(tokens: readonly Token[], hasInitials: boolean): readonly string[] {
  const found: string[] = [];
  let code = "";
  // The code with the other meanings of its words.
  let other = "";
  let words = 0;
  let initials = 0;
  let repeat = 1;
  let isConfirming = false;
  const add = (one: string, otherOne = one) => {
    code += one.repeat(repeat);
    other += otherOne.repeat(repeat);
    repeat = 1;
  };
  const end = () => {
    const isSpelled = hasInitials ? initials > 0 && words > 1 : words > 0;
    if (isSpelled && code.length >= MIN_CHARS && code.length <= MAX_CHARS) found.push(code, other);
    code = "";
    other = "";
    words = 0;
    initials = 0;
    repeat = 1;
    isConfirming = false;
  };
  for (const [at, { word, meaning }] of tokens.entries()) {
    if (isConfirming && !CONFIRMS.has(word)) {
      isConfirming = false;
      words += 1;
      // Any word may confirm its first letter: "K as in kangaroo".
      const last = code.at(-1) ?? " ";
      if (meaning?.includes(last) === true || word.startsWith(last.toLowerCase())) continue;
    }
    if (meaning !== undefined) {
      const isWord = !/^[\da-z]$/.test(word);
      if (isWord) words += 1;
      // "H (Heinrich)": a word after its letter confirms it.
      const before = tokens[at - 1]?.word.toUpperCase() ?? "";
      if (isWord && before.length === 1 && meaning.includes(before)) continue;
      add(meaning.charAt(0), meaning.at(-1));
    } else if (code !== "" && CONFIRMS.has(word)) isConfirming = true;
    else if (word in REPEATS) repeat = REPEATS[word] ?? 1;
    else if (readTens(tokens, at) !== undefined) {
      add(readTens(tokens, at) ?? "");
      words += 1;
    } else if (/^\d{2,8}$/.test(word) || isPart(tokens, at)) add(word.toUpperCase());
    else if (DASHES.has(word)) words += code === "" ? 0 : 1;
    else if (hasInitials && isInitial(tokens, at)) {
      add(word.charAt(0).toUpperCase());
      initials += 1;
    } else if (!FILLERS.has(word)) end();
  }
  end();
  return found;
}

/** The digits of "twenty" or "sixteen". */
function readTens(tokens: readonly Token[], at: number): string | undefined {
  const word = tokens[at]?.word ?? "";
  const [ten, teen] = [TENS.indexOf(word), TEENS.split(" ").indexOf(word)];
  if (teen >= 0) return `1${teen}`;
  if (ten < 0) return undefined;
  return /^[1-9]$/.test(tokens[at + 1]?.meaning ?? "") ? `${ten}` : `${ten}0`;
}

/** True for part of a code beside a spoken dash, and for capitals beside a spelled character. */
function isPart(tokens: readonly Token[], at: number): boolean {
  const { raw = "", word = "" } = tokens[at] ?? {};
  // In capitals, with a digit, or a group of four: names and other words are no part.
  const isCode = /^(?=.*\d)[\da-z]{2,7}$/.test(word) || /^(?:[A-Z]{2,7}|[a-z]{4})$/.test(raw);
  const isBeside = [tokens[at - 1], tokens[at + 1]].some(
    (one) =>
      DASHES.has(one?.word ?? "") ||
      (/^[A-Z]{2,4}$/.test(raw) && one?.meaning !== undefined && one.word.length > 1),
  );
  return isCode && isBeside && !DASHES.has(word);
}

/** True for a name, and for any word between two characters. */
function isInitial(tokens: readonly Token[], at: number): boolean {
  const { raw = "", word = "" } = tokens[at] ?? {};
  if (!/^[a-z]{3,}$/.test(word) || FILLERS.has(word)) return false;
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  const isBetween = before?.meaning !== undefined && after?.meaning !== undefined;
  return isBetween || /^\p{Lu}\p{Ll}/u.test(raw);
}

/** Next.js has numbers of up to ten digits. */
const MAX_DIGITS = 10;
/** A Ray ID, three characters of its data center, and one before it. */
const MAX_RAY_CHARS = 21;

/**
 * A run, and the number or the Ray ID in it: words such as "see" and "one" before a code may mean a
 * character, and the place of a data center follows a Ray ID.
 */
function listReadings(run: string): readonly string[] {
  const [digits = ""] = /\d{7,12}/.exec(run) ?? [];
  const numbers = Array.from({ length: Math.max(1, digits.length - MAX_DIGITS + 1) }, (_, at) =>
    digits.slice(at, at + MAX_DIGITS),
  );
  const rays = run.length > MAX_RAY_CHARS ? [] : run.matchAll(/(?=([\dA-F]{16}))/g);
  return [run, ...numbers, ...Array.from(rays, ([, ray = ""]) => ray)].filter((one) => one !== "");
}

/**
 * Pasted text in one spelling, so that codes in it are compared as ASCII: what mail, chats,
 * terminals, keyboards and cameras do to a code is undone. Only for finding codes: words keep their
 * script. Pure, and linear in the length of the text.
 *
 *     ７Ｆ３Ｋ－Ｑ２Ｍ９   ١٣٠٨٥٢١٠٩٤   7F3K%E2%80%91Q2M9   **7F3K**\-Q2M9   7F3K&#8209;Q2M9
 */

/** How much longer a text may become. Some signs have compatibility forms of 18 characters. */
const MAX_GROWTH = 2;

/** `text` without escapes of other formats, in ASCII where it has a likeness. */
export function readPastedText(text: string): string {
  const isPlain = /^[\n\r\t -~]*$/.test(text);
  const decoded = decodeEscapes(text);
  const folded = isPlain && decoded === text ? text : foldCharacters(decoded, text.length);
  return removeMarkup(folded);
}

// Escapes.

/** Colours of terminals, ECMA-48 section 8.3.117; some logs show the escape as `^[`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins every sequence.
const ANSI_SEQUENCE = /(?:\u001b|\^\[|\\(?:u001b|x1b|033))\[[\d;]{0,20}[A-Za-z]/gi;
/** A dash or a space in UTF-8 that was read as Windows-1252: `â€‘`. */
const MOJIBAKE = /\u00e2\u20ac[\u0090-\u0095\u2018\u2019\u201c\u201d\u2022\u2026]/g;

/** Decodes percent escapes twice, entities of HTML, escapes of JSON and JavaScript. */
function decodeEscapes(text: string): string {
  let decoded = text;
  decoded = decoded.replace(ANSI_SEQUENCE, "");
  for (let time = 0; time < 2 && decoded.includes("%"); time++)
    decoded = decoded.replace(/(?:%[\da-f]{2})+/gi, decodePercent);
  if (decoded.includes("&")) decoded = decoded.replace(ENTITY, decodeEntity);
  if (decoded.includes("\\")) {
    decoded = decoded
      .replace(/\\+u\{?([\da-f]{4,6})\}?|\\+x([\da-f]{2})/gi, (_, unicode, hex) =>
        toCharacter(Number.parseInt(unicode ?? hex, 16)),
      )
      .replace(/\\+[nrt](?![a-z])/g, "\n");
  }
  return decoded.includes("\u00e2") ? decoded.replace(MOJIBAKE, "-") : decoded;
}

function decodePercent(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

const ENTITY =
  /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(nbsp|shy|ndash|mdash|minus|hyphen|dash|zwj|zwnj|thinsp|ensp|emsp|lt|gt|amp|quot|colon|at));/gi;
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  ...{ ndash: "-", mdash: "-", minus: "-", hyphen: "-", dash: "-", shy: "", zwj: "", zwnj: "" },
  ...{ lt: "<", gt: ">", amp: "&", quot: '"', colon: ":", at: "@" },
};

function decodeEntity(
  _: string,
  decimal: string | undefined,
  hex: string | undefined,
  name = "",
): string {
  if (decimal !== undefined) return toCharacter(Number(decimal));
  if (hex !== undefined) return toCharacter(Number.parseInt(hex, 16));
  return NAMED_ENTITIES[name.toLowerCase()] ?? " ";
}

function toCharacter(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : "\ufffd";
}

// Characters.

const IGNORED = /^[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
const CONTROL = /(?![\n\r\t])\p{Cc}/gu;
/** Dashes, their likenesses in other scripts, and the mark of a byte that was not text. */
const DASH =
  /^[\p{Pd}\u00ac\u02d7\u1173\u2043\u207b\u208b\u2212\u2500-\u2503\u2796\u30fc\u3161\u4e00\ufffd]$/u;
const SPACE = /^[\p{Zs}\u2800]$/u;
const NOT_ASCII = /[^\0-\x7f]/u;
/** Ligatures of Arabic phrases: no part of a code, and up to 18 characters in another form. */
const PHRASES = /[\ufdf0-\ufdfc]/g;

/** The first of the letters in squares and circles that have no compatibility form. */
const ENCLOSED_LETTERS: readonly number[] = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6];

/** Compatibility forms, digits of all scripts, dashes, and letters that look like Latin ones. */
function foldCharacters(text: string, length: number): string {
  const known = new Map<string, string>();
  const fold = (character: string): string => {
    const folded = known.get(character) ?? foldCharacter(character);
    known.set(character, folded);
    return folded;
  };
  const folded = text
    .replace(PHRASES, " ")
    .normalize("NFKD")
    .slice(0, length * MAX_GROWTH)
    .replace(CONTROL, "")
    .replace(/[^\0-\x7f]/gu, fold);
  return NOT_ASCII.test(folded)
    ? folded.replace(/[\p{L}\p{N}$\u00a3\u00a7\u00b0\u20ac!|-]+/gu, foldWord)
    : folded;
}

/** A character beyond ASCII; itself if it has no likeness. */
function foldCharacter(character: string): string {
  if (/^[\u2028\u2029]$/.test(character)) return "\n";
  if (IGNORED.test(character)) return "";
  if (DASH.test(character)) return "-";
  if (SPACE.test(character)) return " ";
  if (/^[\u2018\u2019\u201a\u2032\u02bc\u00b4]$/.test(character)) return "'";
  if (/^[\u201c-\u201f\u00ab\u00bb\u2033]$/.test(character)) return '"';
  const code = character.codePointAt(0) ?? 0;
  const first = ENCLOSED_LETTERS.find((start) => code >= start && code < start + 26);
  if (first !== undefined) return String.fromCharCode(0x41 + code - first);
  return isDigit(code) ? foldDigit(code) : character;
}

/** The digits of a script are ten code points in order. */
function foldDigit(code: number): string {
  let value = 0;
  while (value < 9 && isDigit(code - value - 1)) value++;
  return String(value);
}

function isDigit(code: number): boolean {
  return /^\p{Nd}$/u.test(String.fromCodePoint(code));
}

/**
 * Letters that look like Latin letters or digits, by the character that they look like: Cyrillic,
 * Greek, Armenian, Cherokee, and Latin letters with a stroke.
 * Source: Unicode Technical Standard #39, confusables.txt, the letters of keyboards.
 */
const LIKENESSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    A: "АаΑαᎪ",
    B: "ВвΒβᏴßẞ",
    C: "СсϹϲᏟ",
    D: "ᎠĐđÐð",
    E: "ЕеΕεᎬєЄ€",
    F: "ϜϝҒғ",
    G: "ԌԍᏀ",
    H: "НнΗηᎻһҺ",
    I: "ІіΙιӀӏ",
    J: "ЈјϳͿᎫ",
    K: "КкΚκᏦ",
    L: "ᏞŁł£",
    M: "МмΜμᎷϺ",
    N: "ΝνՈ",
    O: "ОоΟοՕօØø°",
    P: "РрΡρᏢ",
    Q: "ԚԛႭ",
    R: "Ꭱ",
    S: "ЅѕՏᏚ§",
    T: "ТтΤτᎢ",
    V: "ѴѵᏙ",
    W: "ԜԝᎳ",
    X: "ХхΧχ",
    Y: "УуҮүΥυ",
    Z: "ΖζᏃ",
    3: "ЗзЗӠӡ",
    4: "Чч",
    6: "б",
  }).flatMap(([latin, letters]) => [...letters].map((letter) => [letter, latin] as const)),
);

/**
 * A word whose letters all look like Latin ones. It must have a Latin letter or a digit, or the
 * form of a digest: words of other languages stay as they are.
 */
function foldWord(word: string): string {
  if (!NOT_ASCII.test(word) || word.length > MAX_FOLDED_CHARS) return word;
  const folded = word.replace(/[^\0-\x7f]/gu, (letter) => LIKENESSES.get(letter) ?? letter);
  const isAscii = !NOT_ASCII.test(folded);
  const isCode = /[\dA-Za-z]/.test(word) || /^\p{Lu}{4}-?\p{Lu}{4}$/u.test(word);
  return isAscii && isCode ? folded : word;
}

const MAX_FOLDED_CHARS = 64;

// Markup.

/** An HTML tag or comment inside of a word: `7F3K<wbr>-Q2M9`. */
const TAG = /<(?:\/?[a-z][a-z\d]{0,9}(?:\s[^<>]{0,200})?\/?|!-{2}[^<>]{0,100}-{2})>/gi;

/**
 * Without emphasis of Markdown, tags inside of words, and the marks of quoted mail. Lines that a
 * mail program broke after a dash or `=` are joined.
 */
function removeMarkup(text: string): string {
  return stripQuotes(text)
    .replace(TAG, replaceTag)
    .replace(/\\(?=[-_*.])|[`*~]+/g, "")
    .replace(/(?<![\dA-Za-z])_{1,3}([\dA-Za-z-]{1,64})_{1,3}(?![\dA-Za-z])/g, " $1 ")
    .replace(/([\dA-Za-z])-[ \t]*\r?\n[ \t]*(?=[\dA-Za-z])/g, "$1-")
    .replace(/([\dA-Za-z-])=\r?\n(?=[\dA-Za-z-])/g, "$1");
}

/** The text without the marks of quoted mail before its lines. */
export function stripQuotes(text: string): string {
  return /^[ \t]*[>|]/m.test(text) ? text.replace(/^[ \t]*(?:[>|][ \t]?)+/gm, "") : text;
}

/**
 * A tag may have a code in an attribute: `data-dgst`, `href`. Others are in a word or between two.
 */
function replaceTag(tag: string): string {
  if (/=/.test(tag) && /dgst|digest|href|data-/i.test(tag)) return ` ${tag} `;
  return /^<(?:br|\/?(?:p|div|li|td|tr|h\d))\b/i.test(tag) ? "\n" : "";
}

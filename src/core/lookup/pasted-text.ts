/**
 * Pasted text in one spelling, so that codes in it are compared as ASCII: what mail, chats,
 * terminals, keyboards and cameras do to a code is undone. Only for finding codes: words keep their
 * script. Pure, and linear in the length of the text.
 *
 *     ７Ｆ３Ｋ－Ｑ２Ｍ９   ١٣٠٨٥٢١٠٩٤   7F3K%E2%80%91Q2M9   **7F3K**\-Q2M9   7F3K&#8209;Q2M9
 */

import { foldGluedDigits } from "./digit-words.ts";

/** How much longer a text may become. Some signs have compatibility forms of 18 characters. */
const MAX_GROWTH = 2;

/** `text` without escapes of other formats, in ASCII where it has a likeness. */
export function readPastedText(text: string): string {
  const isPlain = /^[\n\r\t -~]*$/.test(text);
  const decoded = decodeEscapes(text);
  const folded = isPlain && decoded === text ? text : foldCharacters(decoded, text.length);
  return foldNumbers(foldSeparators(removeMarkup(folded)));
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
  if (decoded.includes("=?"))
    decoded = decoded.replace(/\?=\s{1,4}=\?/g, "?==?").replace(ENCODED_WORD, decodeWord);
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

/** Words of the subject of a mail, RFC 2047: `=?utf-8?B?RmVobGVy?=`. */
const ENCODED_WORD = /=\?[\w*-]{1,30}\?(?:b\?([\d+/=a-z]{1,100})|q\?([^?\s]{1,100}))\?=/gi;

function decodeWord(word: string, base64: string | undefined, quoted = ""): string {
  if (base64 === undefined) return quoted.replaceAll("_", " ").replaceAll("=", "%");
  try {
    const toEscape = (byte: string) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`;
    return atob(base64).replace(/[^\w -]/g, toEscape);
  } catch {
    return word;
  }
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
  /^[\p{Pd}\u00ac\u02d7\u0640\u1173\u2043\u2053\u207b\u208b\u2212\u2500-\u2503\u2796ーㅡ一\ufffd]$/u;
/** Other marks between two parts: dots, operators, arrows, and pictures. */
const MARK = /^[\p{Po}\p{Sm}\p{So}]$/u;
const COMMA = /^[\u060c\u066c\u3001\ufe50\ufe51\uff64]$/;
const SPACE = /^[\p{Zs}\u2800]$/u;
const NOT_ASCII = /[^\0-\x7f]/u;
/** Ligatures of Arabic phrases: no part of a code, and up to 18 characters in another form. */
const PHRASES = /[\ufdf0-\ufdfc]/g;

/** The first of the letters in squares and circles that have no compatibility form. */
const ENCLOSED_LETTERS: readonly number[] = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6];
/** The ones of digits without a compatibility form, up to nine: enclosed, Suzhou and Ethiopic. */
const ONES: readonly number[] = [0x2776, 0x2780, 0x278a, 0x24f5, 0x3021, 0x1369];
const ZEROS = /^[\u3007\u24ff\u{1f10b}\u{1f10c}]$/u;

/** Compatibility forms, digits of all scripts, dashes, and letters that look like Latin ones. */
function foldCharacters(text: string, length: number): string {
  const known = new Map<string, string>();
  const fold = (character: string): string => {
    const folded = known.get(character) ?? foldCharacter(character);
    known.set(character, folded);
    return folded;
  };
  const composed = text
    .replace(PHRASES, " ")
    .replace(/\p{So}/gu, spaceLetters)
    .normalize("NFKC");
  const folded = foldGluedDigits(composed.slice(0, length * MAX_GROWTH))
    // Korean syllables would become three characters each.
    .replace(/[^\0-\x7f\uac00-\ud7a3]+/g, (part) => part.normalize("NFKD"))
    .slice(0, length * MAX_GROWTH)
    .replace(CONTROL, "")
    .replace(/[^\0-\x7f]/gu, fold);
  return NOT_ASCII.test(folded)
    ? folded.replace(/[\p{L}\p{N}$\u00a3\u00a7\u00b0\u20ac!|-]+/gu, foldWord)
    : folded;
}

/** `№` and other signs that stand for letters are no part of the word beside them. */
function spaceLetters(sign: string): string {
  const letters = sign.normalize("NFKD");
  return /^(?=.*\p{L})[^\p{N}()]{2,}$/u.test(letters) ? ` ${letters}: ` : sign;
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
  const one = ONES.find((start) => code >= start && code < start + 9);
  if (one !== undefined) return String(code - one + 1);
  if (ZEROS.test(character)) return "0";
  if (COMMA.test(character)) return ",";
  if (character === "\u066b") return ".";
  if (MARK.test(character) && !LIKENESSES.has(character)) return "·";
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
 * Greek, Armenian, Cherokee, Lisu, Coptic, and Latin small capitals and letters with a stroke.
 * Source: Unicode Technical Standard #39, confusables.txt, the letters of keyboards.
 */
const LIKENESSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    A: "АаΑαᎪᴀꓮⲀɑ",
    B: "ВвΒβᏴßẞʙꓐⲂɃƀ",
    C: "СсϹϲᏟᴄꓚⲤȻȼ",
    D: "ᎠĐđÐðᴅꓓ",
    E: "ЕеΕεᎬєЄ€ᴇꓰⲈɆɇ",
    F: "ϜϝҒғꜰꓝ",
    G: "ԌԍᏀɢꓖǤǥɡ",
    H: "НнΗηᎻһҺʜꓧⲎĦħ",
    I: "ІіΙιӀӏɪꓲⲒƗıɩ",
    J: "ЈјϳͿᎫᴊꓙɈɉȷ",
    K: "КкΚκᏦᴋꓗⲔ",
    L: "ᏞŁł£ʟꓡ",
    M: "МмΜμᎷϺᴍꓟⲘ",
    N: "ΝνՈɴꓠⲚ",
    O: "ОоΟοՕօØø°ᴏꓳⲞƟ",
    P: "РрΡρᏢᴘꓑⲢ",
    Q: "ԚԛႭꞯ",
    R: "ᎡʀꓣɌɍ",
    S: "ЅѕՏᏚ§ꜱꓢ",
    T: "ТтΤτᎢᴛꓔⲦŦŧ",
    U: "ᴜꓴɄ",
    V: "ѴѵᏙᴠꓦ",
    W: "ԜԝᎳᴡꓪ",
    X: "ХхΧχꓫⲬ",
    Y: "УуҮүΥυʏꓬⲨɎɏ",
    Z: "ΖζᏃᴢꓜⲌƵƶ",
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
  const isCode =
    /[\d\p{Script=Latin}]/u.test(word) ||
    /^[\p{Lu}\p{Script=Lisu}]{4}-?[\p{Lu}\p{Script=Lisu}]{4}$/u.test(word);
  return isAscii && isCode ? folded : word;
}

const MAX_FOLDED_CHARS = 64;

// Markup.

/** An HTML tag or comment inside of a word: `7F3K<wbr>-Q2M9`. */
const TAG = /<(?:\/?[a-z][a-z\d]{0,9}(?:\s[^<>]{0,400})?\/?|!-{2}[^<>]{0,100}-{2})>/gi;

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

/** Attributes that have no code, and are on the tags in a word. */
const LAYOUT = /\s(?:class(?:name)?|style|dir|lang|role|rel|target)\s*=\s*(?:"[^"]*"|'[^']*')/gi;

/**
 * A tag may have a code in an attribute: `data-dgst`, `href`, `value`, and a comment in its text.
 * Others are in a word or between two.
 */
function replaceTag(tag: string): string {
  const rest = tag.replace(LAYOUT, "");
  if (/=|^<!-.*[\dA-Za-z]{4}/.test(rest)) return ` ${rest} `;
  return /^<(?:br|\/?(?:p|div|li|td|tr|h\d))\b/i.test(tag) ? "\n" : "";
}

// Separators and numbers.

/** Two groups of four with an ellipsis or a backslash between them. Other ids are cut off there. */
const ELLIPSIS = /(?<![\w\\.-])([\dA-Za-z]{4})(?: ?\.{2,6} ?|\\)(?=[\dA-Za-z]{4}(?![\w\\-]))/g;

/** What stands between two parts of a code as one of the marks that `guess-codes.ts` knows. */
function foldSeparators(text: string): string {
  return text
    .replace(/[{([](-{1,3})[})\]]/g, "$1")
    .replace(/(?<=[\dA-Za-z] ?)(?:-{3,9}|[-=]{1,2}>)(?= ?[\dA-Za-z])/g, "--")
    .replace(ELLIPSIS, "$1·");
}

/** `2,749,163,058.00`: groups of thousands, and decimals that say nothing. */
const DECIMALS =
  /(?<![\w.,])(\d{1,3}(?:([ ,.'_])\d{3})(?:\2\d{3}){1,2})(?!\2)[.,]0{1,3}(?![\w,]|\.\d)/g;
/** `2,749163058E+09`, as spreadsheets show long numbers. */
const SCIENTIFIC = /(?<![\w.,])(\d)[.,](\d{6,9})E\+?0?([6-9])(?!\w)/gi;
/** `(274) 916-3058`, as phones do. */
const TELEPHONE =
  /(?<![\w)])(?:\+\d{1,3} )?\((\d{2,5})\) ?(?=\d{2,4}[ .-]\d{2,5}(?!\w)|\d{5,8}(?!\w))/g;
/** `No2749163058`: a sign for "number" before its digits. */
const NUMBER_SIGN = /(?<![\dA-Za-z])(n(?:[.:]?[or]|ro|um)|n(?=\d{8}))(?=\d{7,10}(?!\w))/gi;

/** Numbers without what spreadsheets, phones and languages add to them. */
function foldNumbers(text: string): string {
  if (!/\d{3}/.test(text)) return text;
  return text
    .replace(DECIMALS, "$1")
    .replace(SCIENTIFIC, (number: string, first: string, rest: string, exponent: string) =>
      rest.length < Number(exponent) - 1 || rest.length > Number(exponent)
        ? number
        : first + rest.padEnd(Number(exponent), "0"),
    )
    .replace(TELEPHONE, "$1-")
    .replace(NUMBER_SIGN, "$1: ");
}

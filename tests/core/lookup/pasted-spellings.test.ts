import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { limits } from "#src/core/limits.ts";
import { formatCodeKey, type LookupCode } from "#src/core/lookup/lookup-code.ts";
import { parsePasted } from "#src/core/lookup/parse-codes.ts";

type Kind = "digest" | "number" | "event" | "ray" | "trace";
type Spell = (code: string) => string;

/** Codes of each kind as their systems show them, and what the lookup must find for them. */
const CODES: Readonly<Record<Kind, readonly string[]>> = {
  digest: ["7F3K-Q2M9", "XGR4-J9HH", "G0T6-Y5NV", "3077-77VB", "ZKXM-WQTX"].filter(isValid),
  number: ["1308521094", "2338823894", "586891194", "4021357789", "77120934"],
  event: ["fc6d8c0c43fc4630ad850ee518f1b9d0", "00f1e2d3c4b5a69788776655443322ff"],
  ray: ["8f1e2d3c4b5a6978", "91c04d7aa8e2b3f5"],
  trace: ["4bf92f3577b34da6a3ce929d0e0e4736", "a0b1c2d3e4f5061728394a5b6c7d8e9f"],
};

function isValid(digest: string): boolean {
  return parsePasted(digest).codes[0]?.kind === "digest";
}

const EVERY: readonly Kind[] = ["digest", "number", "event", "ray", "trace"];
const HEX: readonly Kind[] = ["event", "trace"];

const toFullWidth: Spell = (code) =>
  code.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
const toDigitsFrom =
  (zero: number): Spell =>
  (code) =>
    code.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const toStyle =
  (upper: number, digit: number): Spell =>
  (code) =>
    code
      .replace(/[A-Z]/g, (one) => String.fromCodePoint(upper + one.charCodeAt(0) - 65))
      .replace(/\d/g, (one) => String.fromCodePoint(digit + Number(one)));
const between =
  (inserted: string): Spell =>
  (code) =>
    [...code].join(inserted);
const around =
  (before: string, after = ""): Spell =>
  (code) =>
    `${before}${code}${after}`;
const replaceDash =
  (dash: string): Spell =>
  (code) =>
    code.replace("-", dash);
const replaceEach =
  (letters: Readonly<Record<string, string>>): Spell =>
  (code) =>
    code.replace(/./g, (one) => letters[one] ?? one);
const toUuid: Spell = (code) => code.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
const inGroups =
  (size: number, separator: string): Spell =>
  (code) =>
    (code.replace("-", "").match(new RegExp(`.{1,${size}}`, "g")) ?? []).join(separator);
const toThousands =
  (separator: string): Spell =>
  (code) =>
    code.replace(/\B(?=(?:\d{3})+$)/g, separator);
const toEach =
  (digits: string): Spell =>
  (code) =>
    code.replace(/\d/g, (digit) => [...digits][Number(digit)] ?? "");
const toScientific =
  (point: string): Spell =>
  (code) =>
    `${code.charAt(0)}${point}${code.slice(1)}E+0${code.length - 1}`;
const toMyriads =
  (high: string, low: string): Spell =>
  (code) =>
    code
      .replace(/(\d{4})(\d{4})$/, (_, middle, end) => `${high}${middle}${low}${end}`)
      .replace(/^\D/, "0$&");
const encodeBytes: Spell = (code) =>
  Array.from(
    new TextEncoder().encode(code),
    (byte) => `%${byte.toString(16).padStart(2, "0")}`,
  ).join("");
const SPOKEN: Readonly<Record<string, string>> = {
  ...{ A: "alpha", B: "bravo", C: "charlie", D: "delta", E: "echo", F: "foxtrot", G: "golf" },
  ...{ H: "hotel", J: "juliett", K: "kilo", M: "mike", N: "november", P: "papa", Q: "quebec" },
  ...{ R: "romeo", S: "sierra", T: "tango", V: "victor", W: "whiskey", X: "x-ray", Y: "yankee" },
  ...{ Z: "zulu", 0: "zero", 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six" },
  ...{ 7: "seven", 8: "eight", 9: "nine", "-": "dash" },
};
const GERMAN: Readonly<Record<string, string>> = {
  ...{ A: "Anton", B: "Berta", C: "Cäsar", D: "Dora", E: "Emil", F: "Friedrich", G: "Gustav" },
  ...{ H: "Heinrich", J: "Julius", K: "Kaufmann", M: "Martha", N: "Nordpol", P: "Paula" },
  ...{ Q: "Quelle", R: "Richard", S: "Siegfried", T: "Theodor", V: "Viktor", W: "Wilhelm" },
  ...{ X: "Xanthippe", Y: "Ypsilon", Z: "Zacharias", 0: "null", 1: "eins", 2: "zwei", 3: "drei" },
  ...{ 4: "vier", 5: "fünf", 6: "sechs", 7: "sieben", 8: "acht", 9: "neun", "-": "Strich" },
};
const say =
  (words: Readonly<Record<string, string>>, separator: string): Spell =>
  (code) =>
    [...code.toUpperCase()].map((one) => words[one] ?? one).join(separator);

/** Spellings by name: the kinds of codes that have them, and the pasted text. */
const SPELLINGS: Readonly<Record<string, readonly [kinds: readonly Kind[], spell: Spell]>> = {
  "as it is": [["digest", "number", "event", "trace"], (code) => code],
  "in lower case": [["digest"], (code) => code.toLowerCase()],
  "in capitals": [HEX, (code) => code.toUpperCase()],
  "without its dash": [["digest"], replaceDash("")],
  "in full width": [["digest", "number", "event", "trace"], toFullWidth],
  "in full width, in a Japanese sentence": [
    ["digest", "number"],
    (code) => `エラーコードは${toFullWidth(code)}です`,
  ],
  "in Arabic digits": [["number", "digest"], toDigitsFrom(0x660)],
  "in Persian digits": [["number", "digest"], toDigitsFrom(0x6f0)],
  "in Hindi digits": [["number", "digest"], toDigitsFrom(0x966)],
  "in Bengali digits": [["number"], toDigitsFrom(0x9e6)],
  "in Thai digits": [["number"], toDigitsFrom(0xe50)],
  "in Tamil digits": [["number"], toDigitsFrom(0xbe6)],
  "in Myanmar digits": [["number"], toDigitsFrom(0x1040)],
  "in bold letters of mathematics": [["digest", "number"], toStyle(0x1d400, 0x1d7ce)],
  "in letters of one width": [["digest", "number"], toStyle(0x1d670, 0x1d7f6)],
  "in negative squared letters": [["digest"], toStyle(0x1f170, 48)],
  "in circled letters": [["digest"], toStyle(0x24b6, 48)],
  "in keycaps": [["number"], (code) => code.replace(/\d/g, "$&\ufe0f\u20e3")],
  "in superscript": [["number"], (code) => code.replace(/\d/g, (one) => "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(+one))],
  "underlined with combining marks": [EVERY, between("\u0332")],
  "struck through with combining marks": [["digest", "number"], between("\u0336")],
  "with spaces of no width": [["digest", "number", "event", "trace"], between("\u200b")],
  "with joiners": [["digest", "number", "event", "trace"], between("\u200d")],
  "with word joiners": [["digest", "number", "event"], between("\u2060")],
  "with soft hyphens": [["digest", "number", "event"], between("\u00ad")],
  "with a byte order mark": [EVERY, around("\ufeffcf-ray: ")],
  "isolated for text from the right": [["digest", "number", "event"], around("\u2067", "\u2069")],
  "embedded from left to right": [["digest", "number", "event"], around("\u202a", "\u202c")],
  "after an Arabic word": [["digest", "number"], around("\u200fالرمز: \u200e")],
  "after a Hebrew word": [["digest", "number"], around("קוד: ")],
  "with tags of Unicode": [["digest"], between("\u{e0061}")],
  "in Cyrillic letters": [
    ["digest"],
    replaceEach({
      ...{ A: "А", B: "В", C: "С", E: "Е", H: "Н", K: "К", M: "М", P: "Р", T: "Т", X: "Х" },
      Y: "У",
    }),
  ],
  "in Greek letters": [
    ["digest"],
    replaceEach({
      ...{ A: "Α", B: "Β", E: "Ε", H: "Η", K: "Κ", M: "Μ", N: "Ν", P: "Ρ", T: "Τ", X: "Χ" },
      ...{ Y: "Υ", Z: "Ζ" },
    }),
  ],
  "with a Cyrillic three": [["digest"], replaceEach({ 3: "З" })],
  "with O for 0": [["digest"], replaceEach({ 0: "O" })],
  "with a slashed zero": [["digest"], replaceEach({ 0: "Ø" })],
  "with an en dash": [["digest"], replaceDash("–")],
  "with an em dash": [["digest"], replaceDash("—")],
  "with a minus": [["digest"], replaceDash("−")],
  "with a dash that does not break": [["digest"], replaceDash("\u2011")],
  "with a figure dash": [["digest"], replaceDash("\u2012")],
  "with a Japanese long vowel": [["digest"], replaceDash("ー")],
  "with a fullwidth dash": [["digest"], replaceDash("－")],
  "with two dashes": [["digest"], replaceDash("--")],
  "with spaces around its dash": [["digest"], replaceDash(" - ")],
  "with an en dash between spaces": [["digest"], replaceDash(" – ")],
  "with a space": [["digest"], replaceDash(" ")],
  "with a space that does not break": [["digest"], replaceDash("\u00a0")],
  "with a thin space": [["digest"], replaceDash("\u2009")],
  "with an underscore": [["digest"], replaceDash("_")],
  "with a dot": [["digest"], replaceDash(".")],
  "with a middle dot": [["digest"], replaceDash("·")],
  "with a bullet": [["digest"], replaceDash(" • ")],
  "with a colon": [["digest"], replaceDash(":")],
  "with a slash": [["digest"], replaceDash("/")],
  "with a comma": [["digest"], replaceDash(", ")],
  "with a mark for a byte that is no text": [["digest"], replaceDash("\ufffd")],
  "with a dash that was read as Windows-1252": [["digest"], replaceDash("â€‘")],
  "with a tab": [["digest"], replaceDash("\t")],
  "with a line end": [["digest"], replaceDash("\n")],
  "broken after its dash": [["digest"], replaceDash("-\n")],
  "broken after its dash, in a quoted mail": [
    ["digest"],
    (code) => `> it says ${replaceDash("-\n> ")(code)}\n> thanks`,
  ],
  "letter by letter": [["digest"], (code) => between(" ")(code.replace("-", ""))],
  "letter by letter, with dashes": [["digest"], (code) => between("-")(code.replace("-", ""))],
  "in pairs": [["digest"], inGroups(2, " ")],
  "in groups of three": [["digest"], inGroups(3, "-")],
  "in a sentence, with a space": [
    ["digest"],
    (code) => `The digest in the photo is ${code.replace("-", " ")}`,
  ],
  "in a sentence, in lower case with a space": [
    ["digest"],
    (code) => `hello, i see ${code.toLowerCase().replace("-", " ")} on the page`,
  ],
  "in a sentence, without a dash": [
    ["digest"],
    (code) => `hi! ${code.replace("-", "")} came up when i paid`,
  ],
  "before a full stop without a space": [["digest", "number"], around("It says ", ".Thank you")],
  "in parentheses": [["digest", "number", "event"], around("it failed (", ")")],
  "in brackets": [["digest", "number", "event"], around("[", "]")],
  "in braces": [["event"], (code) => `{${toUuid(code)}}`],
  "in angle brackets": [["digest", "number", "event"], around("<", ">")],
  "in German quotation marks": [["digest", "number", "event"], around("„", "“")],
  "in French quotation marks": [["digest", "number", "event"], around("«\u00a0", "\u00a0»")],
  "in Japanese quotation marks": [["digest", "number", "event"], around("「", "」")],
  "after a German label": [["digest", "number"], around("Fehlercode: ")],
  "after a French label": [["digest", "number"], around("Code d’erreur : ")],
  "after a Chinese label": [["digest", "number"], around("错误代码：", "，请帮忙")],
  "after a Korean label": [["digest", "number"], around("오류 코드는 ", "입니다")],
  "after a Russian label": [["digest", "number"], around("Код ошибки: ")],
  "as code of Markdown": [["digest", "number", "event"], around("`", "`")],
  "as a block of Markdown": [["digest", "number", "event"], around("```\n", "\n```")],
  "bold in Markdown": [["digest", "number", "event"], around("**", "**")],
  "in italics of Markdown": [["digest", "number", "event"], around("_", "_")],
  "bold with underscores": [["digest", "number", "event"], around("__", "__")],
  "struck through in Markdown": [["digest", "number"], around("~~", "~~")],
  "with an escaped dash": [["digest"], replaceDash("\\-")],
  "partly bold": [["digest"], (code) => `**${code.slice(0, 4)}**${code.slice(4)}`],
  "as a link of Markdown": [["digest"], (code) => `[${code}](https://shop.example/help)`],
  "in a table of Markdown": [["digest", "number", "event"], around("| code | ", " |")],
  "as a hidden word of Discord": [["digest"], around("||", "||")],
  "in a heading": [["digest", "number"], around("# ")],
  "in a quoted mail": [["digest", "number", "event"], around(">> > Digest: ", "\n>> regards")],
  "in the subject of a mail": [
    ["digest", "number", "event"],
    around("Re: AW: [Ticket#8812] Error ", " on checkout"),
  ],
  "in the link of a mail": [
    ["digest", "number", "event"],
    around("mailto:help@shop.example?subject=Error%20"),
  ],
  "in the link of a mail, encoded": [
    ["digest"],
    (code) => `mailto:help@shop.example?body=${encodeBytes(` ${code} `)}`,
  ],
  "encoded twice": [["digest"], (code) => encodeURIComponent(encodeBytes(`Digest: ${code}`))],
  "with an encoded dash": [["digest"], replaceDash("%2D")],
  "with an encoded special dash": [["digest"], replaceDash("%E2%80%91")],
  "in a query": [["digest", "number", "event"], around("https://shop.example/help?code=", "&x=1")],
  "in the address of a lookup": [["digest", "number"], around("https://e.example/lookup?q=")],
  "in the source of a mail": [
    ["digest"],
    (code) =>
      `Content-Transfer-Encoding: quoted-printable\n\nDigest=3A ${code.replace("-", "=E2=80=91")}`,
  ],
  "broken in the source of a mail": [
    ["digest"],
    (code) => `the error is ${code.slice(0, 5)}=\n${code.slice(5)}, thanks`,
  ],
  "with an entity of HTML": [["digest"], replaceDash("&#8209;")],
  "with a hexadecimal entity": [["digest"], replaceDash("&#x2011;")],
  "with a named entity": [["digest"], replaceDash("&ndash;")],
  "with a place to break": [["digest"], replaceDash("<wbr>-")],
  "in an element": [["digest", "number", "ray"], around('<b class="x">Ray ID: <i>', "</i></b>")],
  "in an attribute": [["digest", "number"], around('<template data-dgst="', '"></template>')],
  "in JSON": [["digest", "number", "event"], around('{"digest":"', '"}')],
  "in JSON within a string": [["digest", "number"], around('{\\"digest\\":\\"', '\\"}')],
  "in JSON with an escape": [["digest"], (code) => `{"digest":"${replaceDash("\\u2011")(code)}"}`],
  "after an escaped line end": [["digest", "number"], around("failed\\nDigest: ", "\\nbye")],
  "in YAML": [["digest", "number", "event"], around("error:\n  digest: ")],
  "in a colored log": [["digest", "number"], around("\u001b[31mDigest: ", "\u001b[0m")],
  "between escapes of colors": [["digest", "number"], around("\u001b[31m", "\u001b[39m")],
  "between visible escapes of colors": [["digest"], around("^[[31m", "^[[0m")],
  "in a log of Node": [["digest", "number"], around("⨯ Error: x { digest: '", "' }")],
  "in the notice of Next.js": [
    ["digest", "number"],
    around("Application error: a server-side exception has occurred\n\nDigest: "),
  ],
  "with the code of Next.js": [["number"], around("", "@E394")],
  "with the code of Next.js after a semicolon": [["number"], around("", ";E394")],
  "in thousands, with commas": [["number"], toThousands(",")],
  "in thousands, with dots": [["number"], toThousands(".")],
  "in thousands, with spaces": [["number"], toThousands(" ")],
  "in thousands, with narrow spaces": [["number"], toThousands("\u202f")],
  "in thousands, with apostrophes": [["number"], toThousands("’")],
  "in thousands, with underscores": [["number"], toThousands("_")],
  "in thousands, after a label": [["number"], (code) => `Digest: ${toThousands(",")(code)}`],
  "in lakhs": [["number"], (code) => `Digest: ${code.replace(/\B(?=(?:\d\d)*\d{3}$)/g, ",")}`],
  "in two groups": [["number"], (code) => `Digest: ${code.slice(0, 5)} ${code.slice(5)}`],
  "on two lines": [["number"], (code) => `Digest: ${code.slice(0, 5)}\n${code.slice(5)}`],
  "with O for 0, after a label": [["number"], (code) => `Digest: ${code.replaceAll("0", "O")}`],
  "with o and l, after a label": [
    ["number"],
    (code) => `digest ${code.replaceAll("0", "o").replaceAll("1", "l")}`,
  ],
  "with I and S and B": [
    ["number"],
    (code) => code.replace("1", "I").replace("5", "S").replace("8", "B"),
  ],
  "with a bar for 1": [["number"], (code) => `Digest: ${code.replace(/(?<=\d)1(?=\d)/g, "|")}`],
  "without a digit": [["number"], (code) => `Digest: ${code.slice(0, 4)}${code.slice(5)}`],
  "with a digit too many": [["number"], (code) => `Digest: ${code.slice(0, 4)}${code.slice(3)}`],
  "without a character": [["digest"], (code) => code.slice(0, 6) + code.slice(7)],
  "without the first character": [["digest"], (code) => code.slice(1)],
  "without the last character": [["digest"], (code) => code.slice(0, -1)],
  "without a character, after a label": [["digest"], (code) => `Digest: ${code.slice(0, -1)}`],
  "with a character too many": [["digest"], (code) => `${code}${code.slice(-1)}`],
  "with a doubled character": [["digest"], (code) => code.slice(0, 2) + code.slice(1)],
  "with swapped characters": [
    ["digest"],
    (code) => `${code.charAt(1)}${code.charAt(0)}${code.slice(2)}`,
  ],
  "with a letter too many, in a sentence": [
    ["digest"],
    (code) => `the code is ${code}${code.slice(-1)} i think`,
  ],
  "spelled in words": [["digest", "number"], say(SPOKEN, " ")],
  "spelled in words, in a sentence": [
    ["digest", "number"],
    (code) => `She read out: ${say(SPOKEN, ", ")(code)}. Please call back`,
  ],
  "spelled with capitals": [
    ["digest"],
    (code) => say(SPOKEN, " ")(code).replace(/\b[a-z]/g, (one) => one.toUpperCase()),
  ],
  "spelled, with digits as figures": [
    ["digest"],
    (code) => [...code].map((one) => (/\d/.test(one) ? one : SPOKEN[one])).join(" "),
  ],
  "spelled with confirmations": [
    ["digest"],
    (code) =>
      [...code]
        .map((one) => (/[A-Z]/.test(one) ? `${one} as in ${SPOKEN[one]}` : SPOKEN[one]))
        .join(", "),
  ],
  "spelled in German": [["digest", "number"], say(GERMAN, " ")],
  "spelled with niner": [["digest"], (code) => say({ ...SPOKEN, 9: "niner" }, " ")(code)],
  "after a sign for number": [["number"], around("Ошибка №")],
  ...Object.fromEntries(
    ["Nº", "n.º", "N°", "No", "Nr", "nro", "Num", "℡"].map((sign): [string, [Kind[], Spell]] => [
      `after ${sign} without a space`,
      [["number"], around(sign)],
    ]),
  ),
  "after a sign for number, in thousands": [["number"], (code) => `№${toThousands(" ")(code)}`],
  "before a unit": [["number"], around("", "℃")],
  "as a telephone number of a country": [
    ["number"],
    (code) => code.replace(/^(...)(...)/, "+1 ($1) $2-"),
  ],
  "with an arrow for its dash": [["digest"], replaceDash("->")],
  "in a comment of HTML": [["digest", "number", "event"], around("<!-- ", " -->")],
  "before a trademark": [["digest"], around("", "™")],
  ...Object.fromEntries(
    Array.from("ـ・･‧⁓⟶\\…᠊∗∶∕⁄⇒×●※。", (mark): [string, [Kind[], Spell]] => [
      `with ${mark} for its dash`,
      [["digest"], replaceDash(mark)],
    ]),
  ),
  "with three dashes": [["digest"], replaceDash("---")],
  "with three em dashes": [["digest"], replaceDash("———")],
  "with an ellipsis between spaces": [["digest"], replaceDash(" … ")],
  "with its dash in braces": [["digest"], replaceDash("{-}")],
  "in Arabic thousands": [["number"], (code) => toDigitsFrom(0x660)(toThousands("\u060c")(code))],
  "in Persian thousands": [["number"], (code) => toDigitsFrom(0x6f0)(toThousands("\u066c")(code))],
  "in thousands, with decimals": [["number"], (code) => `${toThousands(" ")(code)},00`],
  "in thousands, with English decimals": [["number"], (code) => `${toThousands(",")(code)}.00`],
  "in thousands, with Arabic decimals": [
    ["number"],
    (code) => toDigitsFrom(0x660)(`${toThousands("\u066c")(code)}\u066b00`),
  ],
  "as a spreadsheet shows it": [["number"], toScientific(",")],
  "as an English spreadsheet shows it": [["number"], toScientific(".")],
  "as a telephone number": [["number"], (code) => code.replace(/^(...)(...)/, "($1) $2-")],
  "in Chinese myriads": [["number"], toMyriads("亿", "万")],
  "in Korean myriads": [["number"], toMyriads("억 ", "만 ")],
  "in Chinese digits": [["number"], (code) => `错误码是${toEach("〇一二三四五六七八九")(code)}`],
  "in Chinese digits, apart": [
    ["number"],
    (code) => [...toEach("零一二三四五六七八九")(code)].join(" "),
  ],
  "in formal Chinese digits": [["number"], toEach("零壹贰叁肆伍陆柒捌玖")],
  "in Korean digits": [["number"], (code) => `오류 코드 ${toEach("공일이삼사오육칠팔구")(code)}`],
  "in negative circled digits": [["number"], toEach("⓿❶❷❸❹❺❻❼❽❾")],
  "in circled sans-serif digits": [["number"], toEach("🄋➀➁➂➃➄➅➆➇➈")],
  "at the end of a long Korean mail": [
    ["digest", "number"],
    around("결제 화면에서 오류가 계속 발생합니다. ".repeat(20)),
  ],
  "in an attribute of another name": [["digest", "number"], around('<input value="', '">')],
  "in an attribute without quotation marks": [
    ["digest", "number"],
    around("<meta content=", " x>"),
  ],
  "in an attribute of XML": [["digest", "number"], around("<error code='", "'/>")],
  "in the address of a frame": [
    HEX,
    (code) => `<iframe src="//errors.example/page.html?request_id=${toUuid(code)}"></iframe>`,
  ],
  "in two elements with classes": [
    ["digest", "number"],
    (code) => `<i class="a1">${code.slice(0, 5)}</i><i style="x:0">${code.slice(5)}</i>`,
  ],
  "in an encoded subject": [
    ["digest", "number", "event"],
    (code) => `Subject: =?utf-8?B?${btoa(`Error ${code}`)}?=`,
  ],
  "in a subject of quoted bytes": [
    ["digest"],
    (code) => `Subject: =?iso-8859-1?Q?Fehler_${code.replace("-", "=2D")}?=`,
  ],
  "in small capitals": [
    ["digest"],
    replaceEach({
      ...{ A: "ᴀ", B: "ʙ", C: "ᴄ", D: "ᴅ", E: "ᴇ", F: "ꜰ", G: "ɢ", H: "ʜ", J: "ᴊ", K: "ᴋ" },
      ...{ M: "ᴍ", N: "ɴ", P: "ᴘ", R: "ʀ", S: "ꜱ", T: "ᴛ", V: "ᴠ", W: "ᴡ", Y: "ʏ", Z: "ᴢ" },
    }),
  ],
  "with two V for W": [["digest"], replaceEach({ W: "VV" })],
  "in Lisu letters": [
    ["digest"],
    replaceEach({
      ...{ A: "ꓮ", B: "ꓐ", C: "ꓚ", D: "ꓓ", E: "ꓰ", F: "ꓝ", G: "ꓖ", H: "ꓧ", J: "ꓙ", K: "ꓗ" },
      ...{ M: "ꓟ", N: "ꓠ", P: "ꓑ", R: "ꓣ", S: "ꓢ", T: "ꓔ", V: "ꓦ", W: "ꓪ", X: "ꓫ", Y: "ꓬ" },
      Z: "ꓜ",
    }),
  ],
  "as a UUID": [HEX, toUuid],
  "as a UUID in capitals": [HEX, (code) => toUuid(code).toUpperCase()],
  "as a UUID with special dashes": [HEX, (code) => toUuid(code).replaceAll("-", "\u2011")],
  "as a UUID with en dashes": [HEX, (code) => toUuid(code).replaceAll("-", "–")],
  "as a URN": [HEX, (code) => `urn:uuid:${toUuid(code)}`],
  "as a UUID in full width": [HEX, (code) => toFullWidth(toUuid(code))],
  "as a UUID with spaces": [HEX, (code) => toUuid(code).replaceAll("-", " ")],
  "as a UUID with underscores": [HEX, (code) => toUuid(code).replaceAll("-", "_")],
  "in groups of eight": [HEX, inGroups(8, " ")],
  "in groups of four": [HEX, inGroups(4, "-")],
  "in two halves": [HEX, inGroups(16, "\n")],
  "in two halves, in a quoted mail": [HEX, (code) => `> id ${inGroups(16, "\n> ")(code)}`],
  "with O for 0, in hex": [HEX, (code) => code.replaceAll("0", "O")],
  "with l for 1, in hex": [HEX, (code) => code.replaceAll("1", "l")],
  "in a URL of Sentry": [
    ["event"],
    around("https://sentry.example/organizations/acme/issues/4411/events/", "/?project=2"),
  ],
  "in a log of Sentry": [["event"], around("[sentry] captured error, event_id=")],
  "as a traceparent": [["trace"], around("traceparent: 00-", "-b7ad6b7169203331-01")],
  "as a trace of B3": [["trace"], around("X-B3-TraceId: ")],
  "as a field of a log": [HEX, around('level=error trace_id="', '" msg=failed')],
  "in an array": [HEX, (code) => `["${code}"]`],
  "in the header cf-ray": [["ray"], around("cf-ray: ", "-FRA")],
  "in the header CF-RAY": [["ray"], (code) => `CF-RAY: ${code.toUpperCase()}-AMS`],
  "on the page of Cloudflare": [
    ["ray"],
    around("Cloudflare Ray ID: ", " • Your IP: Click to reveal • Performance & security"),
  ],
  "on the page of Cloudflare, in bold": [["ray"], around("Cloudflare Ray ID: **", "**")],
  "in the HTML of Cloudflare": [
    ["ray"],
    around('Ray ID: <strong class="font-semibold">', "</strong>"),
  ],
  "as a field of JSON": [["ray"], around('{"rayId":"', '-CDG"}')],
  "as ray_id": [["ray"], around("ray_id=")],
  "with its data center": [["ray"], around("it was ", "-FRA")],
  "in full width after a label": [["ray"], (code) => `Ray ID： ${toFullWidth(code)}`],
};

/** What finds the issue of a code: the keys of the codes. */
function toKeys(kind: Kind, code: string): readonly string[] {
  if (kind === "digest") return [`digest ${code}`];
  return kind === "event" ? [`report-id ${code}`] : [`alias ${code}`, `report-id ${code}`];
}

function listKeys(code: LookupCode): readonly string[] {
  return code.kind === "misread"
    ? code.corrections.map(({ digest }) => `digest ${digest}`)
    : [formatCodeKey(code)];
}

function findKeys(pasted: string): ReadonlySet<string> {
  const { codes, guesses } = parsePasted(pasted);
  return new Set([...codes, ...guesses].flatMap(listKeys));
}

const CASES = Object.entries(SPELLINGS).flatMap(([name, [kinds, spell]]) =>
  kinds.flatMap((kind) => CODES[kind].map((code) => ({ name, kind, code, pasted: spell(code) }))),
);

describe("a pasted code", () => {
  it("is found in all of more than 200 spellings of its kinds", () => {
    const pairs = Object.values(SPELLINGS).reduce((sum, [kinds]) => sum + kinds.length, 0);
    expect(pairs).toBeGreaterThan(200);
    const missed = CASES.filter(({ kind, code, pasted }) => {
      const keys = findKeys(pasted);
      return !toKeys(kind, code).some((key) => keys.has(key));
    });
    expect(missed.map(({ name, kind, pasted }) => `${name} (${kind}): ${pasted}`)).toEqual([]);
  });

  it("leads to no other of a hundred thousand digests and numbers", () => {
    const digests = new Set(Array.from({ length: 100_000 }, (_, n) => `digest ${toDigest(n)}`));
    const others = new Set(Array.from({ length: 100_000 }, (_, n) => `alias ${toNumber(n)}`));
    const wrong = CASES.filter(({ kind, code, pasted }) =>
      [...findKeys(pasted)].some(
        (key) => (digests.has(key) || others.has(key)) && !toKeys(kind, code).includes(key),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

/** Digests and numbers that are spread evenly. */
function toDigest(n: number): string {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, Math.imul(n + 1, 0x9e3779b1) >>> 0);
  return digestFromHash(bytes);
}

function toNumber(n: number): string {
  return String(Math.imul(n + 1, 0x85ebca6b) >>> 0);
}

describe("text without codes", () => {
  it.each([
    "please help, the page for my basket does not open since yesterday evening",
    "TypeError: Cannot read properties of undefined (reading 'total')",
    "at priceOf (/srv/shop/checkout/price.ts:39:2)\n    at async main (/srv/shop/main.ts:1200:15)",
    "Заказ не найден, попробуйте позже. ВЕРХ-НЕЕ меню",
    "余额不足，请充值后重试",
    "call 555-1234 or 0151-2345 before 2026-11-21 17:00",
    "one of the four pages is too slow, and two of them never load",
    "the price is 1.299,00 EUR for 3 items, order no. 4711",
  ])("has none that is certain: %s", (pasted) => {
    expect(parsePasted(pasted).codes).toEqual([]);
  });
});

describe("any text", () => {
  it.each([
    ..."7F3K-|7F3K |a1b2c3d4 |12345 |1,|=\n|&#x2011;|%E2%80%91|%25|\\u2011|<b>|_a_|**|> |١٣|Ａ１|\u0332|\u200b".split(
      "|",
    ),
    ..."ﷺ|Кк|seven |F as in |double |fc6d8c0c-|fc6d8c0c\n|::iad1|00-|Root=1-|^[[31m|digest: |Ray ID ".split(
      "|",
    ),
  ])("with nothing but %j is parsed in linear time", (part) => {
    const pasted = part.repeat(Math.ceil(limits.maxQueryChars / part.length));
    // About 10 ms each. A pattern that backtracks takes minutes, and the test times out.
    for (let time = 0; time < 5; time++) parsePasted(pasted);
  });

  it("never throws, and finds no more than the limits", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(...CASES.map(({ pasted }) => pasted)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
        const { codes, guesses } = parsePasted(parts.join(" "));
        expect(codes.length).toBeLessThanOrEqual(limits.maxCodesPerQuery);
        expect(guesses.length).toBeLessThanOrEqual(limits.maxGuessesPerQuery);
      }),
      { numRuns: 300 },
    );
  });

  it("any digest is found in any of its spellings within other text", () => {
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
    const spelling = fc.constantFrom(
      ...["as it is", "with an en dash", "in full width", "with a space", "bold in Markdown"],
      ...["without its dash", "letter by letter", "spelled in words", "in lower case"],
    );
    const other = fc.constantFrom("hello", "it failed", "(see below)", "Привет", "ありがとう", "");
    fc.assert(
      fc.property(hash, spelling, other, other, (bytes, name, before, after) => {
        const digest = digestFromHash(bytes);
        fc.pre(/\d/.test(digest) && /[A-Z]/.test(digest));
        const spell = SPELLINGS[name]?.[1] ?? ((code: string) => code);
        const keys = findKeys(`${before}: ${spell(digest)}. ${after}`);
        expect([...keys]).toContain(`digest ${digest}`);
      }),
      { numRuns: 500 },
    );
  });
});

/**
 * Digits as words: "dwa siedem cztery", `二七四九`, `ゼロにさん`. Pure, and linear in the length of the
 * text.
 */

/**
 * The words of the digits from zero to nine, without accents; others of the same digit after a
 * slash. What another line has is left out.
 */
const SPACED = `
zero/null/oh/nought one/wun two/too three/tree four/fower five/fife six seven eight/ait nine/niner
cero uno dos tres cuatro cinco seis siete ocho nueve
_ eins zwei/zwo drei vier funf/fuenf sechs sieben acht neun
_ un/une deux trois quatre cinq _ sept huit neuf
_ _ due tre quattro cinque sei sette otto nove
_ um/uma dois/duas _ quatro _ meia sete oito _
nul een/en twee/to drie _ vijf zes zeven _ negen
noll/nolla ett tva _ fyra/fire fem sex/seks sju/syv atta/otte nio/ni
_ yksi kaksi kolme nelja viisi kuusi seitseman kahdeksan yhdeksan
_ jeden/jedna dwa trzy cztery piec szesc siedem osiem dziewiec
nula jedan dva/dve tri ctyri/cetiri pet sest sedm/sedam osm/osam devet
ноль/нуль один два/две/дві три четыре/чотири пять шесть/шість семь/сім восемь/вісім девять
nulla egy ketto/ket harom negy ot hat het nyolc kilenc
_ unu doi trei patru cinci sase sapte opt noua
sifir bir iki uc dort bes alti yedi sekiz dokuz
khong mot hai ba bon nam sau bay tam chin
nol satu dua tiga empat lima enam tujuh delapan sembilan
μηδεν ενα δυο τρια τεσσερα πεντε εξι επτα/εφτα οκτω εννεα/εννια
صفر واحد اثنان/اثنين ثلاثة اربعة خمسة ستة سبعة ثمانية تسعة
_ یک دو سه چهار پنج شش هفت هشت نه
אפס אחת/אחד שתיים/שניים שלוש ארבע חמש שש שבע שמונה תשע
शून्य एक दो तीन चार पांच छह/छः सात आठ नौ
শূন্য এক দুই তিন চার পাঁচ ছয় সাত আট নয়
_ 하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉`;
/** The same of scripts that are also written without spaces: Han, Korean, Japanese and Thai. */
const GLUED = `
〇/○/零/洞 一/壹/壱/幺 二/贰/貳/弐/两 三/叁/參/参 四/肆 五/伍 六/陆/陸 七/柒/拐 八/捌 九/玖/勾
영/공 일 이 삼 사 오 육/륙 칠 팔 구
ぜろ/れい/まる いち に さん よん/し ご ろく なな/しち はち きゅう/く
ศูนย์ หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า`;

function listWords(table: string): readonly (readonly [word: string, digit: string])[] {
  return table
    .trim()
    .split("\n")
    .flatMap((line) => line.split(" "))
    .flatMap((words, at) => words.split("/").map((word) => [word, String(at % 10)] as const));
}

/** Each word, as `foldSpelledWord` returns it, with its digit. A word may mean two digits. */
export function listDigitWords(): readonly (readonly [word: string, digit: string])[] {
  return listWords(SPACED + GLUED).map(([word, digit]) => [foldSpelledWord(word), digit] as const);
}

/** A word in lower case without accents, so that two spellings of it are the same. */
export function foldSpelledWord(word: string): string {
  return foldKana(word)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ıłøيكةه]/g, (letter) => FOLDED_LETTERS[letter] ?? "");
}

/** Letters that no accent is split from. Some Arabic words are written without their last one. */
const FOLDED_LETTERS: Readonly<Record<string, string>> = {
  ...{ ı: "i", ł: "l", ø: "o", ي: "ی", ك: "ک" },
};

/** Katakana as Hiragana. */
function foldKana(text: string): string {
  return text.replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}

const GLUED_DIGITS: ReadonlyMap<string, string> = new Map(listWords(GLUED));
/** The longest first: none of them ends where another could go on. */
const ONE_GLUED = [...GLUED_DIGITS.keys()].toSorted((a, b) => b.length - a.length).join("|");
/** Shorter runs are amounts and years. */
const GLUED_RUN = new RegExp(`(?:(?:${ONE_GLUED})[ ,、・()-]{0,2}){7,32}`, "g");
const EACH_GLUED = new RegExp(ONE_GLUED, "g");

/** `27亿4916万3058`: numbers in groups of four digits. */
const MYRIADS = /(\d{1,2}) ?[億亿억] ?(\d{1,4}) ?[万萬만] ?(\d{1,4})(?!\d)/g;

/** `text` with numbers of East and South East Asia in the digits 0 to 9: `二七四九一六三`. */
export function foldGluedDigits(text: string): string {
  return foldKana(text)
    .replace(GLUED_RUN, (run) => ` ${run.replace(EACH_GLUED, toDigit).replace(/\D/g, "")} `)
    .replace(MYRIADS, (_, high: string, ...rest: readonly string[]) =>
      [high, ...rest.slice(0, 2).map((digits) => digits.padStart(4, "0"))].join(""),
    );
}

function toDigit(word: string): string {
  return GLUED_DIGITS.get(word) ?? "";
}

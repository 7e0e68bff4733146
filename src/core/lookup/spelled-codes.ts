/**
 * Codes that someone spelled on the telephone and someone else wrote down: "seven foxtrot three
 * kilo, quebec two mike niner", "Sieben Friedrich drei Kaufmann". Pure, and linear in the length of
 * the text.
 */

/** Spelling words by the character that they mean. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // ICAO Annex 10, volume II, 5.2.1.3, and the digits of English, German, French, Spanish.
    A: "alfa alpha able anton anna antoine",
    B: "bravo baker berta bernd berthe",
    C: "charlie caesar cäsar célestin",
    D: "delta dog dora david désiré",
    E: "echo easy emil eugène",
    F: "foxtrot fox friedrich françois",
    G: "golf george gustav gaston",
    H: "hotel how heinrich henri",
    I: "india item ida ingelheim irma",
    J: "juliett juliet jig julius joseph",
    K: "kilo king kaufmann konrad kléber",
    L: "lima love ludwig louis",
    M: "mike martha marcel",
    N: "november nan nordpol nicolas",
    O: "oscar oboe otto oscar",
    P: "papa peter paula pierre",
    Q: "quebec queen quelle quintal",
    R: "romeo roger richard raoul",
    S: "sierra sugar samuel siegfried suzanne",
    T: "tango tare theodor thérèse",
    U: "uniform uncle ulrich ursule",
    V: "victor viktor vau",
    W: "whiskey whisky william wilhelm",
    X: "xray xanthippe xaver xavier",
    Y: "yankee yoke ypsilon yvonne",
    Z: "zulu zebra zacharias zeppelin zoé zed zee",
    0: "zero null cero zéro oh nought",
    1: "one wun eins uno",
    2: "two too zwei zwo deux dos",
    3: "three tree drei trois tres",
    4: "four fower vier quatre cuatro",
    5: "five fife fünf fuenf cinq cinco",
    6: "six sechs seis",
    7: "seven sieben sept siete",
    8: "eight ait acht huit ocho",
    9: "nine niner neun neuf nueve",
  }).flatMap(([character, words]) =>
    words.split(" ").map((word) => [fold(word), character] as const),
  ),
);

/** Words between the characters, which mean none. */
const FILLERS: ReadonlySet<string> = new Set(
  "dash hyphen minus space then and capital upper lower case small letter digit number strich bindestrich dann und tiret guion".split(
    " ",
  ),
);
/** `F as in Foxtrot`: the word only confirms the letter before it. */
const CONFIRMS: ReadonlySet<string> = new Set("as in like for wie comme como".split(" "));
const REPEATS: Readonly<Record<string, number>> = { double: 2, doppel: 2, triple: 3 };

/** A code has at least this many characters as words. */
const MIN_WORDS = 3;
const MIN_CHARS = 7;
const MAX_CHARS = 36;

/** The spelled runs of characters in the text, in capitals without separators. */
export function findSpelledCodes(text: string): readonly string[] {
  const found: string[] = [];
  let code = "";
  let words = 0;
  let repeat = 1;
  let isConfirming = false;
  const end = () => {
    if (words >= MIN_WORDS && code.length >= MIN_CHARS && code.length <= MAX_CHARS)
      found.push(code);
    code = "";
    words = 0;
    repeat = 1;
    isConfirming = false;
  };
  const normalized = text.normalize("NFC").replace(/\bx-ray\b/gi, "xray");
  for (const [token] of normalized.matchAll(/[\p{L}\p{N}]+/gu)) {
    const word = fold(token);
    const character = WORDS.get(word) ?? (/^[\da-z]$/.test(word) ? word.toUpperCase() : undefined);
    if (isConfirming && !CONFIRMS.has(word)) {
      isConfirming = false;
      words += character === undefined ? 0 : 1;
      // Any word may confirm its first letter: "K as in kangaroo".
      if (character === code.at(-1) || word.startsWith(code.at(-1)?.toLowerCase() ?? " ")) continue;
    }
    if (character !== undefined) {
      if (word.length > 1) words += 1;
      code += character.repeat(repeat);
      repeat = 1;
    } else if (code !== "" && CONFIRMS.has(word)) isConfirming = true;
    else if (word in REPEATS) repeat = REPEATS[word] ?? 1;
    else if (/^\d{2,8}$/.test(word)) code += word;
    else if (!FILLERS.has(word)) end();
  }
  end();
  return found;
}

function fold(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

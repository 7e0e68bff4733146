/**
 * Tells a hash of contents in the name of a file (`index-Cepvnn19.js`) from words, versions and
 * numbers (`polyfills-es5.js`). Two files of such a name have the same contents, so the name alone
 * identifies a build. Pure, in linear time.
 *
 * The rule compares two codes for each part of a name: the bits that it takes as a word, by the
 * frequencies of pairs of letters in the names of packages, and the bits that it takes as random
 * characters of its alphabet. A hash is much cheaper as random characters. A doubtful part is none.
 */

/** True if the name of a script contains a hash of its contents. */
export function hasContentHash(name = ""): boolean {
  const stem = name
    .slice(0, MAX_CHARS)
    .replace(/\.[a-z]{2,8}$/i, "")
    .replace(NO_HASH, "");
  const [, before, packed = ""] = TURBOPACK_HASH.exec(stem) ?? [];
  const minSurplus = before === "" ? MIN_SURPLUS.wholeName : MIN_SURPLUS.long;
  if (packed !== "" && measureSurplus(packed, TURBOPACK_BITS) >= minSurplus) return true;
  return stem.split(".").some((part) => hasUrlHash(part) || part.split(NO_WORD).some(isRandom));
}

const MAX_CHARS = 300;
/** A UUID names a resource, whatever its contents. Some words have digits between letters. */
const NO_HASH =
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|i18n|l10n|g11n|a11y|k8s|e2e|c14n|w3c|p2p|b2b|neo4j|m3u8|utf8|sha[1235]\d{0,2}|html5?|css3|http[23s]?|v\d+(?:alpha|beta)\d*/gi;
const NO_WORD = /[^\da-zA-Z]+/;
/** 64 bits in base 40, as Turbopack writes them, at the end of a name, or the whole name. */
const TURBOPACK_HASH = /(^|[-_.\]])([0-4][\da-z_.~-]{12})(?:\._)?$/;
const TURBOPACK_BITS = Math.log2(40);

const MIN_HASH_CHARS = 6;
const MAX_HASH_CHARS = 64;
/** Rollup's hashes and esbuild's have 8 characters. */
const USUAL_CHARS = 8;
/** Bits by which random characters must be cheaper. */
const MIN_SURPLUS = {
  hex: 8,
  long: 12,
  capitals: 12,
  lower: 15,
  sparse: 24,
  /** A name of exactly the length of a hash, which begins with one of five digits. */
  wholeName: 4,
} as const;
/** The same for capitals and small letters, by how often their kind changes: `ListItem` twice. */
const MIN_MIXED_SURPLUS = [9, 9, 9, 6, 2] as const;
const MIN_MIXED_ALWAYS = -1;

/** True for the 8 characters of a base64url hash of Rollup with `-` or `_` at the end of a part. */
function hasUrlHash(part: string): boolean {
  const hash = part.slice(-USUAL_CHARS);
  const before = part.at(-USUAL_CHARS - 1);
  if (hash.length < USUAL_CHARS || (before !== undefined && before !== "-")) return false;
  if (!/^[\w-]+$/.test(hash) || !/[-_]/.test(hash)) return false;
  return isMixed(hash) && isMixedHash(hash);
}

/** True if letters and digits are a hash: hexadecimal, base 32, 36, 62 or 64. */
function isRandom(token: string): boolean {
  const { length } = token;
  if (length < MIN_HASH_CHARS || length > MAX_HASH_CHARS || !/[a-z]/i.test(token)) return false;
  // A digit before a letter: words and versions end in digits.
  const inner = token.match(/\d(?=[a-z])/gi)?.length ?? 0;
  const digits = token.match(/\d/g)?.length ?? 0;
  if (/^(?:[\da-f]+|[\dA-F]+)$/.test(token))
    return inner >= 1 && digits >= 2 && measureSurplus(token, 4) >= MIN_SURPLUS.hex;
  if (isMixed(token)) {
    if (length === USUAL_CHARS) return isMixedHash(token);
    return measureSurplus(token, 6) >= MIN_SURPLUS.long;
  }
  if (/[A-Z]/.test(token)) {
    const isUsual = length === USUAL_CHARS;
    if (inner < (isUsual ? 1 : 2) && !(isUsual && /^[A-Z2-7]+$/.test(token))) return false;
    return measureSurplus(token, isUsual ? 5 : Math.log2(36)) >= MIN_SURPLUS.capitals;
  }
  const surplus = measureSurplus(token, Math.log2(36));
  return surplus >= (inner >= 2 ? MIN_SURPLUS.lower : MIN_SURPLUS.sparse) && inner >= 1;
}

function isMixed(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text);
}

/** True for 8 characters of base 64 whose capitals do not begin words. */
function isMixedHash(text: string): boolean {
  const parts = text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[-_]/g)?.length ?? 0;
  return measureSurplus(text, 6) >= (MIN_MIXED_SURPLUS[parts] ?? MIN_MIXED_ALWAYS);
}

const DIGIT_BITS = Math.log2(10);
/** Bits for a capital: at the start, within a word as in `camelCase`, and after a capital. */
const CAPITAL_BITS = { start: 1.5, inner: 3, next: 1 } as const;
/** Bits for a small letter after several capitals: `XMLHttp`. */
const AFTER_CAPITALS_BITS = 2.5;

/** The bits that a text takes as a word, minus those of random characters. */
function measureSurplus(text: string, bitsPerCharacter: number): number {
  let bits = 0;
  let before = SEPARATOR;
  let capitals = 0;
  for (const character of text) {
    const symbol = toSymbol(character);
    const isCapital = character >= "A" && character <= "Z";
    const startsWord = isCapital && capitals === 0 && before !== DIGIT;
    bits += getPairBits(startsWord ? SEPARATOR : before, symbol);
    if (symbol === DIGIT) bits += DIGIT_BITS;
    else if (isCapital && capitals > 0) bits += CAPITAL_BITS.next;
    else if (isCapital) bits += before >= DIGIT ? CAPITAL_BITS.start : CAPITAL_BITS.inner;
    else if (capitals > 1 && symbol < DIGIT) bits += AFTER_CAPITALS_BITS;
    capitals = isCapital ? capitals + 1 : 0;
    before = symbol;
  }
  return bits - text.length * bitsPerCharacter;
}

/** Symbols of the table: 26 letters, any digit, anything else. */
const DIGIT = 26;
const SEPARATOR = 27;
const SYMBOLS = 28;

function toSymbol(character: string): number {
  if (character >= "0" && character <= "9") return DIGIT;
  const letter = character.toLowerCase().charCodeAt(0) - 0x61;
  return letter >= 0 && letter < DIGIT ? letter : SEPARATOR;
}

function getPairBits(first: number, second: number): number {
  return Number.parseInt(PAIR_BITS.charAt(first * SYMBOLS + second), 36) / 2;
}

/**
 * The half bits of each pair of symbols in base 36, a line for each first symbol: from the names of
 * 227,000 packages on npm.
 */
const PAIR_BITS =
  "ja69je9lbje8a7l8o686bdegbgg8" +
  "5ede6ggi8ci7gf7an89g7hlhbmd6" +
  "8keg8jk7ck78gk4eo9a5blmkemg8" +
  "6cdb4cci7i9bfg7guabgaiigeqd5" +
  "7baaceejihj997fcg579hdeafkf4" +
  "8hfh79lj4hg7ff6ho9bbalkh8nd7" +
  "9igi5hba5lnafa9gk7cg8kldhkg5" +
  "5ege4hon8hjdei7gcbf7alhnbne5" +
  "bc899b9mkhg8948ajb97iameocg7" +
  "8kii6koiamilanafaj1jbgckoodd" +
  "9cga4fdh7hjdfeagle8echjldof3" +
  "7ggb5hjm5kg9gl7cqi9b7fgnckh6" +
  "59dd5ihm7hka9g67hibibijlfod6" +
  "8ha87a7jahdfic9dlj85bdkjfkg4" +
  "bc98kfbldfb8859an5aa9cbdill8" +
  "7ged6igb8lg5eh6ap6c9blijflg6" +
  "fihggkjkejm4hihdi9cd2kekmli8" +
  "7hcb4gfl8jceae7ekc99cchjaqh4" +
  "be9b6eja9keacf9afh86ddehcqf3" +
  "8ich6gja6gkedj7eq89bdlgk9mh4" +
  "bbcb7e6o7nj797i9q886gkoanjnb" +
  "6idi3gbi5mjjejciqibd6ljkjsa8" +
  "6icd4hhc5mgeh87eq97diokihph7" +
  "dhcg9iggagldblc6rge4gklibm83" +
  "bbdfbcekggi8b9b5mf9bfielngj2" +
  "7ieh3hif8iebej6hseeh8jig9af7" +
  "cccbdcjjieijhbjeqiggijihfl32" +
  "89799aababe999c7f878aabfihfj";

/**
 * Corrects the codewords of a QR code (ISO/IEC 18004 § 7.5, § 11): Reed-Solomon over GF(256) with
 * the polynomial x⁸ + x⁴ + x³ + x² + 1 and the generator α = 2.
 */
const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power++) {
  EXP[power] = value;
  EXP[power + 255] = value;
  LOG[value] = power;
  value = value & 0x80 ? (value << 1) ^ 0x11d : value << 1;
}

const multiply = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : (EXP[(LOG[a] ?? 0) + (LOG[b] ?? 0)] ?? 0);
const invert = (a: number): number => EXP[255 - (LOG[a] ?? 0)] ?? 0;

/** The value of a polynomial, whose first coefficient is that of the highest power. */
function evaluate(polynomial: readonly number[] | Uint8Array, x: number): number {
  let value = 0;
  for (const coefficient of polynomial) value = multiply(value, x) ^ coefficient;
  return value;
}

/**
 * The data of a block without its `checkWords` last words, corrected; undefined if more than half
 * as many words as `checkWords` are wrong.
 */
export function correctBlock(block: Uint8Array, checkWords: number): Uint8Array | undefined {
  const syndromes = Array.from({ length: checkWords }, (_, n) => evaluate(block, EXP[n] ?? 0));
  const data = () => block.slice(0, block.length - checkWords);
  if (syndromes.every((syndrome) => syndrome === 0)) return data();
  const locator = findLocator(syndromes);
  const errors = locator.length - 1;
  if (errors * 2 > checkWords) return undefined;
  const places = Array.from(block.keys()).filter(
    (place) => evaluate(locator.toReversed(), invert(EXP[block.length - 1 - place] ?? 0)) === 0,
  );
  if (places.length !== errors) return undefined;
  const corrected = block.slice();
  const evaluator = syndromes.map((_, n) =>
    syndromes
      .slice(0, n + 1)
      .reduce((sum, syndrome, k) => sum ^ multiply(syndrome, locator[n - k] ?? 0), 0),
  );
  for (const place of places) {
    const root = invert(EXP[block.length - 1 - place] ?? 0);
    // Forney's algorithm: the formal derivative has the odd coefficients only.
    const derivative = locator.reduce(
      (sum, coefficient, power) =>
        power % 2 === 1 ? sum ^ multiply(coefficient, raise(root, power - 1)) : sum,
      0,
    );
    const value = evaluator.reduce((sum, one, power) => sum ^ multiply(one, raise(root, power)), 0);
    const magnitude = multiply(multiply(value, invert(derivative)), invert(root));
    corrected[place] = (corrected[place] ?? 0) ^ magnitude;
  }
  const isRight = syndromes.every((_, n) => evaluate(corrected, EXP[n] ?? 0) === 0);
  return isRight ? corrected.slice(0, block.length - checkWords) : undefined;
}

function raise(base: number, power: number): number {
  let value = 1;
  for (let n = 0; n < power; n++) value = multiply(value, base);
  return value;
}

/** Berlekamp and Massey: the error locator, the constant coefficient first. */
function findLocator(syndromes: readonly number[]): readonly number[] {
  let locator = [1];
  let previous = [1];
  let shift = 1;
  let scale = 1;
  let length = 0;
  for (const [n] of syndromes.entries()) {
    const discrepancy = locator.reduce(
      (sum, coefficient, k) => sum ^ multiply(coefficient, syndromes[n - k] ?? 0),
      0,
    );
    if (discrepancy === 0) {
      shift++;
      continue;
    }
    const factor = multiply(discrepancy, invert(scale));
    const next = Array.from(
      { length: Math.max(locator.length, previous.length + shift) },
      (_, k) => (locator[k] ?? 0) ^ multiply(factor, previous[k - shift] ?? 0),
    );
    if (2 * length <= n) {
      length = n + 1 - length;
      previous = locator;
      scale = discrepancy;
      shift = 1;
    } else shift++;
    locator = next;
  }
  while (locator.length > 1 && locator.at(-1) === 0) locator.pop();
  return locator;
}

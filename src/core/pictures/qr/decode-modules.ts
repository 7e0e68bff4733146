/**
 * The text of a QR code from its modules (ISO/IEC 18004:2015 § 7, § 12), for versions 1 to 10: up
 * to 271 bytes. The address of a receipt needs version 2 to 4.
 */
import { correctBlock } from "./reed-solomon.ts";

/** True for dark; `size` modules at each side, without the quiet zone. */
export interface Modules {
  readonly size: number;
  readonly isDark: (x: number, y: number) => boolean;
}

export const MAX_VERSION = 10;
const TOTAL_WORDS = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346] as const;
/** By level and version: the check words of a block, and the blocks. */
const LEVELS: Readonly<
  Record<number, { readonly checkWords: readonly number[]; readonly blocks: readonly number[] }>
> = {
  // The keys are the two bits of the format: L, M, Q, H.
  1: {
    checkWords: [7, 10, 15, 20, 26, 18, 20, 24, 30, 18],
    blocks: [1, 1, 1, 1, 1, 2, 2, 2, 2, 4],
  },
  0: {
    checkWords: [10, 16, 26, 18, 24, 16, 18, 22, 22, 26],
    blocks: [1, 1, 1, 2, 2, 4, 4, 4, 5, 5],
  },
  3: {
    checkWords: [13, 22, 18, 26, 18, 24, 18, 22, 20, 24],
    blocks: [1, 1, 2, 2, 4, 4, 6, 6, 8, 8],
  },
  2: {
    checkWords: [17, 28, 22, 16, 22, 28, 26, 26, 24, 28],
    blocks: [1, 1, 2, 4, 4, 4, 5, 6, 8, 8],
  },
};
const ALIGNMENT: readonly (readonly number[])[] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

/** The text; undefined if the modules are no QR code, or one that is too damaged. */
export function decodeModules(modules: Modules): string | undefined {
  const version = (modules.size - 17) / 4;
  const format = readFormat(modules);
  const totalWords = TOTAL_WORDS[version - 1];
  if (format === undefined || totalWords === undefined) return undefined;
  const words = readWords(modules, version, format & 7).slice(0, totalWords);
  const data = correctWords(words, version, format >> 3);
  return data && decodeText(data, version);
}

/** The level (2 bits) and the mask (3 bits), of the copy that differs least from a valid one. */
function readFormat({ size, isDark }: Modules): number | undefined {
  const first: boolean[] = [];
  const second: boolean[] = [];
  for (let n = 0; n < 15; n++) {
    // Around the finder at the upper left, from the top right to the lower left, least bit first.
    const [x, y] = n < 6 ? [8, n] : n < 8 ? [8, n + 1] : n === 8 ? [7, 8] : ([14 - n, 8] as const);
    first.push(isDark(x ?? 0, y ?? 0));
    second.push(n < 8 ? isDark(size - 1 - n, 8) : isDark(8, size - 15 + n));
  }
  let best: { readonly format: number; readonly distance: number } | undefined;
  for (let format = 0; format < 32; format++) {
    const valid = encodeFormat(format);
    for (const bits of [first, second]) {
      const distance = bits.filter((bit, n) => bit !== (((valid >> n) & 1) === 1)).length;
      if (distance <= 3 && (best === undefined || distance < best.distance))
        best = { format, distance };
    }
  }
  return best?.format;
}

function encodeFormat(format: number): number {
  let rest = format;
  for (let n = 0; n < 10; n++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  return ((format << 10) | rest) ^ 0x5412;
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The codewords in the order in which they are drawn: in columns of two, up and down. */
function readWords({ size, isDark }: Modules, version: number, mask: number): Uint8Array {
  const isMasked = MASKS[mask] as (x: number, y: number) => boolean;
  const bits: number[] = [];
  for (let right = size - 1; right >= 1; right -= 2) {
    // The column of the timing pattern has no data.
    const column = right <= 6 ? right - 1 : right;
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = isUpward ? size - 1 - step : step;
      for (const x of [column, column - 1])
        if (!isFunction(x, y, size, version)) bits.push(Number(isDark(x, y) !== isMasked(x, y)));
    }
  }
  const words = new Uint8Array(bits.length >> 3);
  for (const [n] of words.entries())
    words[n] = bits.slice(8 * n, 8 * n + 8).reduce((sum, bit) => (sum << 1) | bit, 0);
  return words;
}

/** True for finders, formats, timing, alignment and version: modules without data. */
function isFunction(x: number, y: number, size: number, version: number): boolean {
  if ((x < 9 && y < 9) || (x < 9 && y >= size - 8) || (x >= size - 8 && y < 9)) return true;
  if (x === 6 || y === 6) return true;
  if (version >= 7 && ((x < 6 && y >= size - 11) || (y < 6 && x >= size - 11))) return true;
  const centers = ALIGNMENT[version - 1] ?? [];
  const last = centers.at(-1);
  return centers.some((row) =>
    centers.some((column) => {
      const isFinder =
        (row === 6 && (column === 6 || column === last)) || (row === last && column === 6);
      return !isFinder && Math.abs(x - column) <= 2 && Math.abs(y - row) <= 2;
    }),
  );
}

/** The data of all blocks, which are interleaved, corrected. */
function correctWords(words: Uint8Array, version: number, level: number): Uint8Array | undefined {
  const blocks = LEVELS[level]?.blocks[version - 1] ?? 0;
  const checkWords = LEVELS[level]?.checkWords[version - 1] ?? 0;
  const shortWords = Math.floor(words.length / blocks) - checkWords;
  const shortBlocks = blocks - (words.length % blocks);
  const dataWords = words.length - blocks * checkWords;
  const data: number[] = [];
  for (let block = 0; block < blocks; block++) {
    const own: number[] = [];
    for (let n = 0; n < shortWords; n++) own.push(words[n * blocks + block] ?? 0);
    if (block >= shortBlocks) own.push(words[shortWords * blocks + block - shortBlocks] ?? 0);
    for (let n = 0; n < checkWords; n++) own.push(words[dataWords + n * blocks + block] ?? 0);
    const corrected = correctBlock(Uint8Array.from(own), checkWords);
    if (corrected === undefined) return undefined;
    data.push(...corrected);
  }
  return Uint8Array.from(data);
}

const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

/** Numbers, capitals and bytes in UTF-8; undefined for other encodings, such as Kanji. */
function decodeText(data: Uint8Array, version: number): string | undefined {
  let at = 0;
  const read = (bits: number): number => {
    let value = 0;
    for (let n = 0; n < bits; n++, at++)
      value = (value << 1) | (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  const isLong = version >= 10;
  let text = "";
  while (at + 4 <= data.length * 8) {
    const mode = read(4);
    if (mode === 0) return text;
    if (mode === 1) {
      let left = read(isLong ? 12 : 10);
      for (; left >= 3; left -= 3) text += `${read(10)}`.padStart(3, "0");
      if (left > 0) text += `${read(left === 2 ? 7 : 4)}`.padStart(left, "0");
    } else if (mode === 2) {
      let left = read(isLong ? 11 : 9);
      for (; left >= 2; left -= 2) {
        const pair = read(11);
        text += ALPHANUMERIC.charAt(pair / 45) + ALPHANUMERIC.charAt(pair % 45);
      }
      if (left > 0) text += ALPHANUMERIC.charAt(read(6));
    } else if (mode === 4) {
      const length = read(isLong ? 16 : 8);
      if (at + 8 * length > data.length * 8) return undefined;
      text += new TextDecoder().decode(Uint8Array.from({ length }, () => read(8)));
    } else if (mode === 7) read(8);
    else return undefined;
  }
  return text;
}

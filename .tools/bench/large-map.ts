// A source map of 26 MB, the same at each run: 970,000 segments on 20 lines, 589 sources with 19 MB
// of text, 54,000 names. That is the size of a large application in one bundle.

import { SeededRandom } from "../../src/core/sample/seeded-random.ts";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SOURCES = 589;
const SOURCE_CHARS = 32_000;
const SEGMENTS = 970_000;
export const LARGE_MAP_LINES = 20;
const WORDS = 4_000;
const NAMES = 54_000;
/** Columns of one segment: 5 on average, so that a line has 240,000. */
const MAX_SEGMENT_COLUMNS = 9;
export const LARGE_MAP_COLUMNS = (SEGMENTS / LARGE_MAP_LINES) * 5;

/** The map as JSON, `factor` times as large. */
export function createLargeMap(factor = 1): Uint8Array<ArrayBuffer> {
  const random = new SeededRandom("large map");
  const next = (below: number) => random.nextInt(below);
  const names = Array.from({ length: NAMES }, (_, index) => `${chooseLetter(index)}dent${index}`);
  const sources = Math.round(SOURCES * factor);
  const texts = Array.from({ length: sources }, () => createText(next, names));
  const map = {
    version: 3,
    sources: texts.map((_, index) => `webpack://shop/./src/folder${index % 40}/file${index}.ts`),
    sourcesContent: texts,
    names,
    mappings: createMappings(next, Math.round(SEGMENTS * factor), sources),
  };
  return Uint8Array.from(Buffer.from(JSON.stringify(map)));
}

function chooseLetter(index: number): string {
  return DIGITS.charAt(index % 52);
}

function createText(next: (below: number) => number, names: readonly string[]): string {
  const pickWord = () => names[next(WORDS)];
  const chars = SOURCE_CHARS * 0.2 + next(SOURCE_CHARS * 1.6);
  let text = "";
  while (text.length < chars) {
    const indent = "  ".repeat(next(4));
    text += `${indent}const ${pickWord()} = ${pickWord()}(${pickWord()}, "${pickWord()}");\n`;
  }
  return text;
}

function createMappings(
  next: (below: number) => number,
  segments: number,
  sources: number,
): string {
  const parts: string[] = [];
  const last = [0, 0, 0, 0, 0];
  const append = (field: number, value: number) => {
    parts.push(encode(value - (last[field] ?? 0)));
    last[field] = value;
  };
  const perLine = Math.ceil(segments / LARGE_MAP_LINES);
  for (let index = 0; index < segments; index++) {
    if (index > 0) parts.push(index % perLine === 0 ? ";" : ",");
    if (index % perLine === 0) last[0] = 0;
    const source = Math.floor((index / segments) * sources);
    const isSameSource = source === last[1];
    append(0, (last[0] ?? 0) + 1 + next(MAX_SEGMENT_COLUMNS));
    append(1, source);
    append(2, isSameSource ? (last[2] ?? 0) + (next(5) === 0 ? 1 : 0) : 0);
    append(3, next(80));
    if (next(4) === 0) append(4, next(NAMES));
  }
  return parts.join("");
}

/** A number in base64 VLQ. */
function encode(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = "";
  do {
    const digit = rest % 32;
    rest = Math.floor(rest / 32);
    text += DIGITS.charAt(digit + (rest > 0 ? 32 : 0));
  } while (rest > 0);
  return text;
}

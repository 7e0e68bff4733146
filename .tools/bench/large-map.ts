// A source map of 26 MB, the same at each run: 970,000 segments on 20 lines, 589 sources with 19 MB
// of text, 54,000 names. That is the size of a large application in one bundle.

import { SeededRandom } from "../../src/core/sample/seeded-random.ts";
import { encodeMappings } from "../../tests/support/source-maps/random-maps.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
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
  const names = Array.from(
    { length: NAMES },
    (_, index) => `${LETTERS.charAt(index % LETTERS.length)}dent${index}`,
  );
  const sources = Math.round(SOURCES * factor);
  const texts = Array.from({ length: sources }, () => createText(next, names));
  const map = {
    version: 3,
    sources: texts.map((_, index) => `webpack://shop/./src/folder${index % 40}/file${index}.ts`),
    sourcesContent: texts,
    names,
    mappings: encodeMappings(createSegments(next, Math.round(SEGMENTS * factor), sources)),
  };
  return Uint8Array.from(Buffer.from(JSON.stringify(map)));
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

/** Segments with consecutive lines of the sources in turn, and a name for every fourth. */
function createSegments(next: (below: number) => number, segments: number, sources: number) {
  const perLine = Math.ceil(segments / LARGE_MAP_LINES);
  let source = -1;
  let line = 0;
  return Array.from({ length: LARGE_MAP_LINES }, (_, nth) => {
    let column = 0;
    return Array.from({ length: Math.min(perLine, segments - nth * perLine) }, (_, index) => {
      const current = Math.floor(((nth * perLine + index) / segments) * sources);
      if (current !== source) line = 0;
      else if (next(5) === 0) line++;
      source = current;
      column += 1 + next(MAX_SEGMENT_COLUMNS);
      const place = [column, source, line, next(80)];
      if (next(4) > 0) return place;
      return [...place, next(NAMES)];
    });
  });
}

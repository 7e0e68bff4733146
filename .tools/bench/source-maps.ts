// The cost of source maps: converting one of 26 MB, resolving a stack with it, and parsing sources
// for the names of functions. Runs the code of a project's object without its database, in a new
// Node for each measurement: `source-maps.ts <case> <folder of sources>` prints the figures as JSON.
// bench.ts copies this file into another revision to measure it.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SeededRandom } from "../../src/core/sample/seeded-random.ts";
import { concat, toByteRange } from "../../src/core/symbolication/codec.ts";
import { type CompactMap, openCompactMap } from "../../src/core/symbolication/compact-map.ts";
import { convertMap } from "../../src/core/symbolication/convert-map.ts";
import {
  decodeFunctionTable,
  type FunctionTable,
} from "../../src/core/symbolication/names/function-table.ts";
import { nameFunctions } from "../../src/core/symbolication/names/parse-source.ts";
import { readParsedText } from "../../src/core/symbolication/parse-functions.ts";
import type { SentFrame } from "../../src/core/symbolication/resolution.ts";
import { resolveStack } from "../../src/core/symbolication/resolve-stack.ts";
import { rawDeflate } from "../../src/store/artifacts/tables/raw-deflate.ts";
import { encodeMappings } from "../../tests/support/source-maps/random-maps.ts";

/** Stacks per figure, and those before them, during which the engine compiles code. */
const STACKS = 40;
const WARM_UP_STACKS = 20;

/** `warm` has blocks and functions in memory, `cold` has none, `new` has never parsed a source. */
type State = "new" | "cold" | "warm";

let converted: Uint8Array = new Uint8Array();
let open: CompactMap | null = null;
/** The functions of sources as the database has them, and in memory. */
const stored = new Map<number, Uint8Array | null>();
const known = new Map<number, FunctionTable | null>();

function readFunctions(source: number) {
  const inMemory = known.get(source);
  if (inMemory !== undefined || open === null) return inMemory ?? null;
  let bytes = stored.get(source);
  if (bytes === undefined) {
    const text = readParsedText(open, source);
    const table = text === null ? null : nameFunctions(open.getSource(source).name ?? "", text);
    bytes = table && rawDeflate.deflate(Buffer.from(JSON.stringify(table)));
    stored.set(source, bytes);
  }
  const json = bytes && rawDeflate.inflate(bytes, 4_000_000);
  const table = json && decodeFunctionTable(JSON.parse(Buffer.from(json).toString()));
  known.set(source, table);
  return table;
}

/** Converts the bytes of a map. Returns the CPU time in ms. */
function convert(bytes: Uint8Array): number {
  const before = process.cpuUsage();
  const result = convertMap(bytes, null, rawDeflate);
  if (!result.ok) throw new Error(result.detail);
  converted = concat(result.value.parts);
  return toMs(process.cpuUsage(before));
}

/** Resolves a stack with the converted map. Returns the CPU time in ms. */
function resolve(frames: readonly SentFrame[], state: State): number {
  const before = process.cpuUsage();
  if (state === "new") stored.clear();
  if (state !== "warm") {
    open = null;
    known.clear();
  }
  open ??= openCompactMap(toByteRange(converted), rawDeflate);
  if (open === null) throw new Error("The converted map cannot be opened.");
  const found = { map: open, readFunctions, matchedBy: "debug-id" } as const;
  const resolved = resolveStack(
    frames,
    frames.map(() => found),
  );
  const failed = resolved.filter(({ kind }) => kind !== "resolved").length;
  if (failed > 0) throw new Error(`${failed} of ${frames.length} frames are not resolved.`);
  return toMs(process.cpuUsage(before));
}

function toBytes(map: object) {
  return Uint8Array.from(Buffer.from(JSON.stringify(map)));
}

function toMs({ user, system }: NodeJS.CpuUsage) {
  return (user + system) / 1000;
}

function measureStacks(state: State, next: () => SentFrame[]) {
  for (let n = 0; n < WARM_UP_STACKS; n++) resolve(next(), state);
  let ms = 0;
  for (let n = 0; n < STACKS; n++) ms += resolve(next(), state);
  return ms / STACKS;
}

// The map of 26 MB: the size of a large application in one bundle.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SOURCES = 589;
const SOURCE_CHARS = 32_000;
const SEGMENTS = 970_000;
const LINES = 20;
const PER_LINE = SEGMENTS / LINES;
const WORDS = 4_000;
const NAMES = 54_000;
/** Columns of one segment: 5 on average, so that a line has 240,000. */
const MAX_SEGMENT_COLUMNS = 9;
const FRAMES = 50;
const FIRST_COLUMN = 20;
/** The columns of a line with the frames of one place: less than the code of one source has. */
const PLACE_COLUMNS = Math.floor((PER_LINE * 5) / 40);

function measureLarge() {
  const random = new SeededRandom("large map");
  const next = (below: number) => random.nextInt(below);
  const map = toBytes(createLargeMap(next));
  globalThis.gc?.();
  // proc_pid_clear_refs(5)
  writeFileSync("/proc/self/clear_refs", "5");
  const before = process.memoryUsage.rss();
  const convertMs = convert(map);
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  /** Frames at places all over the map, in one of the sources of each line. */
  const createStack = () =>
    Array.from({ length: FRAMES }, () => {
      const line = 1 + next(LINES);
      // Nothing is mapped before the first segment of a line.
      const first = FIRST_COLUMN + ((line * 7) % LINES) * PLACE_COLUMNS;
      return { file: "app.js", line, column: first + next(PLACE_COLUMNS) };
    });
  const coldMs = measureStacks("cold", createStack);
  const stack = createStack();
  return {
    [`${FRAMES} frames, map of 26 MB, blocks read before (≤ 10 ms)`]: measureStacks(
      "warm",
      () => stack,
    ),
    [`${FRAMES} frames, map of 26 MB, no block read before (≤ 40 ms)`]: coldMs,
    "conversion of 26 MB (≤ 1,000 ms)": convertMs,
    "MB above the start of the conversion": (Number(peak) * 1024 - before) / 1e6,
  };
}

function createLargeMap(next: (below: number) => number) {
  const names = Array.from(
    { length: NAMES },
    (_, n) => `${LETTERS.charAt(n % LETTERS.length)}dent${n}`,
  );
  const pickWord = () => names[next(WORDS)];
  const createText = () => {
    const chars = SOURCE_CHARS * 0.2 + next(SOURCE_CHARS * 1.6);
    let text = "";
    while (text.length < chars) {
      const indent = "  ".repeat(next(4));
      text += `${indent}const ${pickWord()} = ${pickWord()}(${pickWord()}, "${pickWord()}");\n`;
    }
    return text;
  };
  let source = -1;
  let line = 0;
  // Consecutive lines of the sources in turn, and a name for every fourth segment.
  const segments = Array.from({ length: LINES }, (_, nth) => {
    let column = 0;
    return Array.from({ length: PER_LINE }, (_, index) => {
      const current = Math.floor(((nth * PER_LINE + index) / SEGMENTS) * SOURCES);
      if (current !== source) line = 0;
      else if (next(5) === 0) line++;
      source = current;
      column += 1 + next(MAX_SEGMENT_COLUMNS);
      const place = [column, source, line, next(80)];
      return next(4) > 0 ? place : [...place, next(NAMES)];
    });
  });
  return {
    version: 3,
    sources: Array.from({ length: SOURCES }, (_, n) => `src/folder${n % 40}/file${n}.ts`),
    sourcesContent: Array.from({ length: SOURCES }, createText),
    names,
    mappings: encodeMappings(segments),
  };
}

/** Sources of this size, in bytes, whose functions are not known yet. */
const NAMED_SOURCES = 6;
const NAMED_SOURCE_BYTES = 10_000;

function measureNames(folder: string) {
  const getDistance = (text: string) => Math.abs(Buffer.byteLength(text) - NAMED_SOURCE_BYTES);
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name: `../src/${name}`, text: readFileSync(join(folder, name), "utf8") }))
    .sort((a, b) => getDistance(a.text) - getDistance(b.text))
    .slice(0, NAMED_SOURCES);
  const map = {
    version: 3,
    sources: sources.map(({ name }) => name),
    sourcesContent: sources.map(({ text }) => text),
    names: [],
    mappings: encodeMappings(sources.map((_, n) => [[0, n, 100, 4]])),
  };
  convert(toBytes(map));
  const stack = sources.map((_, n) => ({ file: "app.js", line: n + 1, column: 1 }));
  const title = `${NAMED_SOURCES} frames in ${NAMED_SOURCES} sources of 10 kB`;
  return {
    [`${title}, all parsed, first use of the parser`]: resolve(stack, "new"),
    "the same, the parser was used before (≤ 80 ms)": measureStacks("new", () => stack),
    "the same, functions stored": measureStacks("cold", () => stack),
  };
}

const [, , name, folder = ""] = process.argv;
console.log(JSON.stringify(name === "stack-names" ? measureNames(folder) : measureLarge()));

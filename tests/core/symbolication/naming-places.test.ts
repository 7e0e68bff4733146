// Frames that call a function where it is written, or where a tool has moved it to. Their column
// has no segment, so that the map leads into that function. Each calls `probe` in its function.

import { decodedMappings, TraceMap } from "@jridgewell/trace-mapping";
import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { parseFunctions } from "#src/core/symbolication/function-ranges.ts";
import { nameFunctions } from "#src/core/symbolication/names/parse-source.ts";
import { createFunctionReader } from "#src/core/symbolication/parse-functions.ts";
import { resolveStack } from "#src/core/symbolication/resolve-stack.ts";
import { openMap } from "#support/source-maps/open-map.ts";
import { encodeMappings } from "#support/source-maps/random-maps.ts";

interface Options {
  readonly target?: string;
  readonly keepNames?: boolean;
  /** Leaves out the segments of the call: its arguments and its end. */
  readonly withoutCall?: boolean;
}

const PROBE = 'probe("here")';
/** A build that leaves the function where it is. */
const NOT_IN_PLACE = "not in place";

/** The name of the frame that calls the function with `probe`. */
function findCaller(source: string, { withoutCall, ...options }: Options) {
  const { code, map } = transformSync(source, {
    ...{ loader: "ts", minify: true, sourcemap: "external", sourcefile: "src/app.ts" },
    ...options,
  });
  const call = /[})]\)(?=\()|\}(?=\()/g;
  call.lastIndex = code.indexOf(PROBE) + PROBE.length;
  if (call.exec(code) === null) return NOT_IN_PLACE;
  const segments = decodedMappings(new TraceMap(map))[0] ?? [];
  const kept = segments.filter(
    ([column]) => !withoutCall || column < call.lastIndex || column > call.lastIndex + 2,
  );
  const mappings = encodeMappings([kept as [number, number, number, number][]]);
  const json = { ...JSON.parse(map), names: [], mappings, sourcesContent: [source] };
  const compact = openMap(json, parseFunctions(code));
  const readFunctions = createFunctionReader(compact, nameFunctions);
  const found = { map: compact, readFunctions, matchedBy: "release" } as const;
  const frame = { file: "app.js", line: 1, column: call.lastIndex + 1, function: "n" };
  const [resolved] = resolveStack([frame], [found]);
  return resolved?.kind === "resolved" ? resolved.function : "unmapped";
}

const IIFE = '(() => { for (const q of [1]) probe("here"); })();';

/** In each, `outer` calls the function. */
const CASES: Readonly<Record<string, string>> = {
  "nothing else": `export function outer() { ${IIFE} }`,
  "a function that is called once": `export function outer() {
    const inl = () => { probe("other"); }; inl();
    ${IIFE}
  }`,
  "two functions that are called once": `export function outer() {
    const a = () => { probe("a"); }; const b = () => { probe("b"); }; a(); b();
    ${IIFE}
  }`,
  "a class": `export function outer() {
    class Local { constructor() { this.go(); } go() { probe("go"); } }
    ${IIFE}
    new Local();
  }`,
  "a function in a block": `export function outer() {
    try { helper(); function helper() { for (const q of [1]) probe("here"); } } finally {}
  }`,
  "a declaration that is called above": `export function outer() {
    label: { const f = function () { probe("here"); inner(); };
    function inner() { probe("inner"); } f(); break label; }
  }`,
  "an enumeration": `export function outer() {
    enum Color { Red, Green }
    const pick = (c: Color) => { if (c) { probe("here"); } return c; };
    pick(Color.Green);
  }`,
  "a method": `export const api = { outer() { const inl = () => { probe("a"); }; inl(); ${IIFE} } };`,
  "a function after it": `export function outer() {
    ${IIFE}
    const inl = () => { probe("other"); }; inl();
  }`,
};

const BUILDS: readonly Options[] = [
  { target: "es2022" },
  { target: "es2016" },
  { target: "es2020", keepNames: true },
];

describe("a frame that calls a function in place", () => {
  const rows = Object.entries(CASES).map(([title, source]) => ({ title, source }));

  it.each(rows)("has the name of the function around the call: $title", ({ source }) => {
    const names = BUILDS.map((options) => findCaller(source, options));
    expect(names[0]).toBe("outer");
    expect(new Set(["outer", NOT_IN_PLACE, ...names]).size).toBe(2);
  });

  it.each(rows)("has no other name if the map leaves out the call: $title", ({ source }) => {
    for (const options of BUILDS) {
      const name = findCaller(source, { ...options, withoutCall: true });
      expect([undefined, "outer", NOT_IN_PLACE]).toContain(name);
    }
  });
});

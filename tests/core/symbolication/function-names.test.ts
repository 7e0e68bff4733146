// The names that the map states for the functions of a minified script. They serve where the text
// of a source is absent or cannot be parsed. Each function calls `probe` with its own name.

import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { parseFunctions } from "#src/core/symbolication/function-ranges.ts";
import { nameFunctions } from "#src/core/symbolication/names/parse-source.ts";
import { createFunctionReader } from "#src/core/symbolication/parse-functions.ts";
import { resolveStack } from "#src/core/symbolication/resolve-stack.ts";
import { openMap } from "#support/source-maps/open-map.ts";

interface Options {
  readonly keepNames?: boolean;
  readonly target?: string;
  /** Looks up each nth name only. */
  readonly nth?: number;
  /** Changes the text of the source in the map. */
  readonly toText?: (text: string) => string | null;
}

/** The names at each `probe("name")` of the minified script. */
function findNames(source: string, { nth = 1, toText = (text) => text, ...options }: Options = {}) {
  const { code, map } = transformSync(source, {
    loader: "ts",
    minify: true,
    charset: "utf8",
    sourcemap: "external",
    sourcefile: "src/app.ts",
    ...options,
  });
  const functions = parseFunctions(code);
  if (functions === null) throw new Error("The script cannot be parsed.");
  const compact = openMap({ ...JSON.parse(map), sourcesContent: [toText(source)] }, functions);
  const readFunctions = createFunctionReader(compact, nameFunctions);
  const found = { map: compact, readFunctions, matchedBy: "release" } as const;
  const lineStart = (index: number) => code.lastIndexOf("\n", index) + 1;
  const probes = [...code.matchAll(/probe\("([^"]+)"\)/g)].filter((_, n) => n % nth === 0);
  return probes.map(({ 1: expected, index }) => {
    const line = code.slice(0, index).split("\n").length;
    const frame = { file: "app.js", line, column: index - lineStart(index) + 1 };
    const [resolved] = resolveStack([frame], [found], { withoutLines: true });
    const name = resolved?.kind === "resolved" ? resolved.function : undefined;
    return { expected, found: name ?? null };
  });
}

const SOURCE = `
probe("<module>");
export function pay(names: string[]) { probe("pay"); return names; }
export const total = (names: string[]): number => { probe("total"); return names.length; };
export const typed: (a: number) => number = (a) => { probe("typed"); return a; };
const onPress = function () { probe("onPress"); };
addEventListener("click", function handleClick() { probe("handleClick"); });
addEventListener("blur", () => { probe("<anonymous>"); });
export const named = function inner(depth: number) { probe("inner"); if (depth) inner(depth - 1); };
export default async function checkout() { probe("checkout"); await 0; probe("checkout"); }
export const api = {
  alpha() { probe("alpha"); },
  beta: () => { probe("beta"); },
  "say-it"() { probe("say-it"); },
  get zeta() { probe("zeta"); return 1; },
  async *epsilon() { probe("epsilon"); },
  [Symbol.iterator]() { probe("[Symbol.iterator]"); },
  async() { probe("async"); },
  onPress,
};
export class Money {
  #cents: number;
  constructor(cents: number) { probe("new Money"); this.#cents = cents; }
  static parse(text: string) { probe("Money.parse"); return [text].map((one) => { probe("<anonymous>"); return one; }); }
  get cents() { probe("Money.cents"); return this.#cents; }
  #hidden() { probe("Money.#hidden"); }
  show = () => { probe("Money.show"); this.#hidden(); };
}
export const Base = class { hello() { probe("Base.hello"); } };
Money.prototype.go = function () { probe("go"); };
export const curry = (x: number) => (y: number) => { probe("<anonymous>"); return x + y; };
export function größe() { probe("größe"); }
const { late = () => { probe("late"); } } = globalThis.options;
export { late };
`;

/** Without the text, a method may be named without its class. */
const listWrong = (names: ReturnType<typeof findNames>) =>
  names.filter(
    ({ expected, found }) =>
      found !== null && found !== expected && !expected?.endsWith(`.${found}`),
  );
const countRight = (names: ReturnType<typeof findNames>) =>
  names.filter(({ expected, found }) => found === expected).length;

describe("the names of functions", () => {
  it.each([{}, { keepNames: true }, { target: "es2016" }])(
    "are those of the source, minified with %o",
    (options) => {
      const names = findNames(SOURCE, options);
      expect(names.length).toBeGreaterThan(25);
      expect(names.filter(({ expected, found }) => found !== expected)).toEqual([]);
    },
  );

  const texts = [
    { text: "no text", toText: () => null },
    { text: "a text that is not of the language", toText: (text: string) => `${text}\n(` },
  ];
  it.each(texts)("are right or absent with $text", ({ toText }) => {
    for (const options of [{}, { keepNames: true }, { target: "es2016" }]) {
      const names = findNames(SOURCE, { ...options, toText });
      expect(listWrong(names)).toEqual([]);
      expect(countRight(names)).toBeGreaterThanOrEqual(10);
    }
  });

  it("are not those that a tool makes for classes which refer to themselves", () => {
    const source = `export class Money {
      static #rates = 1; static rates = () => { probe("Money.rates"); return Money.#rates; };
      #cents = 2; constructor() { probe("new Money"); new Money().#cents; }
      add() { probe("Money.add"); return Money.rates; }
    }`;
    for (const target of ["es2016", "es2020", "es2022"]) {
      expect(listWrong(findNames(source, { target, toText: () => null }))).toEqual([]);
      expect(countRight(findNames(source, { target }))).toBe(3);
    }
  });

  it("are none for an empty key", () => {
    const source = `export const api = { ""() { probe("<anonymous>"); } };
      export class Api { ""() { probe("Api.<anonymous>"); } }`;
    for (const toText of [() => null, (text: string) => text])
      expect(listWrong(findNames(source, { toText }))).toEqual([]);
  });

  it("are absent if the text has another word at the place that the map states", () => {
    const toText = (text: string) => `${text.replace(/\b(?:pay|total|api)\b/g, "other")}\n(`;
    const names = findNames(SOURCE, { toText });
    const found = names.filter(({ expected = "" }) => ["pay", "total"].includes(expected));
    expect(found.map((one) => one.found)).toEqual([null, null]);
  });

  it("are right in a script of several blocks of functions", () => {
    const source = Array.from(
      { length: 5_000 },
      (_, index) => `export const fn${index} = () => { probe("fn${index}"); };`,
    );
    const names = findNames(source.join("\n"), { nth: 50 });
    expect(names).toHaveLength(100);
    expect(names.filter(({ expected, found }) => found !== expected)).toEqual([]);
  });

  it("are unknown without the text and the functions of the script", () => {
    const map = openMap({ version: 3, sources: ["a.ts"], names: [], mappings: "AAAA" });
    expect(map.findFunction(1, 1)).toBeNull();
  });
});

describe("parseFunctions", () => {
  it.each(["const = ;", "(".repeat(100_000), "<!doctype html>"])("refuses %.20s", (script) => {
    expect(parseFunctions(script)).toBeNull();
  });

  it("reads modules, scripts, and return statements outside of functions", () => {
    expect(parseFunctions("import a from 'a'; export default () => a;")?.functions).toHaveLength(1);
    expect(parseFunctions("with (a) { b = function () {}; } return b;")?.functions).toHaveLength(1);
  });

  it("reads modules with exported declarations and directives", () => {
    const script = `"use strict"; export const a = () => 1, { b } = c; export { d }; const d = 1;`;
    expect(parseFunctions(script)?.functions).toMatchObject([
      { word: { offset: 27, text: "a", isKey: false } },
    ]);
  });

  it("keeps only the statement that it reads in memory", () => {
    const script = `${"a = [1, 2];".repeat(100_000)}var f = () => 1;`;
    expect(parseFunctions(script)?.functions).toHaveLength(1);
    expect(parseFunctions(`(() => { ${script} })()`)?.functions).toHaveLength(2);
    expect(parseFunctions(`a = [${"1,".repeat(300_000)}() => 1]`)).toBeNull();
  });

  it("reads a script that is nested deeply", () => {
    expect(parseFunctions(`${"[".repeat(500)}()=>1${"]".repeat(500)}`)?.functions).toHaveLength(1);
  });
});

it("a script that is one name of megabytes is parsed as quickly as any other", () => {
  expect(parseFunctions(`"name";${"a".repeat(3_000_000)}=1`)?.functions).toEqual([]);
});

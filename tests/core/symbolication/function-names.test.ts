// Names of functions in scripts that esbuild minifies. Each function calls `probe` with its own
// name, and the position of that call in the script must lead back to it.

import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { readNameAt } from "#src/core/symbolication/format/source-words.ts";
import { parseFunctions } from "#src/core/symbolication/function-ranges.ts";
import { openMap } from "#support/source-maps/open-map.ts";

/** The names at each `probe("name")` of the minified script. */
function findNames(source: string, options: { keepNames?: boolean; target?: string } = {}) {
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
  const compact = openMap(JSON.parse(map), functions);
  const lineStart = (index: number) => code.lastIndexOf("\n", index) + 1;
  return [...code.matchAll(/probe\("([^"]+)"\)/g)].map(({ 1: expected, index }) => {
    const line = code.slice(0, index).split("\n").length;
    return { expected, found: compact.findFunction(line, index - lineStart(index) + 1) };
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

describe("the names of functions", () => {
  it.each([{}, { keepNames: true }])("are those of the source, minified with %o", (options) => {
    const names = findNames(SOURCE, options);
    expect(names.length).toBeGreaterThan(25);
    expect(names.filter(({ expected, found }) => found !== expected)).toEqual([]);
  });

  it("are right or absent where the syntax is compiled for old browsers", () => {
    const names = findNames(SOURCE, { target: "es2016" });
    const isRight = (expected: string | undefined, found: string | null) =>
      found === null || found === expected || expected?.endsWith(`.${found}`);
    expect(names.filter(({ expected, found }) => !isRight(expected, found))).toEqual([]);
    expect(names.filter(({ found }) => found !== null).length).toBeGreaterThan(20);
  });

  it("are right in a script of several blocks of functions", () => {
    const source = Array.from(
      { length: 5_000 },
      (_, index) => `export const fn${index} = () => { probe("fn${index}"); };`,
    );
    const names = findNames(source.join("\n"));
    expect(names).toHaveLength(5_000);
    expect(names.filter(({ expected, found }) => found !== expected)).toEqual([]);
  });

  it("are unknown without the functions of the script", () => {
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
    expect(parseFunctions(script)?.functions).toMatchObject([{ word: 27 }]);
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

describe("readNameAt", () => {
  const cases = [
    { role: "function", text: "export default ¦function () {}", name: "" },
    { role: "function", text: "const f = ¦function () {}", name: "f" },
    { role: "function", text: "list.map(¦(item) => item)", name: "" },
    { role: "function", text: "a ? b : ¦() => c", name: "" },
    { role: "function", text: "const f: (a: number) => void = ¦(a) => 1", name: "f" },
    { role: "function", text: "function g(a: string, done = ¦() => 1) {}", name: "done" },
    { role: "function", text: "exports.render = ¦() => c", name: "render" },
    { role: "function", text: "x = { render: ¦async () => c }", name: "render" },
    { role: "function", text: "const iife = (¦() => 1)()", name: "" },
    { role: "function", text: "¦probe('a');", name: null },
    { role: "function", text: "class A { static of¦(a = (1)) { } }", name: "of" },
    { role: "parameter", text: "function handle(¦event) {", name: "handle" },
    { role: "parameter", text: "list.map((¦event) => {", name: "" },
    { role: "parameter", text: "handle(¦event);", name: null },
    { role: "word", text: "window.api = ¦api = handler;", name: "handler" },
    { role: "word", text: "¦window.local = class Local {}", name: "Local" },
    { role: "word", text: "export default { ¦def, Money }", name: null },
    { role: "word", text: "class A { #¦hid() {} }", name: "#hid" },
    { role: "word", text: "¦if (a) {", name: null },
    { role: "class", text: "export ¦class Money extends Base {", name: "Money" },
    { role: "class", text: "const Base = ¦class extends Other {", name: "Base" },
    { role: "class", text: "¦classify()", name: null },
  ] as const;
  it.each(cases)("reads $name as $role in $text", ({ role, text, name }) => {
    expect(readNameAt[role](text.replace("¦", ""), text.indexOf("¦"))).toBe(name);
  });

  it("takes linear time for a source of repeated beginnings", () => {
    for (const piece of ["a: ", "a<", "(", "static ", "x=", "[Symbol.", '"a', "async ", "a.a"]) {
      const text = piece.repeat(20_000);
      for (const role of ["function", "parameter", "class", "word"] as const) {
        for (let index = 0; index < 50_000; index += 500) readNameAt[role](text, index);
      }
    }
  });
});

it("a script that is one name of megabytes is parsed as quickly as any other", () => {
  expect(parseFunctions(`"name";${"a".repeat(3_000_000)}=1`)?.functions).toEqual([]);
});

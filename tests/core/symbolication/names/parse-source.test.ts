// The functions of original sources. A mark "¦" in a text is the place of a frame.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import {
  decodeFunctionTable,
  type FunctionTable,
  findFunctionName,
} from "#src/core/symbolication/names/function-table.ts";
import { nameFunctions } from "#src/core/symbolication/names/parse-source.ts";

function nameAt(marked: string, file = "a.ts", isClassCreation = false) {
  const before = marked.slice(0, marked.indexOf("¦")).split(/\r\n|[\n\r\u2028\u2029]/);
  const table = nameFunctions(file, marked.replace("¦", ""));
  const column = (before.at(-1)?.length ?? 0) + 1;
  return table && findFunctionName(table, before.length, column, isClassCreation);
}

describe("the name of a function", () => {
  const cases: readonly (readonly [text: string, name: string | null, file?: string])[] = [
    // Outside of functions.
    ["¦fail();", "<module>"],
    ["const a = [() => 1, ¦fail()];", "<module>"],
    ["export default ¦fail();", "<module>"],
    // Names of their own, and of variables.
    ["function f() { ¦fail(); }", "f"],
    ["const a = function f() { ¦fail(); };", "f"],
    ["const f: (a: number) => void = (a) => { ¦fail(); };", "f"],
    ["let f; f = () => ¦fail();", "f"],
    ["f ??= () => ¦fail();", "f"],
    ["const a = (f = () => ¦fail());", "f"],
    ["const f = ((a) => ¦fail()) as Handler satisfies Other;", "f"],
    ["const f = (<Handler>((a) => ¦fail()))!;", "f"],
    ["const { f = () => ¦fail() } = options;", "f"],
    ["function g(f = () => ¦fail()) {}", "f"],
    ["function f(a = ¦fail()) {}", "f"],
    ["function f({ a, b: [c] }: A = ¦fail()): B {}", "f"],
    ["function f(a: string): void; function f(a: any) { ¦fail(); }", "f"],
    ["const f = async <T extends A>(a: T): Promise<{ ok: boolean }> => { ¦fail(); };", "f"],
    ["async function g() { await 1; const f = async <T>(a: T) => { ¦fail(); }; }", "f"],
    ["const größe = () => ¦fail();", "größe"],
    ["export default function () { ¦fail(); }", "default"],
    ["export default async (a) => ¦fail();", "default"],
    ["export default function* f() { ¦fail(); }", "f"],
    ["module.exports = () => ¦fail();", "module.exports", "a.js"],
    ["exports.f = () => ¦fail();", "f", "a.js"],
    ["A.prototype.f = function () { ¦fail(); };", "f", "a.js"],
    ["a['b-c'] = function () { ¦fail(); };", "b-c", "a.js"],
    ["with (a) { b = function () { ¦fail(); }; }", "b", "a.js"],
    // Properties.
    ["a = { f() { ¦fail(); } };", "f"],
    ["a = { f: async () => ¦fail() };", "f"],
    ["a = { get f() { return ¦fail(); } };", "f"],
    ["a = { 'b c'() { ¦fail(); }, 1() {} };", "b c"],
    ["a = { 1() { ¦fail(); } };", "1"],
    ["a = { async() { ¦fail(); } };", "async"],
    ["a = { ['f']() { ¦fail(); } };", "f"],
    ["a = { [`f`]() { ¦fail(); } };", "f"],
    ["const KEY = 'f'; a = { [KEY]() { ¦fail(); } };", "f"],
    ["const KEY = 'f'; function g(KEY) { a = { [KEY]() { ¦fail(); } }; }", null],
    ["const KEY = 'f'; try {} catch (KEY) { a = { [KEY]() { ¦fail(); } }; }", null],
    ["const KEY = 'f'; a = function KEY() { a = { [KEY]() { ¦fail(); } }; }", null],
    ["const KEY = 'f'; a = class KEY { [KEY]() { ¦fail(); } }", null],
    [
      "const KEY = 'f'; class A { constructor(private KEY) { a = { [KEY]() { ¦fail(); } }; } }",
      null,
    ],
    ["const s = 'a\u2028b'; export function alpha() { ¦fail(); }", "alpha"],
    ["const KEY = Symbol('f'); class A { [KEY]() { ¦fail(); } }", "A.[f]"],
    ["a = { ''() { ¦fail(); } };", "<anonymous>"],
    ["a = { get ['']() { return ¦fail(); } };", "<anonymous>"],
    ["a = { '': async () => ¦fail() };", "<anonymous>"],
    ["a[''] = function () { ¦fail(); };", "<anonymous>"],
    ["a = { '': class { f() { ¦fail(); } } };", "f"],
    ["const KEY = ''; a = { [KEY]() { ¦fail(); } };", "<anonymous>"],
    ["const KEY = Symbol(); a = { [KEY]() { ¦fail(); } };", "<anonymous>"],
    ["const KEY = Symbol(''); a = { [KEY]() { ¦fail(); } };", "[]"],
    ["a = { [key]() { ¦fail(); } };", null],
    ["a = { [Symbol.iterator]() { ¦fail(); } };", "[Symbol.iterator]"],
    ["interface Symbol {} a[Symbol.iterator] = () => ¦fail();", "[Symbol.iterator]"],
    ["const Symbol = { a: 'b' }; c = { [Symbol.a]() { ¦fail(); } };", null],
    ["const Symbol = { a: 'b' }; c[Symbol.a] = () => ¦fail();", "<anonymous>"],
    ["function f(Symbol) { return { [Symbol.for('a')]() { ¦fail(); } }; }", null],
    ["function f({ a: Symbol = b }) { return { [Symbol('a')]() { ¦fail(); } }; }", null],
    ["import { Symbol } from 'a'; class A { [Symbol.iterator]() { ¦fail(); } }", null],
    ["import Symbol from 'a'; const KEY = Symbol('b'); c = { [KEY]() { ¦fail(); } };", null],
    ["function f(Symbol) {} a = { [Symbol.b]() { ¦fail(); } };", "[Symbol.b]"],
    ["for (const Symbol of a) b = { [Symbol.c]: () => ¦fail() };", null],
    ["a = { [¦fail()]() {} };", "<module>"],
    ["f({ onPress: () => ¦fail() });", "onPress"],
    // No name.
    ["f(() => ¦fail());", "<anonymous>"],
    ["f(\n  // Runs (a = b):\n  () => { ¦fail(); });", "<anonymous>"],
    ["(function () { ¦fail(); })();", "<anonymous>"],
    ["const a = (() => ¦fail())();", "<anonymous>"],
    ["const f = a ? b : () => ¦fail();", "<anonymous>"],
    ["const f = a || (() => ¦fail());", "<anonymous>"],
    ["const f = [() => ¦fail()];", "<anonymous>"],
    ["const f = (a) => (b) => ¦fail();", "<anonymous>"],
    ["a[b] = () => ¦fail();", "<anonymous>", "a.js"],
    // Where a call follows a function, a map may lead to its end.
    ["function f() { g(() => { a(); ¦})(); }", "f"],
    ["const a = function () { b(); ¦}();", "<module>"],
    ["class A { f() { g(); ¦} }", "A.f"],
    // React.
    ["const Panel = memo(() => ¦fail());", "Panel"],
    ["const Panel = React.memo(React.forwardRef((a, b) => ¦fail()));", "Panel"],
    ["const Panel = memo(function Own() { ¦fail(); });", "Own"],
    ["const onPress = useCallback(() => { ¦fail(); }, [() => 1]);", "onPress"],
    ["useEffect(() => { ¦fail(); });", "<anonymous>"],
    ["const value = useMemo(() => ¦fail(), []);", "<anonymous>"],
    ["const a = <b onClick={() => ¦fail()} />;", "onClick", "a.tsx"],
    ["const a = <b on:click={() => ¦fail()}>it's</b>;", "on:click", "a.jsx"],
    ["const A = () => <b>{list.map((c) => ¦fail())}</b>;", "<anonymous>", "a.js"],
    ["const f = <T extends A>(a: T) => <b>{¦fail()}</b>;", "f", "a.tsx"],
    // Classes.
    ["class A { f() { ¦fail(); } }", "A.f"],
    ["class A { static async *f() { ¦fail(); } }", "A.f"],
    ["class A { static #f() { ¦fail(); } }", "A.#f"],
    ["class A { get f() { return ¦fail(); } }", "A.f"],
    ["class A { accessor f = () => ¦fail(); }", "A.f"],
    ["class A { f? = () => ¦fail(); }", "A.f"],
    ["class A { f = function own() { ¦fail(); }; }", "own"],
    ["class A { list = [() => ¦fail()]; }", "<anonymous>"],
    ["class A { a = ¦fail(); }", "<instance_members_initializer>"],
    ["class A { static a = ¦fail(); }", "<static_initializer>"],
    ["class A { static { ¦fail(); } }", "<static_initializer>"],
    ["class A { constructor(private a = ¦fail()) {} }", "new A"],
    ["class A { b = 1; ¦constructor(c) {} }", "new A"],
    ["class A { public ¦'constructor'() {} }", "new A"],
    ["const A = class extends B { ¦constructor() { super(); } };", "new A"],
    ["class A { ['constructor']() { ¦fail(); } }", "A.constructor"],
    ["class A { static constructor() { ¦fail(); } }", "A.constructor"],
    ["class A { ''() { ¦fail(); } }", "A.<anonymous>"],
    ["class A { static '' = () => ¦fail(); }", "A.<anonymous>"],
    ["abstract class A { abstract g(): void; f /* ( */ <T>(a: T) { ¦fail(); } }", "A.f"],
    ["const A = class { f() { ¦fail(); } };", "A.f"],
    ["const A = class B extends C { f() { ¦fail(); } };", "B.f"],
    ["const A = b ? C : class { f() { ¦fail(); } };", "f"],
    ["const A = b ? C : class { constructor() { ¦fail(); } };", "new <anonymous>"],
    ["export default class { f() { ¦fail(); } }", "f"],
    ["¦class A extends B { f() {} }", "new A"],
    ["export default @dec ¦class A extends B {}", "new A"],
    ["class A extends ¦fail() {}", "<module>"],
    ["function f() { class A extends ¦fail() {} }", "f"],
    ["class A { [¦fail()]() {} }", "<module>"],
    ["@dec(¦fail()) class A {}", "<module>"],
    ["class A { @dec(¦fail()) f() {} }", "<module>"],
    ["class A { f(@dec(¦fail()) a) {} }", "<module>"],
    ["class A { @dec(() => 1) f(@dec() a) { ¦fail(); } }", "A.f"],
    // TypeScript.
    ["namespace A.B { export const f = () => ¦fail(); }", "f"],
    ["namespace A { ¦fail(); }", "<anonymous>"],
    ["enum A { B = ¦fail() }", "<anonymous>"],
    ["declare function g(): void; function f() { ¦fail(); }", "f"],
    ["type A = () => void; interface B { (): A } function f() { ¦fail(); }", "f"],
    ["interface A { m<const T>(): T } function f<const T>(a: T) { ¦fail(); }", "f"],
    ["abstract class A { override f() { ¦fail(); } } let a!: B; using b = c();", null],
    // Other line ends.
    ["const a = 1;\r\nfunction f() {\r  ¦fail();\n}", "f"],
    // Components.
    ["<script setup lang='ts'>\nconst f = (): A => ¦fail();\n</script>\n<template/>", "f", "a.vue"],
    ['<script setup generic="T extends A<B>">\n¦fail();\n</script>', "setup", "a.vue"],
    [
      "<!-- <script> --><script>export default { methods: { f() { ¦fail(); } } }</script>",
      "f",
      "a.vue",
    ],
    ["<script>\nexport default {};\n</script>\n<template>{{ ¦fail() }}</template>", null, "a.vue"],
    ["<template>{{ ¦fail() }}</template>", null, "a.vue"],
    ["const f = () => ¦fail();", "f", "a.vue?vue&type=script&lang.ts"],
    ["<script module>¦fail();</script>\n<script>let a;</script>", "<module>", "a.svelte"],
    ['<h1>a</h1><script lang="ts">¦fail();</script>', null, "a.svelte"],
    ["<script>function f() { ¦fail(); }</script>{#if a}b{/if}", "f", "a.svelte"],
    // Other languages.
    ["def f():\n  ¦fail()", null, "a.py"],
    ["const f = (a: ?string) => ¦fail();", null, "a.js"],
    ["const = ¦;", null],
  ];
  const rows = cases.map(([text, name, file]) => ({ text, name, file }));
  it.each(rows)("of $text is $name", ({ text, name, file }) => {
    expect(nameAt(text, file)).toBe(name);
  });

  it("is that of the code around a class that creates it", () => {
    expect(nameAt("function f() { ¦class A {} }", "a.ts", true)).toBe("f");
    expect(nameAt("¦class A {}", "a.ts", true)).toBe("<module>");
  });

  it("has a limited length", () => {
    const name = "f".repeat(10_000);
    expect(nameAt(`function ${name}() { ¦fail(); }`)?.length).toBe(limits.maxNameChars);
  });
});

describe("nameFunctions", () => {
  it("does not parse a source above the limit", () => {
    const text = `//${" ".repeat(limits.maxParsedSourceBytes)}`;
    expect(nameFunctions("a.js", text)).toBeNull();
    expect(nameFunctions("a.js", text.slice(0, -2))).not.toBeNull();
  });

  const PIECES = (
    "( [ { } ) ] => function async f a b = : , ; . ? ! < > <T> class extends static # @ get set " +
    "'s' `t` `${ // /* */ / \\ \u2028 \ud800 1 new await yield enum namespace type as import export " +
    "default const let var if for return ... => {} () \n \r <a> </a> <script> </script> <!-- -->"
  ).split(" ");
  const pieces = fc
    .array(fc.constantFrom(...PIECES), { maxLength: 60 })
    .map((list) => list.join(" "));
  const texts = fc.oneof(pieces, fc.string(), fc.string({ unit: "binary" }));
  const files = fc.constantFrom("a.ts", "a.tsx", "a.js", "a.vue", "a.svelte", "");

  /** Names are whole words of the text, in the forms of engines. */
  const isNameOf = (name: string, text: string) =>
    name
      .replace(/^new /, "")
      .split(/(?<=[^.])\.(?=[^.])/)
      .every((part) => {
        if (/^<[a-z_]+>$/.test(part) || ["default", "setup", "module", "exports"].includes(part))
          return true;
        const word = part.replace(/^\[(?:Symbol\.)?(.*)\]$/, "$1");
        const at = text.indexOf(word);
        return at !== -1 && !/^[\p{ID_Continue}$]/u.test(text.slice(at + word.length));
      });

  it("never throws, and names functions by whole words of the text", () => {
    fc.assert(
      fc.property(texts, files, (text, file) => {
        const table = nameFunctions(file, text);
        const names = (table?.names ?? []).flat().filter((name) => name !== null);
        for (const name of names) expect(isNameOf(name, text)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("gives the same table for the same text, which survives storage", () => {
    fc.assert(
      fc.property(pieces, files, (text, file) => {
        const table = nameFunctions(file, text);
        expect(nameFunctions(file, text)).toEqual(table);
        const stored = table && decodeFunctionTable(JSON.parse(JSON.stringify(table)));
        expect(stored).toEqual(table);
      }),
      { numRuns: 300 },
    );
  });

  const REPEATED = [
    ...["(", "a<", "[", "(a)=>", "`${", "<a>", "{a:", "x?", "a?(b):", "class{", "async(", "a,"],
    ...["f(()=>{", "let a;", "a.b", "()=>{};", "type A=", "a as ", "<T>(", "@a ", "/*", "enum A{"],
    ...["if(a<b){c(d)}", "({a}=", "a ? b : (c) : d => e;", "/a/;", "<script>", "<!--", "static{"],
  ];
  it.each(REPEATED)("takes a bounded number of steps for many %s", (piece) => {
    for (const file of ["a.ts", "a.tsx", "a.js", "a.vue"])
      nameFunctions(file, piece.repeat(20_000 / piece.length));
  });

  it("names functions by keys with more assertions than the stack of calls has room for", () => {
    const marks = "!".repeat(60_000);
    const listNames = (text: string) => nameFunctions("a.ts", text)?.names;
    expect(listNames(`a["b"${marks}] = () => 1`)).toEqual(["<module>", "b"]);
    const key = "const k = 'b'";
    expect(listNames(`${key}; x = { [k${marks}]: () => 1 }`)).toEqual(["<module>", "b"]);
    expect(listNames(`${key}${marks}; x = { [k]: () => 1 }`)).toEqual(["<module>", "b"]);
  });

  it("takes linear time for many declarations in one scope", () => {
    const text = Array.from({ length: 10_000 }, (_, n) => `let a${n} = 1;`).join("");
    const table = nameFunctions("a.ts", `${text}function f() {}`) as FunctionTable;
    expect(table.names).toEqual(["<module>", "f"]);
  });
});

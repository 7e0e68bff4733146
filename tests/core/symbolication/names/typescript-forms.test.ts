// Valid forms of TypeScript that its parser refuses without corrections. One of them would take the
// names of its whole file. A mark "¦" in a text is the place of a frame.

import { describe, expect, it } from "vitest";
import { findFunctionName } from "#src/core/symbolication/names/function-table.ts";
import { nameFunctions } from "#src/core/symbolication/names/parse-source.ts";

function nameAt(marked: string, file: string) {
  const before = marked.slice(0, marked.indexOf("¦")).split("\n");
  const table = nameFunctions(file, marked.replace("¦", ""));
  return table && findFunctionName(table, before.length, (before.at(-1)?.length ?? 0) + 1);
}

const BRANCHES: readonly (readonly [text: string, name: string])[] = [
  ["f(a ? (b) : c => { ¦fail(); });", "<anonymous>"],
  ["f(a ? async (b) : c => ¦fail());", "<anonymous>"],
  ["f(a ? async (b, c) : (d) => ¦fail());", "<anonymous>"],
  ["f(a ? ({ b }) : c => ¦fail());", "<anonymous>"],
  ["f(a ? (¦fail(), c) : d => e);", "<module>"],
  ["f(a ? async (¦fail()) : d => e);", "<module>"],
  ["f(a ? (b = (c) => ¦fail()) : e => f);", "b"],
  ["f(a ? (b = (c) => d) : e => ¦fail());", "<anonymous>"],
  ["x = (a ? (b) : c => ¦fail()) as E;", "<anonymous>"],
  ["x = a ? b => (¦fail()) : d => e;", "<anonymous>"],
  ["x = a ? b => (c) : d => ¦fail();", "<anonymous>"],
  ["x = a ? async b => (c) : d => ¦fail();", "<anonymous>"],
  ["x = a ? (b) => ({ c }) : d => ¦fail();", "<anonymous>"],
  ["x = a ? y = (b) : c => ¦fail();", "<anonymous>"],
  ["x = a ? y ||= (¦fail()) : c => d;", "<module>"],
  ["x = a ? (b).c : d => ¦fail();", "<anonymous>"],
  ["x = a ? (b as C)(d) : e => ¦fail();", "<anonymous>"],
  ["x = a ? (b) : c ? (d) : e => ¦fail();", "<anonymous>"],
  ["x = a ? (b) : c => d ? (e) : f => ¦fail();", "<anonymous>"],
  ["x = a ? (b) : c => d ? (e) : f => g : h => ¦fail();", "<anonymous>"],
  ["x = a ? b ? d : (¦fail()) : e => f;", "<module>"],
  ["x = a ? (b ? (¦fail()) : d => e) : (f) => g;", "<module>"],
  ["x = a ? (b) : (c): d => ¦fail();", "<anonymous>"],
  ["switch (a) { case (b): c => { ¦fail(); } }", "<anonymous>"],
  ["switch (a) { case (b): ¦fail(d => e); }", "<module>"],
  // Here the type is one.
  ["x = a ? (b) : c => ¦fail() : e;", "<anonymous>"],
  ["x = a ? (b): c => (¦fail()) : e;", "<anonymous>"],
  ["x = a ? (b): c => d : ¦fail();", "<module>"],
  ["x = a ? async (b): Promise<C> => ¦fail() : e;", "<anonymous>"],
  ["x = a ? async <T>(b: T): Promise<T> => ¦fail() : e;", "<anonymous>"],
  ["x = a ? (): b => ¦fail() : d;", "<anonymous>"],
  ["x = a ? b ? d : (c): e => ¦fail() : f;", "<anonymous>"],
  ["x = a ? [(b): c => ¦fail()] : e;", "<anonymous>"],
  ["x = a ? f((b): c => ¦fail()) : e;", "<anonymous>"],
  ["x = a ? `$" + "{((b): c => ¦fail())()}` : e;", "<anonymous>"],
  ["x = a ? () => { return (b): c => ¦fail() } : e;", "<anonymous>"],
];

/** Statements that contain no frame. */
const STATEMENTS: readonly (readonly [text: string, file?: string])[] = [
  // A decorator on the line after a type without a semicolon.
  ["class A {\n  @dec a: string\n  @dec() b?: A.B<C>\n  @dec c!: D[]\n  @dec d: () => e\n}"],
  ["class A {\n  @dec() a: 'b' | `c`\n  @dec b: { c: d }\n  @dec e(): f {}\n  @dec g\n}"],
  ["type A = string\n@dec class B {}"],
  ["declare function f(): string\n@dec() export class B {}"],
  ["const a = b as C\n@dec class D {}"],
  // A comma at the end.
  ["class A { @dec(\n  () => B,\n  (c) => c.d,\n) e; constructor(@dec(a,) b) {} }"],
  ["@dec(a, b,) class C {}"],
  ["declare function f(...a: B[],): void;"],
  // A decorator before a rest parameter.
  ["class A { constructor(@dec() ...a: B[]) {} f(a, @dec ...b) {} }"],
  // Classes without a name, and with names that are words of the language.
  ["export default abstract class { f() {} }"],
  ["export default abstract class extends A {}"],
  ["export default abstract class<T> {}"],
  ["export default class implements A {}"],
  ["@dec export default abstract class implements A {}"],
  ["class type {} class module {} class abstract<T> {} class global extends declare {}"],
  ["a = class type {}; b = class namespace<T> {}; new (class readonly {})();"],
  ["export default function type() {}"],
  ["export default async function* declare() {}"],
  ["a = function type<T>() {}; b = function* module() {};"],
  ["list.map(async type => 1); list.map(async module => 1);"],
  ["a = { async type() {}, async declare() {}, async *module() {} };"],
  ["x.async\ntype A = B\nx.class\ntype C = D"],
  // Types.
  ["interface A {\n  <T extends B = C>(a: T): T\n}", "a.tsx"],
  ["export interface A { <T>(a: T): T; new <T>(a: T): T }\nconst b = <c />;", "a.tsx"],
  ["class A { f?<T>(a: T): T { return a } }\nconst b = <c />;", "a.tsx"],
  ['type A = import("a", { with: { "resolution-mode": "import" } }).B<C>;'],
  ['let a: typeof import("a", { with: { type: "json" }, },);'],
  ['let a: import("a"), b: typeof import("b").c;'],
];

describe("a form of TypeScript", () => {
  const branches = BRANCHES.map(([text, name]) => ({ text, name }));
  it.each(branches)("keeps its functions apart: $text", ({ text, name }) => {
    for (const file of ["a.ts", "a.tsx"]) {
      const isGeneric = file === "a.tsx" && text.includes("<T>(");
      if (!isGeneric) expect(nameAt(text, file)).toBe(name);
    }
  });

  const statements = STATEMENTS.map(([text, file]) => ({ text, file }));
  it.each(statements)("keeps the names of its file: $text", ({ text, file }) => {
    const after = `${text}\nfunction after() { ¦fail(); }`;
    for (const one of file === undefined ? ["a.ts", "a.tsx"] : [file])
      expect(nameAt(after, one)).toBe("after");
  });

  it("takes a bounded number of steps, however deep its branches are", () => {
    for (const piece of [
      "a ? (b) : c => ",
      "a ? async (b) : c => ",
      "a ? b => (",
      "case (a): b => ",
    ])
      for (const file of ["a.ts", "a.tsx"]) nameFunctions(file, `x = ${piece.repeat(2_000)}d`);
    const nested = `x = ${"a ? (b) : c => ".repeat(6)}function f() { ¦fail(); }`;
    expect(nameAt(nested, "a.ts")).toBe("f");
  });
});

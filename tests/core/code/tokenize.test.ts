import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findLanguage } from "#src/core/code/language.ts";
import { tokenize } from "#src/core/code/tokenize.ts";

const FILES = ["a.ts", "a.py", "a.rb", "a.go", "a.php", "a.java", "a.json", "a.sh", "a.unknown"];

/** `k:const |p: a = |n:1|p:;`: the tokens of one line. */
function show(file: string, ...lines: string[]): string[] {
  return tokenize(lines, findLanguage(file)).map((tokens) =>
    tokens.map(({ kind, text }) => `${kind[0]}:${text}`).join("|"),
  );
}

describe("the tokens of a line", () => {
  it.each([
    ["a.ts", 'const a = "b";', 'k:const|p: a = |s:"b"|p:;'],
    ["a.ts", "return a / b / 2; // half", "k:return|p: a / b / |n:2|p:; |c:// half"],
    ["a.ts", "x.replace(/[\"/]/g, 'a\\'b')", "p:x.replace(|s:/[\"/]/g|p:, |s:'a\\'b'|p:)"],
    ["a.tsx", "{cart?.total ?? 0xff}", "p:{cart?.total ?? |n:0xff|p:}"],
    ["a.js?v=2", "a1 = `x` + null", "p:a1 = |s:`x`|p: + |k:null"],
    ["a.py", "def f(x): # it's", "k:def|p: f(x): |c:# it's"],
    ["a.rb", "raise 'no' unless x", "k:raise|p: |s:'no'|p: |k:unless|p: x"],
    ["a.go", 'if err != nil { return "a" }', 'k:if|p: err != |k:nil|p: { |k:return|p: |s:"a"|p: }'],
    ["a.php", "$total = $this->sum(1.5);", "p:$total = $this->sum(|n:1.5|p:);"],
    ["A.java", "throw new Error(); /* a */", "k:throw|p: |k:new|p: Error(); |c:/* a */"],
    ["a.json", '{"a": [1, true]}', 'p:{|s:"a"|p:: [|n:1|p:, |k:true|p:]}'],
    ["a.txt", "const a = 1", "p:const a = 1"],
    ["a.constructor", "const a = 1", "p:const a = 1"],
  ])("%s: %s", (file, line, tokens) => {
    expect(show(file, line)).toEqual([tokens]);
  });

  it("keep a comment or string open until the line that closes it", () => {
    expect(show("a.ts", "/* a", "b */ c", "`d", "e\\` f` g")).toEqual([
      "c:/* a",
      "c:b */|p: c",
      "s:`d",
      "s:e\\` f`|p: g",
    ]);
    expect(show("a.py", 'x = """a', 'b" c', '""" + y')).toEqual([
      'p:x = |s:"""a',
      's:b" c',
      's:"""|p: + y',
    ]);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      ...['"', "'", "`", "\\", "/", "/*", "*/", "//", "#", '"""', "'''", "[", "]", "(", "return "],
      ...["0x1", "1e9", "const ", "é", "\u{1F600}", " ", "\t", "=", "</script>"],
    ),
    fc.string({ unit: "binary" }),
  );

  it("are the line when they are joined, for any text in any language", () => {
    const line = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom(...FILES), (lines, file) => {
        const joined = tokenize(lines, findLanguage(file)).map((tokens) =>
          tokens.map(({ text }) => text).join(""),
        );
        expect(joined).toEqual(lines);
      }),
    );
  });

  it("take steps in proportion to the length of the line", () => {
    const long = ["/", '"\\', "=/[", "`$", "/*", "a", "1.", "= /"].map((unit) =>
      unit.repeat(20_000),
    );
    for (const file of FILES) {
      for (const line of long) {
        const [tokens = []] = tokenize([line], findLanguage(file));
        expect(tokens.reduce((sum, { text }) => sum + text.length, 0)).toBe(line.length);
      }
    }
  });
});

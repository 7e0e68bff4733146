// Source texts that are read from the compact form are those of the map, line by line.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CompactMap } from "#src/core/symbolication/compact-map.ts";
import { toBytes } from "#support/bytes.ts";
import { openMap } from "#support/source-maps/open-map.ts";

/** The lines of a source, as JavaScript splits them. */
function splitLines(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

function expectLines(map: CompactMap, source: number, text: string): void {
  const lines = splitLines(text);
  for (const [index, line] of lines.entries()) {
    expect(map.readLine(source, index + 1, 1, line.length + 10)).toBe(line);
    const column = Math.floor(line.length / 2) + 1;
    expect(map.readLine(source, index + 1, column, 20)).toBe(line.slice(column - 1, column + 19));
  }
  expect(map.readLine(source, lines.length + 1, 1, 10)).toBeNull();
}

const toMap = (texts: readonly string[]) => ({
  version: 3,
  sources: texts.map((_, index) => `${index}.ts`),
  sourcesContent: texts,
  names: [],
  mappings: "",
});

/** Pieces that are hard to cut: line ends, pairs, escapes. */
const piece = fc.constantFrom(
  "a",
  "\n",
  "\r\n",
  "\r",
  "é",
  "日本",
  "🙂",
  "\t",
  '"',
  "\\",
  "\u2028",
);

describe("the text of a source", () => {
  it("has the lines and the UTF-16 columns of the map's text", () => {
    const text = fc
      .array(fc.oneof(piece, fc.string({ unit: "binary" })))
      .map((all) => all.join(""));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const wellFormed = texts.map((one) => one.replace(/\p{Cs}/gu, "?"));
        const map = openMap(toMap(wellFormed));
        for (const [index, one] of wellFormed.entries()) expectLines(map, index, one);
      }),
      { numRuns: 40 },
    );
  });

  it("has a replacement character for half of a surrogate pair, and the same columns", () => {
    const map = openMap(
      toBytes(
        String.raw`{"version":3,"sources":["a"],"sourcesContent":["\ud83dx\ude42\ud83d\ude42y"],"mappings":""}`,
      ),
    );
    expect(map.readLine(0, 1, 1, 100)).toBe("\ufffdx\ufffd🙂y");
    expect(map.readLine(0, 1, 6, 100)).toBe("y");
  });

  const long = [
    { name: "many lines", text: "const größe = 1; // 🙂\n".repeat(30_000) },
    { name: "one line of a megabyte", text: "é🙂a".repeat(300_000) },
    { name: "lines that end with CR alone", text: `${"x".repeat(90)}\r`.repeat(10_000) },
    { name: "CRLF at the end of every block", text: `${"x".repeat(65_535)}\r\n`.repeat(8) },
    { name: "a line of a megabyte between others", text: `a\n${"b".repeat(1_000_000)}\r\nc\nd` },
  ];
  it.each(long)("is cut into blocks at any place: $name", ({ text }) => {
    const map = openMap(toMap(["before", text, "after"]));
    const lines = splitLines(text);
    const step = Math.max(1, Math.floor(lines.length / 200));
    for (let index = 0; index < lines.length; index += step) {
      const line = lines[index] ?? "";
      for (const share of [0, 0.3, 0.7, 0.999]) {
        const column = Math.floor(line.length * share) + 1;
        const expected = line.slice(column - 1, column + 149);
        // A column inside of a pair is not one that a map names.
        if (/^[\udc00-\udfff]/.test(expected)) continue;
        expect(map.readLine(1, index + 1, column, 150)).toBe(expected);
      }
    }
    expect(map.readLine(0, 1, 1, 10)).toBe("before");
    expect(map.readLine(2, 1, 1, 10)).toBe("after");
  });

  it("is absent for a source without text, and empty for an empty one", () => {
    const map = openMap({ ...toMap(["a", "b"]), sourcesContent: [null, ""] });
    expect([map.getSource(0).hasText, map.getSource(1).hasText]).toEqual([false, true]);
    expect([map.readLine(0, 1, 1, 10), map.readLine(1, 1, 1, 10)]).toEqual([null, ""]);
  });
});

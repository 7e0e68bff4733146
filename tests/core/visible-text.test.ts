import fc from "fast-check";
import { expect, it } from "vitest";
import { showInJson, showInLine, showInvisible } from "#src/core/visible-text.ts";

it.each([
  ["an escape of a terminal", "\u001b[31mred", "\\u{1b}[31mred"],
  ["a control of C1", "a\u009bb", "a\\u{9b}b"],
  ["an override of direction", "a\u202eb", "a\\u{202e}b"],
  ["an isolate", "\u2066a\u2069", "\\u{2066}a\\u{2069}"],
  ["a zero-width space", "a\u200bb", "a\\u{200b}b"],
  ["a byte order mark", "\ufeffa", "\\u{feff}a"],
  ["a tag character", "a\u{e0041}b", "a\\u{e0041}b"],
  ["a variation selector", "a\u{e0101}b", "a\\u{e0101}b"],
  ["a filler of Hangul", "a\u3164b", "a\\u{3164}b"],
  ["a blank of Braille", "a\u2800b", "a\\u{2800}b"],
  ["a character of private use", "a\ue000b", "a\\u{e000}b"],
  ["half of a surrogate pair", "a\ud800b", "a\\u{d800}b"],
  ["a line separator", "a\u2028b\u2029c", "a\\u{2028}b\\u{2029}c"],
  ["a carriage return alone", "a\rb", "a\\u{d}b"],
  ["ends of lines", "a\r\nb\nc\td", "a\nb\nc\td"],
  ["other text", "prix : 12 € 日本 😀 é", "prix : 12 € 日本 😀 é"],
])("shows %s", (_, text, shown) => {
  expect(showInvisible(text)).toBe(shown);
});

it("leaves no invisible character, and changes nothing twice", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const shown = showInvisible(text);
      expect(shown).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/u);
      expect(showInvisible(shown)).toBe(shown);
    }),
  );
});

it("shows tabs and ends of lines where a text has one line", () => {
  expect(showInLine("a\tb\r\nc\u001b")).toBe("a\\u{9}b\\u{a}c\\u{1b}");
});

it("keeps the value of JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.boolean(), (value, isIndented) => {
      const json = JSON.stringify(value, null, isIndented ? 2 : 0);
      const shown = showInJson(json);
      expect(JSON.parse(shown)).toEqual(JSON.parse(json));
      expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/u);
    }),
  );
});

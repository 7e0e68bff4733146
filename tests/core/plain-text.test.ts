import { describe, expect, it } from "vitest";
import { joinWords, parseName } from "#src/core/plain-text.ts";

describe("a name", () => {
  it.each([
    "Ada",
    "Zoë Müller",
    "李雷",
    "محمد",
    "שרה",
    "O’Brien",
    "Ada 👩‍💻",
    "❤️‍🔥",
    "👍🏽",
    "🏳️‍🌈",
    "a\u0301",
  ])("is accepted unchanged: %j", (name) => {
    expect(parseName(` ${name} `, 60)).toBe(name);
  });

  it("is refused with five combining marks on one character, and accepted with four", () => {
    const marks = "\u0301\u0302\u0303\u0304\u0305";
    expect(parseName(`A${marks.slice(1)}da`, 60)).toBe(`A${marks.slice(1)}da`);
    expect(parseName(`A${marks}da`, 60)).toBeUndefined();
  });

  it.each([
    "\u200b",
    "\u200d",
    "\u200e",
    "\u200f",
    "\u202e",
    "\u2060",
    "\u2066",
    "\u061c",
    "\u00ad",
    "\u180e",
    "\u034f",
    "\u115f",
    "\u1160",
    "\u17b4",
    "\u2800",
    "\u3164",
    "\ufe0f",
    "\uffa0",
    "\ud800",
    "\ue000",
    "\u{e0041}",
    "\u{e0100}",
    "\u{f0000}",
    "\u{1d173}",
  ])("is refused with a character that is not displayed: %j", (character) => {
    expect(parseName(`Ada${character}`, 60)).toBeUndefined();
    expect(parseName(`A${character}da`, 60)).toBeUndefined();
    expect(parseName(character, 60)).toBeUndefined();
  });

  it("is refused with a joiner outside an emoji", () => {
    for (const name of [
      "👩\u200dAda",
      "Ada\u200d💻",
      "👩\u200d\u200d💻",
      "👩\u200d",
      "👍\ufe0f\ufe0f",
    ])
      expect(parseName(name, 60), JSON.stringify(name)).toBeUndefined();
  });

  it.each(["", " ", "\u3000", "a\nb", "a".repeat(61), 1, null])("is refused: %j", (value) => {
    expect(parseName(value, 60)).toBeUndefined();
  });
});

describe("a list in a sentence", () => {
  it("is written as Intl.ListFormat writes it in English", () => {
    for (let count = 0; count < 6; count++) {
      const items = ["a", "b c", "d", "e", "f"].slice(0, count);
      for (const [word, type] of [
        ["and", "conjunction"],
        ["or", "disjunction"],
      ] as const)
        expect(joinWords(items, word)).toBe(new Intl.ListFormat("en", { type }).format(items));
    }
  });
});

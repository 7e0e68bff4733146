/** Words as the full-text index has them. */
import { describe, expect, it } from "vitest";
import { foldText, fromIndexedText, toIndexedText } from "#src/core/report/search-folding.ts";

/** The words that are added to a text. */
const listAdded = (text: string) => {
  const indexed = toIndexedText(text);
  expect(fromIndexedText(indexed)).toBe(text);
  return indexed.slice(text.length).replace("\n\u001f", "").split(" ").filter(Boolean);
};

describe("a text in the index", () => {
  it.each([
    ["Straßenverzeichnis", "strassenverzeichnis"],
    ["płatność", "platnosc"],
    ["smørrebrød", "smorrebrod"],
    ["Đà", "da"],
    ["kullanıcı", "kullanici"],
    ["þorn æsir œuvre", "thorn aesir oeuvre"],
    ["kết nối", "ket noi"],
    ["πληρωμής", "πληρωμησ"],
    ["ёлка", "елка"],
    ["نمی\u200cتواند", "نميتواند"],
  ])("has the words of %s without accents and letters of its own: %s", (text, folded) => {
    for (const word of folded.split(" ")) expect(listAdded(text)).toContain(word);
    // A reader types either.
    expect(foldText(text.replaceAll("\u200c", ""))).toBe(folded);
  });

  it.each(["plain text", "Öl", "café", "ÉCOLE", "naïve"])(
    "is stored as it is if the tokenizer folds its words: %s",
    (text) => expect(toIndexedText(text)).toBe(text),
  );
});

import { describe, expect, it } from "vitest";
import { ENGLISH } from "#src/core/visitors/english.ts";
import { findVisitor, VISITOR_TEXTS } from "#src/core/visitors/visitor-language.ts";

const { en, ...others } = VISITOR_TEXTS;
const NAMES = Object.keys(en) as (keyof typeof en)[];

it("there are twenty languages", () => {
  expect(Object.keys(VISITOR_TEXTS)).toHaveLength(20);
  expect(ENGLISH.texts).toBe(en);
});

describe.each(Object.entries(others))("the sentences in %s", (language, texts) => {
  it("are all there, and none is in English or in two places", () => {
    expect(Object.keys(texts)).toEqual(NAMES);
    for (const name of NAMES) {
      expect(texts[name].trim()).toBe(texts[name]);
      expect(texts[name].length).toBeGreaterThan(0);
      expect(texts[name], name).not.toBe(en[name]);
    }
    const sentences = NAMES.filter((name) => en[name].endsWith(".")).map((name) => texts[name]);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it("have the same placeholders as those in English", () => {
    const find = (text: string) => text.match(/\{\w+\}/g);
    for (const name of NAMES) expect(find(texts[name]), name).toEqual(find(en[name]));
  });

  it("have numbers and times in the same language", () => {
    expect(Intl.NumberFormat.supportedLocalesOf(language)).toEqual([language]);
  });
});

describe("the language of a visitor", () => {
  it.each([
    [undefined, "en"],
    ["", "en"],
    ["*", "en"],
    ["de", "de"],
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["en;q=0.3, fr-CH;q=0.8", "fr"],
    ["sk,cs;q=0.9", "cs"],
    ["tlh, nl;q=0.1", "nl"],
    ["de;q=0, it;q=0.2", "it"],
    ["zh-Hant-TW", "zh"],
    ["iw", "he"],
    ["constructor, __proto__, toString", "en"],
    ["PT-br", "pt"],
    [";;;q=;,,", "en"],
    [`${"x,".repeat(2_000)}de`, "en"],
  ])("of %j is %s", (header, language) => {
    expect(findVisitor(header).language).toBe(language);
  });

  it.each([
    ["ar", "rtl"],
    ["he", "rtl"],
    ["ja", "ltr"],
  ])("%s is written %s", (header, direction) => {
    expect(findVisitor(header).direction).toBe(direction);
  });
});

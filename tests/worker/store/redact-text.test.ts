import { describe, expect, it } from "vitest";
import { countMatches } from "#src/store/kv/erase-lines.ts";
import { containsText, createJsonFilter } from "#src/store/redact-text.ts";
import { createReport } from "#support/reports/reports.ts";

/** Texts, and messages of which some contain them. */
const TEXTS = [
  ...["Sage", "ada@example.com", 'a "quoted" word', "C:\\Users", "naïve", "K", "51234"],
  "bob@example.com",
];
const MESSAGES = [
  ...["Sage", "first line\nSAGE", "a\tsage", "message", "Ada@Example.com is gone", "nobody"],
  ...['says a "quoted" word', String.raw`C:\Users\ada`, "NAÏVE", "\u212a", "number 51234."],
  ...["\ud83d\ude00sage", "sage\ud83d", "/to/bob%40example.com", "?to=%2Fbob%2540example.com"],
];
const VALUES = [
  ...MESSAGES.map((message) => ({ message })),
  { detail: { 51234: true } },
  { detail: { phone: 51234 } },
];

describe("a stored report", () => {
  it.each([
    ["detail", { detail: { extra: { from: "Sage", state: 51234 } } }],
    ["local variables", { frames: [{ inApp: true, vars: { role: "Sage", of: 51234 } }] }],
    ["parameters", { template: { text: "%s", params: { from: "Sage", kind: 51234 } } }],
  ])("contains a value of any name in %s", (_name, over) => {
    expect(containsText(createReport(1, over), "Sage")).toBe(true);
    expect(containsText(createReport(1, over), "51234")).toBe(true);
  });

  it("contains the values of its key, but no words of Errata", () => {
    const part = { role: "function", value: "Sage", of: "cause" } as const;
    const report = createReport(1, { grouping: { version: 1, parts: [part] } });
    expect(containsText(report, "Sage")).toBe(true);
    expect(containsText(report, "function")).toBe(false);
    expect(containsText(report, "cause")).toBe(false);
  });
});

describe("the filter of JSON text", () => {
  it.each(TEXTS)("passes every value that contains %j", (text) => {
    const filter = createJsonFilter(text);
    const containing = VALUES.filter((value) => containsText(value, text));
    expect(containing).not.toEqual([]);
    expect(containing.filter((value) => !filter(JSON.stringify(value)))).toEqual([]);
  });

  it("holds back values without the text", () => {
    const filter = createJsonFilter("ada@example.com");
    expect(VALUES.filter((value) => filter(JSON.stringify(value)))).toHaveLength(1);
  });

  it.each(TEXTS)("leaves the counts of a preview for %j as they are", (text) => {
    const reports = MESSAGES.map((message, n) => createReport(n, { message }));
    const lines = reports.map((report) => JSON.stringify(report));
    const found = reports.filter((report) => containsText(report, text));
    expect(countMatches(lines, text)).toEqual({
      examined: reports.length,
      reports: found.length,
      digests: [...new Set(found.map(({ digest }) => digest))],
    });
  });
});

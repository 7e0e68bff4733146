// The words of senders for the severity of a report, and the level that each means.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getReportLevel, parseReportLevel, REPORT_LEVELS } from "#src/core/report/level.ts";

describe("the level of a report", () => {
  it.each([
    ["fatal", "fatal"],
    ["critical", "fatal"],
    ["CRITICAL", "fatal"],
    ["emergency", "fatal"],
    ["alert", "fatal"],
    ["panic", "fatal"],
    ["error", "error"],
    ["ERR", "error"],
    ["SEVERE", "error"],
    ["warning", "warning"],
    ["warn", "warning"],
    ["info", "info"],
    ["Information", "info"],
    ["notice", "info"],
    ["log", "info"],
    ["debug", "debug"],
    ["trace", "debug"],
    ["Verbose", "debug"],
    ["FINEST", "debug"],
  ])("of the word %s is %s", (word, level) => {
    expect(getReportLevel({ level: word })).toBe(level);
  });

  it.each([[undefined], [""], ["tense"], ["17"], ["sehr schlimm"]])("of %j is error", (word) => {
    expect(getReportLevel(word === undefined ? {} : { level: word })).toBe("error");
    expect(parseReportLevel(word ?? "")).toBeUndefined();
  });

  it("is one of the known levels for any text", () => {
    fc.assert(
      fc.property(fc.string(), (level) => {
        expect(Object.keys(REPORT_LEVELS)).toContain(getReportLevel({ level }));
      }),
    );
  });
});

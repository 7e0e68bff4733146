import { describe, expect, it } from "vitest";
import {
  hasResolvedFrames,
  toOriginalFrame,
  toOriginalReport,
} from "#src/core/symbolication/report/original-stack.ts";
import type { ResolvedFrame } from "#src/core/symbolication/resolution.ts";
import { createReport } from "#support/reports/reports.ts";

const sent = { file: "a.js", line: 1, column: 9, function: "t", source: "t()", inApp: true };
const resolved: ResolvedFrame = {
  kind: "resolved",
  file: "src/cart.tsx",
  line: 12,
  column: 5,
  function: "totalOf",
  inApp: false,
  source: "  return total;",
  sourceBefore: ["{"],
  matchedBy: "debug-id",
};
const unmapped = { kind: "unmapped", reason: "nothing-uploaded" } as const;
const original = {
  ...{ file: "src/cart.tsx", line: 12, column: 5, function: "totalOf", inApp: false },
  ...{ source: "  return total;", sourceBefore: ["{"] },
};

describe("a frame in the original source", () => {
  it("has nothing of the minified one but its local variables", () => {
    expect(toOriginalFrame({ ...sent, vars: { e: 1 } }, resolved)).toEqual({
      ...original,
      vars: { e: 1 },
    });
  });

  it("without a name has no minified name either", () => {
    const { function: _, ...unnamed } = resolved;
    expect(toOriginalFrame(sent, unnamed).function).toBeUndefined();
  });

  it("is the frame as sent if it is unmapped or unknown", () => {
    expect(toOriginalFrame(sent, unmapped)).toBe(sent);
    expect(toOriginalFrame(sent, undefined)).toBe(sent);
  });
});

it("a report gets the frames of its error and of its causes, in their order", () => {
  const cause = { type: "Error", message: "", frames: [sent, sent] };
  const report = createReport(1, { frames: [sent], causes: [cause] });
  const { frames, causes } = toOriginalReport(report, [[unmapped], [unmapped, resolved]]);
  expect(frames).toEqual([sent]);
  expect(causes?.[0]?.frames).toEqual([sent, original]);
});

it("a stack without a resolved frame is shown as it was sent", () => {
  expect(hasResolvedFrames([[unmapped], []])).toBe(false);
  expect(hasResolvedFrames([[unmapped], [resolved]])).toBe(true);
});

import { expect, it } from "vitest";
import { describeMatch } from "#src/core/symbolication/report/describe-match.ts";
import type { ResolvedFrame } from "#src/core/symbolication/resolution.ts";

const frame = (over: Partial<ResolvedFrame>): ResolvedFrame => ({
  ...{ kind: "resolved", file: "src/cart.tsx", line: 41, column: 1, inApp: true },
  ...{ matchedBy: "release", upload: "0fb48a089c275b2aa1cd2311c133f114aabbccdd" },
  ...over,
});

it.each([
  [{}, "matched by release and URL, upload 0fb48a08"],
  [{ matchedBy: "name" as const }, "matched by file name, upload 0fb48a08"],
  [
    { builds: 2, otherDist: "7" },
    "matched by release and URL, one of 2 builds by the time of the error, uploaded for dist 7, upload 0fb48a08",
  ],
  [
    { otherDist: "", unknownDebugId: "91eaa5420aa75ed6b6ca9ceca357a8d6" },
    "matched by release and URL, uploaded without a dist, no upload has its debug id 91eaa542…, upload 0fb48a08",
  ],
  [{ matchedBy: "debug-id" as const }, undefined],
])("a match %j is described with every doubt", (over, text) => {
  expect(describeMatch(frame(over))).toBe(text);
});

it("a frame that is not resolved has no match", () => {
  expect(describeMatch({ kind: "unmapped", reason: "not-expected" })).toBeUndefined();
  expect(describeMatch(undefined)).toBeUndefined();
});

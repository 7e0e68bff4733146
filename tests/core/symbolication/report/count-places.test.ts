import { expect, it } from "vitest";
import {
  countPlaces,
  hasSeveralPlaces,
} from "../../../../src/core/symbolication/report/count-places.ts";
import type { Symbolication } from "../../../../src/core/symbolication/report/original-stack.ts";
import type { ResolvedFrame } from "../../../../src/core/symbolication/resolution.ts";
import { aReport } from "../../../support/reports.ts";

const frame = (line: number, over: Partial<ResolvedFrame> = {}): ResolvedFrame => ({
  kind: "resolved",
  file: "src/cart.tsx",
  line,
  column: 1,
  function: "totalOf",
  inApp: true,
  matchedBy: "debug-id",
  ...over,
});
const stackOf = (...frames: readonly ResolvedFrame[]): Symbolication => ({
  state: "resolved",
  stacks: [frames],
});
const library = frame(1, { inApp: false });

it("a place is the first frame of the application, with its reports by release", () => {
  const reports = ["2", "1", "2", "2"].map((release, n) => aReport(n, { release }));
  const stacks = [stackOf(library, frame(12)), stackOf(frame(12)), stackOf(frame(12))];
  const place = { file: "src/cart.tsx", line: 12, function: "totalOf" };
  expect(countPlaces(reports, [...stacks, stackOf(frame(30))])).toEqual([
    { ...place, release: "2", count: 2 },
    { ...place, release: "1", count: 1 },
    { ...place, line: 30, release: "2", count: 1 },
  ]);
});

it("linked reports and minified stacks have no place", () => {
  const reports = [aReport(1, { isLinked: true }), aReport(2), aReport(3), aReport(4)];
  const none = [{ state: "unavailable" }, null, stackOf(library)] as const;
  expect(countPlaces(reports, [stackOf(frame(1)), ...none])).toEqual([]);
});

it("different places of one release are told, a line that moved with a release is not", () => {
  const place = { file: "a.ts", line: 1, count: 1 };
  expect(
    hasSeveralPlaces([
      { ...place, release: "1" },
      { ...place, release: "2" },
    ]),
  ).toBe(false);
  expect(hasSeveralPlaces([place, { ...place, line: 2 }])).toBe(true);
});

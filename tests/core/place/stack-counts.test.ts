import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { formatCulprit, hasSeveralPlaces, toPlaceKey } from "#src/core/place/issue-place.ts";
import {
  applyStackResolutions,
  countStack,
  countUnplaced,
  findPlace,
  findPlaceByKey,
  forgetReport,
  listPlaces,
  listUnresolved,
  mergeStackCounts,
  type StackCounts,
  selectPlace,
} from "#src/core/place/stack-counts.ts";

const place = { file: "src/cart.tsx", line: 41, function: "readPrice" };
const other = { file: "src/pay.tsx", line: 7 };
const report = (sentStack: string, over: object = {}) => ({
  ...{ sentStack, release: "1", atMs: 5 },
  ...over,
});
const count = (...reports: readonly ReturnType<typeof report>[]): StackCounts =>
  reports.reduce<StackCounts | undefined>(
    (counts, one) => countStack(counts, one, 1),
    undefined,
  ) ?? {
    values: [],
    otherCount: 0,
  };
const key = (stack: string, release = "1") => ({ stack, release });
const total = ({ values, otherCount }: StackCounts) =>
  values.reduce((sum, one) => sum + one.count, otherCount);

describe("stacks", () => {
  it("are counted by their frames, release and dist", () => {
    const counts = count(
      report("1:1\ta.js"),
      report("1:1\ta.js"),
      report("1:1\ta.js", { release: "2" }),
      report("1:1\ta.js", { dist: "7" }),
    );
    expect(counts.values.map((one) => one.count)).toEqual([2, 1, 1]);
    expect(countStack(counts, { atMs: 1 }, 1)).toBe(counts);
  });

  it("beyond the limit are counted together", () => {
    const many = Array.from({ length: limits.stacksPerIssue + 9 }, (_, n) =>
      report(`${n}:1\ta.js`),
    );
    const counts = count(...many);
    expect(counts.values).toHaveLength(limits.stacksPerIssue);
    expect([counts.otherCount, total(counts)]).toEqual([9, many.length]);
    expect(total(mergeStackCounts(counts, counts) ?? counts)).toBe(2 * many.length);
  });

  it("that begin with the frames of a place have it, before and after it is known", () => {
    const counts = count(report("1:1\ta.js\n2:1"), report("1:1\ta.js\n3:1"), report("9:1\ta.js"));
    const answer = { ...key("1:1\ta.js\n2:1"), place, frames: 1 };
    const answered = applyStackResolutions(counts, [answer], 7);
    expect(answered.values).toMatchObject([
      { stack: "1:1\ta.js", count: 2, place },
      { stack: "9:1\ta.js", count: 1 },
    ]);
    expect(findPlace(answered, report("1:1\ta.js\n4:1"))).toEqual(place);
    expect(findPlace(answered, report("1:10\ta.js"))).toBeUndefined();
    expect(findPlace(answered, report("1:1\ta.js", { release: "2" }))).toBeUndefined();
    expect(countUnplaced(answered)).toBe(1);
  });

  it("list their stored reports, except those that were erased", () => {
    const stored = (id: string, atMs: number) => report("1:1\ta.js", { id, atMs });
    const rolledUp = report("1:1\ta.js", { id: "c", atMs: 9, occurrences: 4, lastAtMs: 12 });
    const counts = count(stored("a", 5), stored("b", 7), stored("d", 6), rolledUp);
    const reports = [
      ["b", 7],
      ["d", 6],
      ["a", 5],
    ];
    expect(counts.values).toMatchObject([{ count: 4, firstMs: 5, lastMs: 12, reports }]);
    expect(forgetReport(counts, "x")).toEqual(counts);
    expect(forgetReport(counts, "b").values[0]?.reports).toEqual(reports.slice(1));
    const forgotten = ["a", "b", "d"].reduce(forgetReport, counts);
    expect(forgotten.values[0]).not.toHaveProperty("reports");
  });

  it("list only the newest stored reports", () => {
    const stored = Array.from({ length: limits.reportsPerStack + 3 }, (_, n) =>
      report("1:1\ta.js", { id: `id${n}`, atMs: n }),
    );
    const [value] = count(...stored).values;
    expect(value?.count).toBe(stored.length);
    expect(value?.reports).toHaveLength(limits.reportsPerStack);
    expect(value?.reports?.[0]).toEqual([`id${stored.length - 1}`, stored.length - 1]);
  });

  it("that no map resolves are tried again after another upload", () => {
    const counts = count(report("1:1\ta.js"));
    expect(listUnresolved(counts, 7)).toHaveLength(1);
    const tried = applyStackResolutions(counts, [{ ...key("1:1\ta.js"), frames: 0 }], 7);
    expect(listUnresolved(tried, 7)).toEqual([]);
    expect(listUnresolved(tried, 8)).toHaveLength(1);
  });
});

describe("places", () => {
  const counts: StackCounts = {
    values: [
      { ...key("1:1\ta.js"), count: 3, firstMs: 1, lastMs: 5, reports: [["a", 5]], place },
      { ...key("2:1\ta.js"), count: 2, firstMs: 2, lastMs: 7, reports: [["b", 6]], place },
      { ...key("3:1\ta.js"), count: 4, firstMs: 3, lastMs: 3, place: other },
      {
        ...key("1:1\ta.js", "2"),
        ...{ count: 1, firstMs: 9, lastMs: 9, reports: [["c", 9]], place: other },
      },
    ],
    otherCount: 1,
  };

  it("sum up the stacks of a release", () => {
    expect(listPlaces(counts)).toEqual([
      {
        ...{ ...place, release: "1", count: 5, firstMs: 1, lastMs: 7 },
        reports: [
          ["b", 6],
          ["a", 5],
        ],
      },
      { ...other, release: "1", count: 4, firstMs: 3, lastMs: 3, reports: [] },
      { ...other, release: "2", count: 1, firstMs: 9, lastMs: 9, reports: [["c", 9]] },
    ]);
  });

  it("are found by a key, with the reports of all releases", () => {
    expect(toPlaceKey(place)).toBe("src/cart.tsx:41 readPrice");
    expect(findPlaceByKey(counts, toPlaceKey(other))).toEqual({
      ...{ ...other, count: 5, firstMs: 3, lastMs: 9 },
      reports: [["c", 9]],
    });
    for (const unknown of ["src/cart.tsx:42 readPrice", "src/cart.tsx:41", ""])
      expect(findPlaceByKey(counts, unknown)).toBeUndefined();
    expect(findPlaceByKey(undefined, toPlaceKey(place))).toBeUndefined();
  });

  it("of the newest release come first", () => {
    expect(selectPlace(counts, "2")).toEqual(other);
    expect(selectPlace(counts, "1")).toEqual(place);
    expect(selectPlace(counts, "3")).toEqual(place);
    expect(selectPlace(undefined, "1")).toBeUndefined();
  });

  it("of one release that differ are reported; a line that moved between releases is not", () => {
    expect(hasSeveralPlaces(listPlaces(counts))).toBe(true);
    const moved = { ...place, count: 1, firstMs: 1, lastMs: 1, reports: [] };
    const releases = ["1", "2"].map((release) => ({ ...moved, line: Number(release), release }));
    expect(hasSeveralPlaces(releases)).toBe(false);
  });

  it("take the place of a culprit", () => {
    expect(formatCulprit({ culprit: "a.js" })).toBe("a.js");
    expect(formatCulprit({ culprit: "a.js", place })).toBe("cart.tsx:41 in readPrice");
  });
});

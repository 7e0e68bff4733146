import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Frame } from "#src/core/report.ts";
import { toSourceLines } from "#src/ui/issue/stack/frame-row.tsx";
import { groupFrames, listPackages } from "#src/ui/issue/stack/original-frames.tsx";
import { abbreviate } from "#src/ui/parts/long-text.tsx";
import { formatNumber, pluralize, pluralizeTotal } from "#src/ui/parts/number.tsx";
import { safeHref } from "#src/ui/parts/safe-href.ts";
import { formatAbsoluteTime, formatClockTime, formatRelativeTime } from "#src/ui/parts/time.tsx";

const NOW_MS = Date.UTC(2026, 10, 21, 17, 41, 43);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe("a number", () => {
  it.each([
    [0, "0"],
    [7, "7"],
    [999, "999"],
    [1_000, "1,000"],
    [12_345, "12,345"],
    [1_234_567, "1,234,567"],
  ])("%d is formatted as %s", (count, text) => {
    expect(formatNumber(count)).toBe(text);
  });

  it("is formatted as in the English locale", () => {
    fc.assert(fc.property(fc.nat(), (count) => formatNumber(count) === count.toLocaleString("en")));
  });

  it("has its noun in the singular for one and in the plural otherwise", () => {
    expect(pluralize(1, "report")).toBe("1 report");
    expect(pluralize(2_000, "person", "people")).toBe("2,000 people");
  });

  it("has a plus if there may be more", () => {
    expect(pluralizeTotal({ total: 1_000, isTotalCapped: true }, "issue")).toBe("1,000+ issues");
    expect(pluralizeTotal({ total: 1 }, "issue")).toBe("1 issue");
  });
});

describe("a past time", () => {
  it.each([
    { agoMs: 0, text: "just now" },
    { agoMs: -30_000, text: "just now" },
    { agoMs: 12_000, text: "12 s ago" },
    { agoMs: 3 * MINUTE_MS, text: "3 min ago" },
    { agoMs: 5 * HOUR_MS, text: "5 h ago" },
    { agoMs: 30 * HOUR_MS, text: "yesterday" },
    { agoMs: 3 * DAY_MS, text: "3 days ago" },
    { agoMs: 20 * DAY_MS, text: "1 Nov" },
    { agoMs: 400 * DAY_MS, text: "17 Oct 2025" },
    { agoMs: -DAY_MS, text: "22 Nov" },
  ])("$agoMs ms ago is shown as $text", ({ agoMs, text }) => {
    expect(formatRelativeTime(NOW_MS - agoMs, NOW_MS)).toBe(text);
  });

  it("is exact in UTC, and unknown outside the range of dates", () => {
    expect(formatAbsoluteTime(NOW_MS)).toBe("21 Nov 2026, 17:41:43 UTC");
    expect(formatAbsoluteTime(Number.NaN)).toBe("unknown");
    expect(formatAbsoluteTime(1e300)).toBe("unknown");
  });
});

describe("a future time", () => {
  it.each([
    { inMs: HOUR_MS, text: "18:41 UTC" },
    { inMs: 7 * HOUR_MS, text: "22 Nov, 00:41 UTC" },
    { inMs: 7 * DAY_MS, text: "28 Nov, 17:41 UTC" },
    { inMs: 60 * DAY_MS, text: "20 Jan 2027, 17:41 UTC" },
    { inMs: 1e300, text: "unknown" },
  ])("in $inMs ms is shown as $text", ({ inMs, text }) => {
    expect(formatClockTime(NOW_MS + inMs, NOW_MS)).toBe(text);
  });
});

describe("a reported URL", () => {
  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "JAVA\tSCRIPT:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "blob:https://shop.example/1",
    "vbscript:x",
    "/cart",
    "//evil.example",
    "",
  ])("%j is never a link", (url) => {
    expect(safeHref(url)).toBeUndefined();
  });

  it("is a link without credentials if it is http(s)", () => {
    expect(safeHref("https://jane:secret@shop.example/cart")).toBe("https://shop.example/cart");
    expect(safeHref("http://shop.example/?q=1#a")).toBe("http://shop.example/?q=1#a");
  });
});

const app: Frame = { file: "src/cart.ts", inApp: true };
const library: Frame = { file: "/srv/node_modules/@hono/node/dist/x.js", inApp: false };

describe("a stack", () => {
  it("folds runs of library frames but never the frame that threw", () => {
    const groups = groupFrames([library, library, library, app, app, library]);
    expect(
      groups.map(({ firstIndex, frames, isFolded }) => [firstIndex, frames.length, isFolded]),
    ).toEqual([
      [0, 1, false],
      [1, 2, true],
      [3, 2, false],
      [5, 1, false],
    ]);
  });

  it("keeps every frame in order", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ inApp: fc.boolean(), line: fc.nat() })), (frames) => {
        expect(groupFrames(frames).flatMap((group) => group.frames)).toEqual(frames);
      }),
    );
  });

  it("lists the innermost packages once each", () => {
    const nested: Frame = { file: "node_modules/next/node_modules/react/index.js", inApp: false };
    const node: Frame = { file: "node:internal/timers", inApp: false };
    expect(listPackages([library, nested, library, node, app])).toEqual([
      "@hono/node",
      "react",
      "node",
    ]);
  });
});

describe("lines of source", () => {
  it("are numbered from the first sent line", () => {
    const lines = toSourceLines({
      ...app,
      line: 7,
      source: "b",
      sourceBefore: ["a"],
      sourceAfter: ["c"],
    });
    const plain = (text: string) => [{ kind: "plain", text }];
    expect(lines).toEqual([
      { number: 6, tokens: plain("a"), isThrowing: false },
      { number: 7, tokens: plain("b"), isThrowing: true },
      { number: 8, tokens: plain("c"), isThrowing: false },
    ]);
  });

  it("of a minified file show the part around the column", () => {
    const source = `${"x".repeat(1_000)}HERE${"y".repeat(1_000)}`;
    const [line] = toSourceLines({ ...app, line: 1, column: 1_001, source });
    const text = line?.tokens.map((token) => token.text).join("") ?? "";
    expect(text).toContain("HERE");
    expect(text.length).toBeLessThan(400);
  });
});

describe("an abbreviated text", () => {
  it("never splits a surrogate pair", () => {
    expect(abbreviate("ab😱cd", 3)).toBe("ab…");
    expect(abbreviate("ab😱cd", 4)).toBe("ab😱…");
    expect(abbreviate("ab", 2)).toBe("ab");
    expect(abbreviate(`a${"\u0301".repeat(99)}b`, 9)).toBe("a\u0301\u0301\u0301\u0301b");
  });
});

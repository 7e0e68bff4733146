import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { isDigest } from "#src/core/grouping/parse-digest.ts";
import { OTHER_ANONYMOUS_DIGEST } from "#src/core/issue/other-anonymous-reports.ts";
import { limits } from "#src/core/limits.ts";
import { processReport } from "#src/core/processing/process-report.ts";
import { serializeReport } from "#src/core/report/serialize-report.ts";
import type { Frame, ParsedReport } from "#src/core/report.ts";
import type { Trust } from "#src/core/trust/trust.ts";
import { selectShard } from "#src/store/kv/keys.ts";
import { toBytes } from "#support/bytes.ts";
import { createProcessingOptions, NOW_MS } from "#support/reports/processing-options.ts";

const DIGEST = digestFromHash(new Uint8Array(32).fill(7));
const ID = "5aaeee40d56b46ecbfb342d868e140ef";
const DAY_MS = 86_400_000;

const PARSED: ParsedReport = {
  kind: "error",
  side: "server",
  format: "next",
  type: "Error",
  message: "coupon has expired",
  frames: [],
};

const processed = (over: Partial<ParsedReport>) =>
  processReport({ ...PARSED, ...over }, createProcessingOptions());

/** The value of `REPORT_START` in `store/kv/stored-json.ts`. */
const REPORT_START = '{"v":1,';
const cutStart = (line: string) => line.slice(0, REPORT_START.length);
const LARGE_FRAMES: readonly Frame[] = Array.from({ length: 400 }, (_, n) => ({
  function: "f".repeat(limits.maxTypeChars),
  file: `https://shop.example/${"a".repeat(1_000)}.js`,
  line: n,
  inApp: true,
}));

describe("a report's id", () => {
  it("is the sender's id if there is one", () => {
    expect(processed({ id: ID, dedupeKey: "x" }).id).toBe(ID);
  });

  it("is derived from the dedupe key", () => {
    const [one, again, other] = ["x", "x", "y"].map((dedupeKey) => processed({ dedupeKey }).id);
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  it("is new if the sender's id is missing or invalid", () => {
    expect(processed({}).id).toBe("1".padStart(32, "0"));
    expect(processed({ id: "../../g/all" }).id).toBe("1".padStart(32, "0"));
  });
});

describe("a report with a fuzzy dedupe key", () => {
  const ids = (atMs: number, over: Partial<ParsedReport> = {}, sender = "1.2") =>
    processReport(
      { ...PARSED, fuzzyDedupeKey: "x", occurredAtMs: atMs, ...over },
      { ...createProcessingOptions(), sender },
    );

  it("shares an id with a retry whose clock differs by less than two seconds", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: -1_999, max: 1_999 }),
        (from, offMs) => {
          const first = ids(NOW_MS + from);
          const retry = ids(NOW_MS + from + offMs);
          expect([retry.id, retry.retryId]).toContain(first.id);
        },
      ),
    );
  });

  it("shares no id with a later repetition, another report or another sender's", () => {
    const first = ids(NOW_MS);
    const others = [
      ids(NOW_MS + 10_000),
      ids(NOW_MS, { fuzzyDedupeKey: "y" }),
      ids(NOW_MS, {}, "1.3"),
    ];
    for (const { id, retryId } of others) expect([id, retryId]).not.toContain(first.id);
  });

  it("belongs to the shard of its retry", () => {
    const { id, retryId } = ids(NOW_MS);
    for (const shards of [1, 2, 7, 64]) {
      expect(selectShard(retryId ?? "", shards)).toBe(selectShard(id, shards));
    }
  });
});

describe("noise", () => {
  const extension = (message: string) =>
    processed({
      side: "browser",
      message,
      frames: [{ file: "chrome-extension://abcdefghijklmnop/content.js", inApp: false }],
    });

  it("has its rule and is grouped by source rather than by message", () => {
    const [one, two] = [extension("x is not a function"), extension("no y")];
    expect(one).toMatchObject({ noise: "extension", message: "x is not a function" });
    expect(two?.digest).toBe(one?.digest);
    expect(processed({ side: "browser", message: "no y" }).digest).not.toBe(one?.digest);
  });

  it("does not include reports whose sender was shown a digest", () => {
    const file = "chrome-extension://abcdefghijklmnop/content.js";
    const frames = [{ file, inApp: false }];
    const report = processed({ side: "browser", message: "m", frames, linkedDigest: DIGEST });
    expect(report).toMatchObject({ digest: DIGEST, isLinked: true });
    expect(report.noise).toBeUndefined();
  });
});

describe("a report of Errata's own render", () => {
  const own = (over: Partial<ParsedReport>, trust: Trust) =>
    processReport({ ...PARSED, ...over }, { ...createProcessingOptions(), trust });

  const cases: readonly [name: string, over: Partial<ParsedReport>, trust: Trust, is: boolean][] = [
    ["an error of its render", { format: "render" }, "server", true],
    ["an error of a page of an application, with a token", { side: "browser" }, "page", false],
    ["an error of an application", {}, "server", false],
    ["a public report in the same format", { format: "render" }, "public", false],
    ["a public report with the same tag", { tags: [["from", "errata"]] }, "public", false],
  ];

  it.each(cases)(
    "is noise and tagged, in an issue separate from those of applications: %s",
    (...row) => {
      const [, over, trust, isOwn] = row;
      const report = own(over, trust);
      const other = processed({ ...over, format: "next" });
      expect(report.noise).toBe(isOwn ? "errata" : undefined);
      expect(report.digest === other.digest).toBe(!isOwn);
      if (isOwn) expect(report.tags).toContainEqual(["from", "errata"]);
    },
  );

  it("is not noise if it is linked to the issue of the digest that a visitor saw", () => {
    const report = own({ format: "render", linkedDigest: DIGEST }, "server");
    expect(report).toMatchObject({ digest: DIGEST, isLinked: true });
    expect(report.noise).toBeUndefined();
  });
});

describe("attachments", () => {
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

  it("are scrubbed if they are text and unchanged otherwise", () => {
    const attachments = [
      { name: "app.log", bytes: 60, text: `token ${secret}` },
      { name: "screen.png", bytes: 30, base64: btoa(secret) },
    ];
    const report = processed({ attachments });
    expect(report.attachments).toEqual([
      { name: "app.log", bytes: 60, text: "token [removed]" },
      attachments[1],
    ]);
    expect(report.scrubbedCount).toBe(1);
  });

  it("survive when a report is reduced to its essentials", () => {
    const file = { name: "f", bytes: 1, text: "x" };
    const stack = "\u0001".repeat(limits.maxReportBytes);
    const request = { url: "\u0001".repeat(limits.maxReportBytes) };
    const counted = { release: "2.4.0", environment: "production", traceId: "0af7" };
    const report = processed({
      stack,
      request: { ...request, route: "/pay" },
      attachments: [file],
      ...counted,
    });
    expect(report.truncated).toContain("everything");
    expect(report.attachments).toEqual([file]);
    expect(report).toMatchObject({ ...counted, request: { route: "/pay" } });
  });
});

describe("scrub settings", () => {
  it("remove email and IP addresses only if they are on", () => {
    const parsed = { ...PARSED, message: "no account for ann@example.com at 203.0.113.7" };
    expect(processReport(parsed, createProcessingOptions()).message).toBe(parsed.message);
    const scrub = { email: true, ip: true };
    expect(processReport(parsed, { ...createProcessingOptions(), scrub })).toMatchObject({
      message: "no account for [removed] at [removed]",
      scrubbedCount: 2,
    });
  });
});

describe("a report's time", () => {
  const times = [
    { name: "the sender's", occurredAtMs: NOW_MS - 5, expected: NOW_MS - 5 },
    {
      name: "the sender's, up to a minute ahead",
      occurredAtMs: NOW_MS + 60_000,
      expected: NOW_MS + 60_000,
    },
    {
      name: "the time of receipt for a clock further ahead",
      occurredAtMs: NOW_MS + 60_001,
      expected: NOW_MS,
    },
    {
      name: "the sender's, up to 30 days ago",
      occurredAtMs: NOW_MS - 30 * DAY_MS,
      expected: NOW_MS - 30 * DAY_MS,
    },
    {
      name: "the time of receipt for an older report",
      occurredAtMs: NOW_MS - 30 * DAY_MS - 1,
      expected: NOW_MS,
    },
    { name: "the time of receipt for NaN", occurredAtMs: Number.NaN, expected: NOW_MS },
  ];
  it.each(times)("is $name", ({ occurredAtMs, expected }) => {
    expect(processed({ occurredAtMs })).toMatchObject({
      occurredAtMs: expected,
      receivedAtMs: NOW_MS,
    });
  });

  it("is the time of receipt if the sender sends none", () => {
    expect(processed({}).occurredAtMs).toBe(NOW_MS);
  });
});

describe("a report's digest", () => {
  it("comes from its own grouping", () => {
    const report = processed({});
    expect(isDigest(report.digest)).toBe(true);
    expect(report.isLinked).toBe(false);
    expect(processed({}).digest).toBe(report.digest);
    expect(processed({ message: "the till is empty" }).digest).not.toBe(report.digest);
  });

  it("is the shown digest, and the report is linked", () => {
    expect(processed({ linkedDigest: DIGEST })).toMatchObject({ digest: DIGEST, isLinked: true });
  });

  it("is linked to the issue of its own grouping if the server behind it has reported it", () => {
    const carried = { linkedDigest: processed({}).digest, isCarried: true };
    expect(processed(carried)).toMatchObject({ digest: carried.linkedDigest, isLinked: true });
    expect(processed({ ...carried, isCarried: undefined }).isLinked).toBe(false);
    expect(processed(carried)).not.toHaveProperty("isCarried");
  });

  it("comes from its own grouping if the shown digest is invalid", () => {
    const report = processed({ linkedDigest: "7F3K-XXXX" });
    expect(report).toMatchObject({ digest: processed({}).digest, isLinked: false });
  });

  it("is never that of the issue for other anonymous reports", () => {
    const report = processed({ linkedDigest: OTHER_ANONYMOUS_DIGEST });
    expect(report).toMatchObject({ digest: processed({}).digest, isLinked: false });
  });

  it("depends on the route if the message is generic", () => {
    const [cart, home] = ["/cart", "/"].map(
      (route) => processed({ message: "error", request: { route } }).digest,
    );
    expect(cart).not.toBe(home);
  });
});

describe("a stored report", () => {
  it("has a version and no member that only ParsedReport has", () => {
    const report = processed({ id: ID, dedupeKey: "x", linkedDigest: DIGEST });
    expect(report).toEqual({
      kind: "error",
      trust: "server",
      side: "server",
      format: "next",
      type: "Error",
      message: "coupon has expired",
      frames: [],
      v: 1,
      id: ID,
      digest: DIGEST,
      isLinked: true,
      occurredAtMs: NOW_MS,
      receivedAtMs: NOW_MS,
      scrubbedCount: 0,
    });
  });

  it.each([
    { name: "a small report", fields: {} },
    { name: "a report that was shortened", fields: { frames: LARGE_FRAMES } },
  ])("begins with its version: $name", ({ fields }) => {
    const report = processed(fields);
    expect(report.truncated !== undefined).toBe("frames" in fields);
    expect(cutStart(serializeReport(report))).toBe(REPORT_START);
  });

  it("counts the removed secrets", () => {
    const message = "no access with Authorization: Bearer 0123456789abcdef0123456789abcdef";
    const report = processed({ message });
    expect(report.scrubbedCount).toBeGreaterThan(0);
    expect(report.message).not.toContain("0123456789abcdef");
  });

  it("does not change the parsed report", () => {
    const parsed: ParsedReport = Object.freeze({ ...PARSED, tags: Object.freeze([]) });
    expect(() => processReport(parsed, createProcessingOptions())).not.toThrow();
  });
});

describe("a report within limits.maxReportBytes", () => {
  const long = "\u0001".repeat(limits.maxStringChars);
  const frame: Frame = { function: long, file: long, inApp: true, source: long };
  const size = (report: unknown) => toBytes(report).length;

  const reductions = [
    {
      name: "detail first",
      over: { detail: Array.from({ length: 100 }, () => long) },
      truncated: ["detail"],
    },
    {
      name: "then breadcrumbs",
      over: { breadcrumbs: Array.from({ length: 100 }, () => ({ message: long })) },
      truncated: ["detail", "breadcrumbs"],
    },
    {
      name: "then source lines",
      over: { frames: Array.from({ length: 9 }, () => frame) },
      truncated: ["detail", "breadcrumbs", "source"],
    },
    {
      name: "then causes",
      over: {
        causes: Array.from({ length: 8 }, () => ({
          type: "E",
          message: "",
          frames: Array.from({ length: 50 }, () => frame),
        })),
      },
      truncated: ["detail", "breadcrumbs", "source", "causes"],
    },
    {
      name: "finally all but the essentials",
      over: { frames: Array.from({ length: 100 }, () => frame) },
      truncated: ["detail", "breadcrumbs", "source", "causes", "stack", "everything"],
    },
  ];
  it.each(reductions)("drops $name and lists it", ({ over, truncated }) => {
    const report = processed(over);
    expect(report.truncated).toEqual(truncated);
    expect(size(report)).toBeLessThanOrEqual(limits.maxReportBytes);
    expect(report.message).toBe(PARSED.message);
  });

  it("drops nothing if it fits", () => {
    const detail = "x".repeat(200_000);
    expect(processed({ detail })).toMatchObject({ detail });
    expect(processed({ detail }).truncated).toBeUndefined();
  });

  it("is the result for every parsed report, however large its parts", () => {
    const huge = fc.constantFrom("", "a", long, "x".repeat(50_000), "\u{1F600}".repeat(20_000));
    const changes = fc.record(
      {
        type: huge,
        message: huge,
        stack: huge,
        componentStack: huge,
        release: huge,
        traceId: huge,
        fingerprint: fc.array(huge),
        aliases: fc.array(huge),
        tags: fc.array(fc.tuple(huge, huge)),
        detail: huge,
        frames: fc.array(fc.record({ function: huge, file: huge, inApp: fc.boolean() })),
      },
      { requiredKeys: ["type", "message", "frames"] },
    );
    fc.assert(
      fc.property(changes, (over) => {
        const report = processed(over);
        expect(size(report)).toBeLessThanOrEqual(limits.maxReportBytes);
        expect(report).toMatchObject({ v: 1, kind: "error", receivedAtMs: NOW_MS });
      }),
      { numRuns: 40 },
    );
  });
});

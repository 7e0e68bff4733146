import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestFromHash, isDigest } from "../../../src/core/grouping/digest.ts";
import { limits } from "../../../src/core/limits.ts";
import { processReport } from "../../../src/core/processing/process-report.ts";
import type { Frame, ParsedReport } from "../../../src/core/report.ts";
import { selectShard } from "../../../src/store/kv/keys.ts";
import { bytes } from "../../support/bytes.ts";
import { finishFacts, NOW_MS } from "../../support/ingest-context.ts";

const OWN = digestFromHash(new Uint8Array(32).fill(7));
const ID = "5aaeee40d56b46ecbfb342d868e140ef";
const DAY_MS = 86_400_000;

const DRAFT: ParsedReport = {
  kind: "error",
  side: "server",
  format: "next",
  type: "Error",
  message: "coupon has expired",
  frames: [],
};

const finished = (over: Partial<ParsedReport>) =>
  processReport({ ...DRAFT, ...over }, finishFacts());

describe("a report's id", () => {
  it("is the sender's own where it has one", () => {
    expect(finished({ id: ID, dedupeKey: "x" }).id).toBe(ID);
  });

  it("is made from what makes it the same as its retry", () => {
    const [one, again, other] = ["x", "x", "y"].map((sameAs) => finished({ dedupeKey: sameAs }).id);
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  it("is minted otherwise, also where the sender's is none", () => {
    expect(finished({}).id).toBe("1".padStart(32, "0"));
    expect(finished({ id: "../../g/all" }).id).toBe("1".padStart(32, "0"));
  });
});

describe("a report without an id, whose retry is known by about when it happened", () => {
  const ids = (atMs: number, over: Partial<ParsedReport> = {}, sender = "1.2") =>
    processReport(
      { ...DRAFT, fuzzyDedupeKey: "x", occurredAtMs: atMs, ...over },
      { ...finishFacts(), sender },
    );

  it("shares an id with a retry whose clock is off by less than two seconds, on either side of any border", () => {
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

  it("shares none with the same report ten seconds later, with another one, or with another sender's", () => {
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
    finished({
      side: "browser",
      message,
      frames: [{ file: "chrome-extension://abcdefghijklmnop/content.js", inApp: false }],
    });

  it("is marked with its rule, and grouped by whose it is rather than by what broke", () => {
    const [one, two] = [extension("x is not a function"), extension("no y")];
    expect(one).toMatchObject({ noise: "extension", message: "x is not a function" });
    expect(two?.digest).toBe(one?.digest);
    expect(finished({ side: "browser", message: "no y" }).digest).not.toBe(one?.digest);
  });

  it("is nothing that belongs to a failed render", () => {
    const file = "chrome-extension://abcdefghijklmnop/content.js";
    const frames = [{ file, inApp: false }];
    const report = finished({ side: "browser", message: "m", frames, linkedDigest: OWN });
    expect(report).toMatchObject({ digest: OWN, isLinked: true });
    expect(report.noise).toBeUndefined();
  });
});

describe("attachments", () => {
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

  it("are scrubbed where they are text, and kept byte for byte where they are not", () => {
    const attachments = [
      { name: "app.log", bytes: 60, text: `token ${secret}` },
      { name: "screen.png", bytes: 30, base64: btoa(secret) },
    ];
    const report = finished({ attachments });
    expect(report.attachments).toEqual([
      { name: "app.log", bytes: 60, text: "token [removed]" },
      attachments[1],
    ]);
    expect(report.scrubbedCount).toBe(1);
  });

  it("survive a report that is cut to its essence", () => {
    const file = { name: "f", bytes: 1, text: "x" };
    const stack = "\u0001".repeat(limits.maxReportBytes);
    const request = { url: "\u0001".repeat(limits.maxReportBytes) };
    const counted = { release: "2.4.0", environment: "production", traceId: "0af7" };
    const report = finished({
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

describe("what is removed by setting", () => {
  it("stays where it is not asked for, and goes where it is", () => {
    const draft = { ...DRAFT, message: "no account for ann@example.com at 203.0.113.7" };
    expect(processReport(draft, finishFacts()).message).toBe(draft.message);
    const scrub = { email: true, ip: true };
    expect(processReport(draft, { ...finishFacts(), scrub })).toMatchObject({
      message: "no account for [removed] at [removed]",
      scrubbedCount: 2,
    });
  });
});

describe("a report's time", () => {
  const times = [
    { name: "the sender's", occurredAtMs: NOW_MS - 5, kept: NOW_MS - 5 },
    {
      name: "the sender's, up to a minute ahead",
      occurredAtMs: NOW_MS + 60_000,
      kept: NOW_MS + 60_000,
    },
    {
      name: "the receipt's for a clock further ahead",
      occurredAtMs: NOW_MS + 60_001,
      kept: NOW_MS,
    },
    {
      name: "the sender's, up to 30 days ago",
      occurredAtMs: NOW_MS - 30 * DAY_MS,
      kept: NOW_MS - 30 * DAY_MS,
    },
    {
      name: "the receipt's for what is older",
      occurredAtMs: NOW_MS - 30 * DAY_MS - 1,
      kept: NOW_MS,
    },
    { name: "the receipt's for no number", occurredAtMs: Number.NaN, kept: NOW_MS },
  ];
  it.each(times)("is $name", ({ occurredAtMs, kept }) => {
    expect(finished({ occurredAtMs })).toMatchObject({ occurredAtMs: kept, receivedAtMs: NOW_MS });
  });

  it("is the receipt's where the sender gives none", () => {
    expect(finished({}).occurredAtMs).toBe(NOW_MS);
  });
});

describe("a report's digest", () => {
  it("comes from its own grouping", () => {
    const report = finished({});
    expect(isDigest(report.digest)).toBe(true);
    expect(report.isLinked).toBe(false);
    expect(finished({}).digest).toBe(report.digest);
    expect(finished({ message: "the till is empty" }).digest).not.toBe(report.digest);
  });

  it("is the one that the sender was shown, and then the report is linked", () => {
    expect(finished({ linkedDigest: OWN })).toMatchObject({ digest: OWN, isLinked: true });
  });

  it("is its own where what was shown is no digest", () => {
    const report = finished({ linkedDigest: "7F3K-XXXX" });
    expect(report).toMatchObject({ digest: finished({}).digest, isLinked: false });
  });

  it("depends on the route where the message says nothing of its own", () => {
    const [cart, home] = ["/cart", "/"].map(
      (route) => finished({ message: "error", request: { route } }).digest,
    );
    expect(cart).not.toBe(home);
  });
});

describe("what is stored", () => {
  it("carries the version, and none of the draft's own members", () => {
    const report = finished({ id: ID, dedupeKey: "x", linkedDigest: OWN });
    expect(report).toEqual({
      kind: "error",
      side: "server",
      format: "next",
      type: "Error",
      message: "coupon has expired",
      frames: [],
      v: 1,
      id: ID,
      digest: OWN,
      isLinked: true,
      occurredAtMs: NOW_MS,
      receivedAtMs: NOW_MS,
      scrubbedCount: 0,
    });
  });

  it("counts the secrets that were removed", () => {
    const message = "no access with Authorization: Bearer 0123456789abcdef0123456789abcdef";
    const report = finished({ message });
    expect(report.scrubbedCount).toBeGreaterThan(0);
    expect(report.message).not.toContain("0123456789abcdef");
  });

  it("does not change the draft", () => {
    const draft: ParsedReport = Object.freeze({ ...DRAFT, tags: Object.freeze([]) });
    expect(() => processReport(draft, finishFacts())).not.toThrow();
  });
});

describe("a report within limits.maxReportBytes", () => {
  const long = "\u0001".repeat(limits.maxStringChars);
  const frame: Frame = { function: long, file: long, inApp: true, source: long };
  const size = (report: unknown) => bytes(report).length;

  const losses = [
    {
      name: "detail first",
      over: { detail: Array.from({ length: 100 }, () => long) },
      cut: ["detail"],
    },
    {
      name: "then breadcrumbs",
      over: { breadcrumbs: Array.from({ length: 100 }, () => ({ message: long })) },
      cut: ["detail", "breadcrumbs"],
    },
    {
      name: "then source lines",
      over: { frames: Array.from({ length: 9 }, () => frame) },
      cut: ["detail", "breadcrumbs", "source"],
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
      cut: ["detail", "breadcrumbs", "source", "causes"],
    },
    {
      name: "at last all but the essence",
      over: { frames: Array.from({ length: 100 }, () => frame) },
      cut: ["detail", "breadcrumbs", "source", "causes", "stack", "everything"],
    },
  ];
  it.each(losses)("loses $name, and says so", ({ over, cut }) => {
    const report = finished(over);
    expect(report.truncated).toEqual(cut);
    expect(size(report)).toBeLessThanOrEqual(limits.maxReportBytes);
    expect(report.message).toBe(DRAFT.message);
  });

  it("loses nothing while it fits", () => {
    const detail = "x".repeat(200_000);
    expect(finished({ detail })).toMatchObject({ detail });
    expect(finished({ detail }).truncated).toBeUndefined();
  });

  it("holds for every draft, however large its parts", () => {
    const huge = fc.constantFrom("", "a", long, "x".repeat(50_000), "\u{1F600}".repeat(20_000));
    const draft = fc.record(
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
      fc.property(draft, (over) => {
        const report = finished(over);
        expect(size(report)).toBeLessThanOrEqual(limits.maxReportBytes);
        expect(report).toMatchObject({ v: 1, kind: "error", receivedAtMs: NOW_MS });
      }),
      { numRuns: 40 },
    );
  });
});

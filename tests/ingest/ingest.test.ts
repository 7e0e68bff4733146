import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { limits } from "#src/core/limits.ts";
import { concatBytes, toBytes } from "#support/bytes.ts";
import { anyReport } from "#support/reports/any-report.ts";
import { listCaptures } from "#support/reports/captures.ts";
import { ingestBytes } from "#support/reports/ingest-bytes.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { createProcessingOptions, NOW_MS } from "#support/reports/processing-options.ts";

const OWN = digestFromHash(new Uint8Array(32).fill(7));
const ID = "5aaeee40d56b46ecbfb342d868e140ef";
const REPORTER = { errata: 1, id: ID, how: "uncaught", type: "TypeError", message: "no total" };
const event = (message: string, id: string) => JSON.stringify({ message, event_id: id });

async function take(body: Uint8Array | string, log = createMemoryLog(), more: object = {}) {
  const encoded = typeof body === "string" ? toBytes(body) : body;
  const ingested = await ingestBytes(encoded, {
    ...createProcessingOptions(),
    writer: log,
    ...more,
  });
  return { ingested, reports: [...log.reports.values()], log };
}

/** The outcomes' names, or the reason of a failure. */
async function findOutcomes(body: Uint8Array | string) {
  const { ingested } = await take(body);
  return ingested.ok ? ingested.value.outcomes.map(({ outcome }) => outcome) : ingested.reason;
}

describe("accepted items", () => {
  it("an accepted item is durable before its outcome is returned, with id and digest", async () => {
    const { ingested, reports } = await take(JSON.stringify(REPORTER));
    const [report] = reports;
    expect(ingested).toEqual({
      ok: true,
      value: {
        format: "reporter",
        id: ID,
        outcomes: [
          {
            outcome: "accepted",
            item: "uncaught",
            id: ID,
            digest: report?.digest,
            isDuplicate: false,
          },
        ],
      },
    });
  });

  it("a report sent twice counts once, and the second response says so", async () => {
    const { log } = await take(JSON.stringify(REPORTER));
    const { ingested } = await take(JSON.stringify(REPORTER), log);
    expect(ingested.ok && ingested.value.outcomes).toMatchObject([{ id: ID, isDuplicate: true }]);
    expect(log.reports.size).toBe(1);
  });

  it("an id that occurs twice in one body counts once", async () => {
    const item = `\n{"type":"event"}\n${event("m", ID)}`;
    const { ingested, reports } = await take(`{}${item}${item}`);
    expect(ingested.ok && ingested.value.outcomes).toMatchObject([
      { id: ID, isDuplicate: false },
      { id: ID, isDuplicate: true },
    ]);
    expect(reports).toHaveLength(1);
  });

  it("a report that a browser uploads again after a minute counts once", async () => {
    const report = { type: "deprecation", body: { id: "A" }, url: "https://a.example/", age: 10 };
    const { log } = await take(JSON.stringify([report]));
    const later = { ...createProcessingOptions(), nowMs: NOW_MS + 60_000, writer: log };
    await ingestBytes(toBytes(JSON.stringify([{ ...report, age: 60_010 }])), later);
    expect(log.reports.size).toBe(1);
  });

  it("a browser report with a shown digest is linked to that digest's issue", async () => {
    const { reports } = await take(JSON.stringify({ ...REPORTER, digest: OWN }));
    expect(reports[0]).toMatchObject({ digest: OWN, isLinked: true });
  });

  it("a browser report gets user agent, page and Ray ID from the request that brought it", async () => {
    const sender = {
      userAgent: "UA",
      referer: "https://a.example/cart",
      rayId: "8f1c2d3e4f5a6b7c",
    };
    const { reports } = await take(JSON.stringify(REPORTER), createMemoryLog(), sender);
    expect(reports[0]).toMatchObject({
      request: { userAgent: "UA", url: "https://a.example/cart" },
      rayId: "8f1c2d3e4f5a6b7c",
    });
  });

  it("a server report gets nothing from the request that brought it", async () => {
    const body = { message: "m", request: { path: "/a" }, context: {} };
    const sender = { userAgent: "node", referer: "https://a.example/", rayId: "8f1c2d3e4f5a6b7c" };
    const { reports } = await take(JSON.stringify(body), createMemoryLog(), sender);
    expect(reports[0]?.request).toEqual({ url: "/a", route: "/a" });
    expect(reports[0]?.rayId).toBeUndefined();
  });

  it("secrets are removed before a report reaches the log", async () => {
    const url = "https://a.example/cart?access_token=0123456789abcdef0123456789abcdef";
    const { reports } = await take(JSON.stringify({ ...REPORTER, url }));
    expect(JSON.stringify(reports)).not.toContain("0123456789abcdef0123456789abcdef");
    expect(reports[0]?.scrubbedCount).toBeGreaterThan(0);
  });
});

describe("bodies with some broken items", () => {
  const good = event("good", ID);
  const cases = [
    {
      name: "a broken event among good items",
      body: `{}\n{"type":"event"}\n{"mes\n{"type":"session"}\n{}\n{"type":"event"}\n${good}`,
      outcomes: ["invalid", "counted", "accepted"],
    },
    {
      name: "a framing that expected early",
      body: `{}\n{"type":"event"}\n${good}\n{"type":"event","length":9999}\n{}`,
      outcomes: ["accepted", "invalid"],
    },
    {
      name: "broken reports among good ones",
      body: JSON.stringify([{ type: "crash", body: null }, 1, {}, { type: "crash", body: {} }]),
      outcomes: ["accepted", "invalid", "invalid", "accepted"],
    },
  ];
  it.each(cases)("$name: the valid items are accepted", async ({ body, outcomes }) => {
    expect(await findOutcomes(body)).toEqual(outcomes);
  });
});

describe("bodies without accepted items", () => {
  const failures = [
    { name: "no known format", body: '{"hello":1}', reason: "unknown-format" },
    { name: "broken JSON", body: '{"errata":1,', reason: "not-json" },
    {
      name: "too many items",
      body: `{}\n${'{"type":"event"}\n{}\n'.repeat(limits.maxItems + 1)}`,
      reason: "too-many-items",
    },
    {
      name: "too many reports",
      body: `[${"0,".repeat(limits.maxReportsPerUpload)}0]`,
      reason: "too-many-items",
    },
    { name: "no envelope header", body: "", reason: "unknown-format" },
  ];
  it.each(failures)(
    "$name: fails with $reason, says what was expected and quotes nothing of the body",
    async ({ body, reason }) => {
      const { ingested, reports } = await take(body);
      expect(ingested).toMatchObject({ ok: false, reason, expected: expect.any(String) });
      expect(JSON.stringify(ingested)).not.toContain("hello");
      expect(reports).toEqual([]);
    },
  );

  it("when the log refuses, ingest fails with log-unavailable and accepts nothing", async () => {
    const log = createMemoryLog();
    log.refuse = new Error("overloaded");
    const { ingested } = await take(JSON.stringify(REPORTER), log);
    expect(ingested).toMatchObject({ ok: false, reason: "log-unavailable", cause: log.refuse });
  });

  it("counters must be durable too, even without a report", async () => {
    const log = createMemoryLog();
    expect((await take('{}\n{"type":"session"}\n{}', log)).ingested).toMatchObject({ ok: true });
    expect(log.counters).toEqual([[["counted", "session"], 1]]);
    log.refuse = new Error("overloaded");
    expect((await take('{}\n{"type":"session"}\n{}', log)).ingested).toMatchObject({ ok: false });
  });
});

describe("hostile bodies", () => {
  const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  const xss = "<img src=x onerror=alert(1)>\"'</script>";
  const hostile: readonly { name: string; body: string | Uint8Array; expected: unknown }[] = [
    { name: "100,000 levels as a body", body: deep(100_000), expected: "too-deep" },
    {
      name: "100,000 levels as an event",
      body: `{}\n{"type":"event"}\n${deep(100_000)}`,
      expected: ["invalid"],
    },
    {
      name: "levels that are kept are cut",
      body: `{"message":"m","extra":{"a":${deep(50)}}}`,
      expected: ["accepted"],
    },
    {
      name: "a length of nine quadrillion",
      body: '{}\n{"type":"event","length":9007199254740991}\n{}',
      expected: ["invalid"],
    },
    {
      name: "a length of one for an event",
      body: '{}\n{"type":"event","length":1}\n{"message":"m"}',
      expected: ["invalid"],
    },
    {
      name: "invalid UTF-8 in a message",
      body: concatBytes('{"errata":1,"message":"', new Uint8Array([0xff, 0xc0, 0xaf]), '"}'),
      expected: ["accepted"],
    },
    { name: "nothing but 0xff", body: new Uint8Array(1000).fill(0xff), expected: "unknown-format" },
    {
      name: "a __proto__ member",
      body: '{"errata":1,"message":"m","__proto__":{"kind":"x","digest":"1"}}',
      expected: ["accepted"],
    },
    {
      name: "__proto__ in contexts",
      body: '{"message":"m","contexts":{"__proto__":{"polluted":1},"constructor":{"prototype":{}}}}',
      expected: ["accepted"],
    },
    {
      name: "a line of 4 MB as an event",
      body: `{}\n{"type":"event"}\n{"message":"${"x".repeat(4_000_000)}"}`,
      expected: ["invalid"],
    },
    {
      name: "a line of 4 MB as an envelope header",
      body: `{"dsn":"${"x".repeat(4_000_000)}"}\n{"type":"event"}\n{}`,
      expected: "too-large",
    },
    {
      name: "a line of 4 MB as a report in an upload",
      body: `[{"type":"crash","body":{"reason":"${"x".repeat(4_000_000)}"}}]`,
      expected: ["accepted"],
    },
    {
      name: "10,000 items",
      body: `{}\n${'{"type":"session"}\n{}\n'.repeat(10_000)}`,
      expected: "too-many-items",
    },
    {
      name: "a million numbers as reports",
      body: `[${"0,".repeat(1_000_000)}0]`,
      expected: "too-many-items",
    },
    {
      name: "100,000 frames",
      body: JSON.stringify({
        exception: [{ type: "E", stacktrace: { frames: Array(100_000).fill(0) } }],
      }),
      expected: ["accepted"],
    },
    {
      name: "100,000 tags",
      body: JSON.stringify({ message: "m", tags: Array(50_000).fill(["a", "b"]) }),
      expected: ["accepted"],
    },
    {
      name: "100,000 headers",
      body: JSON.stringify({
        message: "m",
        request: { headers: Array(50_000).fill(["accept", "b"]) },
      }),
      expected: ["accepted"],
    },
    {
      name: "markup in every field",
      body: JSON.stringify({
        errata: 1,
        how: xss,
        type: xss,
        message: xss,
        stack: xss,
        url: `javascript:${xss}`,
        digest: xss,
        release: xss,
      }),
      expected: ["accepted"],
    },
    {
      name: "a stack of one endless line",
      body: JSON.stringify({ errata: 1, message: "m", stack: `at ${"a(".repeat(400_000)}` }),
      expected: ["accepted"],
    },
    {
      name: "numbers where text belongs",
      body: JSON.stringify({ errata: 1, message: 1, type: 2, stack: 3, url: 4, at: "x", id: 5 }),
      expected: ["accepted"],
    },
    {
      name: "lone surrogates",
      body: '{"errata":1,"message":"\\ud800\\udfff\\udc00"}',
      expected: ["accepted"],
    },
  ];
  it.each(hostile)("$name: $expected", async ({ body, expected }) => {
    const started = process.cpuUsage().user;
    const { ingested, reports } = await take(body);
    const outcomes = ingested.ok
      ? ingested.value.outcomes.map(({ outcome }) => outcome)
      : ingested.reason;
    expect(outcomes).toEqual(expected);
    for (const report of reports) {
      expect(toBytes(report).length).toBeLessThanOrEqual(limits.maxReportBytes);
      expect(Object.getPrototypeOf(report)).toBe(Object.prototype);
    }
    expect(process.cpuUsage().user - started).toBeLessThan(2_000_000);
  });

  it("no body changes Object.prototype", () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("markup is stored as text", async () => {
    const { reports } = await take(
      JSON.stringify({ errata: 1, how: xss, type: "T", message: xss }),
    );
    expect(reports[0]?.message).toBe(xss);
    expect(reports[0]?.tags).toContainEqual(["how", "unknown"]);
  });
});

describe("outcomes", () => {
  it("there is one outcome per item, and the log holds every accepted report", async () => {
    const items = fc.array(
      fc.oneof(
        anyReport.map((value) => ({ type: "event", payload: JSON.stringify(value) ?? "" })),
        fc.record({
          type: fc.constantFrom("event", "session", "invention"),
          payload: fc.constantFrom("{}", "", '{"message":"m"}'),
        }),
      ),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(items, async (encoded) => {
        const lines = encoded.flatMap(({ type, payload }) => {
          const length = toBytes(payload).length;
          return [JSON.stringify({ type, length }), payload];
        });
        const { ingested, reports } = await take(["{}", ...lines].join("\n"));
        if (!ingested.ok) throw new Error(ingested.reason);
        expect(ingested.value.outcomes).toHaveLength(encoded.length);
        const accepted = ingested.value.outcomes.filter(
          (outcome) => outcome.outcome === "accepted" && !outcome.isDuplicate,
        );
        expect(reports).toHaveLength(accepted.length);
      }),
      { numRuns: 100 },
    );
  });

  it("ingest never rejects, whatever the body", async () => {
    const damaged = fc
      .tuple(
        fc.constantFrom(...listCaptures().map(({ body }) => body)),
        fc.nat(),
        fc.uint8Array({ maxLength: 3 }),
      )
      .map(([body, at, noise]) => {
        const cut = at % (body.length + 1);
        return concatBytes(
          body.subarray(0, cut),
          noise,
          body.subarray(Math.min(body.length, cut + 2)),
        );
      });
    await fc.assert(
      fc.asyncProperty(fc.oneof(damaged, fc.uint8Array(), anyReport.map(toBytes)), async (body) => {
        const { ingested, reports } = await take(body);
        expect(ingested).toHaveProperty("ok");
        for (const report of reports) {
          expect(toBytes(report).length).toBeLessThanOrEqual(limits.maxReportBytes);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("the settings of the project", () => {
  const python = (caller: string) => ({
    platform: "python",
    exception: {
      values: [
        {
          type: "ValueError",
          value: "parameter is missing",
          stacktrace: {
            frames: [
              { module: "shop.bill", function: caller, in_app: true },
              { module: "shop.http", function: "require", in_app: true },
            ],
          },
        },
      ],
    },
  });
  const body = toBytes(
    `{}${["show", "list"].map((caller) => `\n{"type":"event"}\n${JSON.stringify(python(caller))}`).join("")}`,
  );

  it("split a digest by stack", async () => {
    const { reports } = await take(body);
    const [digest = "", ...others] = reports.map((report) => report.digest);
    expect(others).toEqual([digest]);
    const split = await take(body, createMemoryLog(), { splitDigests: [digest] });
    const digests = split.reports.map((report) => report.digest);
    expect(new Set([digest, ...digests]).size).toBe(3);
  });
});

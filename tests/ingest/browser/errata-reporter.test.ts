import { describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { parseReporterBody } from "#src/ingest/browser/errata-reporter.ts";
import { getReport, listOutcomes } from "#support/reports/parsed-items.ts";

const OWN = digestFromHash(new Uint8Array(32).fill(7));
const ID = "5aaeee40d56b46ecbfb342d868e140ef";
const FULL = {
  errata: 1,
  id: ID,
  how: "uncaught",
  type: "TypeError",
  message: "no total",
  stack: "TypeError: no total\n    at priceOf (https://shop.example/assets/cart.js:3:9)",
  componentStack: "\n    at Cart",
  digest: OWN,
  reportId: "907b860c8f4a4e538510cd6974d88cbc",
  url: "https://shop.example/cart?step=2",
  at: 1795277313733,
  release: "web@2",
  environment: "production",
  language: "de",
  viewport: "390x844",
};

const read = (body: object) =>
  getReport(parseReporterBody({ errata: 1, message: "m", ...body })[0]);

describe("parseReporterBody", () => {
  it.each([
    [
      "Hermes",
      "Error: x\n    at pay (address at index.android.bundle:1:234567)\n    at next (native)",
      [
        { function: "pay", file: "index.android.bundle", line: 1, column: 234567, inApp: true },
        { function: "next", inApp: false },
      ],
    ],
    [
      "V8 in React Native",
      "Error: boom\n    at Object.onPress(index.android.bundle:2342:3773)\n    at s.handle(index.android.bundle:214:2048)",
      [
        {
          function: "Object.onPress",
          file: "index.android.bundle",
          line: 2342,
          column: 3773,
          inApp: true,
        },
        {
          function: "s.handle",
          file: "index.android.bundle",
          line: 214,
          column: 2048,
          inApp: true,
        },
      ],
    ],
  ])("reads the frames of %s", (_engine, stack, frames) => {
    expect(read({ stack }).frames).toEqual(frames);
  });

  it("reads every member", () => {
    expect(parseReporterBody(FULL)).toEqual([
      {
        item: "uncaught",
        report: {
          id: ID,
          kind: "error",
          side: "browser",
          format: "reporter",
          occurredAtMs: 1795277313733,
          type: "TypeError",
          message: "no total",
          level: "error",
          frames: [
            {
              function: "priceOf",
              file: "https://shop.example/assets/cart.js",
              line: 3,
              column: 9,
              inApp: true,
            },
          ],
          stack: FULL.stack,
          componentStack: FULL.componentStack,
          linkedDigest: OWN,
          request: { url: "https://shop.example/cart?step=2", route: "/cart" },
          release: "web@2",
          environment: "production",
          tags: [
            ["how", "uncaught"],
            ["report", FULL.reportId],
            ["language", "de"],
            ["viewport", "390x844"],
          ],
        },
      },
    ]);
  });

  it("needs no type or message for a notice", () => {
    const [notice] = parseReporterBody({ errata: 1, how: "notice", digest: OWN });
    expect(getReport(notice)).toMatchObject({
      kind: "notice",
      type: "Notice",
      message: "",
      linkedDigest: OWN,
    });
  });

  it.each(["uncaught", "rejection", "caught", "chunk", "invention"])(
    "reads %s as an error, and its source as a tag",
    (how) => {
      const report = read({ how });
      expect(report.kind).toBe("error");
      expect(report.tags).toContainEqual(["how", how]);
    },
  );

  const digests = [
    { name: "written as shown", digest: OWN, linkedDigest: OWN, aliases: undefined },
    {
      name: "written forgivingly",
      digest: ` ${OWN.toLowerCase().replace("-", "")} `,
      linkedDigest: OWN,
      aliases: undefined,
    },
    {
      name: "of another framework",
      digest: "2338823894@E394",
      linkedDigest: undefined,
      aliases: ["2338823894"],
    },
    { name: "empty", digest: "", linkedDigest: undefined, aliases: undefined },
  ];
  it.each(digests)("reads a digest $name", ({ digest, linkedDigest, aliases }) => {
    const report = read({ digest });
    expect({ linkedDigest: report.linkedDigest, aliases: report.aliases }).toEqual({
      linkedDigest,
      aliases,
    });
  });

  it.each([
    [true, true],
    ["true", undefined],
    [undefined, undefined],
  ])("is carried from the server behind its sender only with true: %j", (isCarried, expected) => {
    expect(read({ digest: OWN, isCarried }).isCarried).toBe(expected);
  });

  it.each([
    {
      name: "another version",
      body: { errata: 2, message: "m" },
      outcome: "unknown → invalid missing-field",
    },
    {
      name: "no version",
      body: { errata: null, how: "caught", message: "m" },
      outcome: "caught → invalid missing-field",
    },
    {
      name: "neither a type nor a message",
      body: { errata: 1, how: "caught" },
      outcome: "caught → invalid missing-field",
    },
    { name: "no object", body: [], outcome: "report → invalid not-an-object" },
    {
      name: "a way of noticing that is not a word",
      body: { errata: 1, how: "<b>", message: "m" },
      outcome: "unknown → error",
    },
  ])("$name: $outcome", ({ body, outcome }) => {
    expect(listOutcomes(parseReporterBody(body))).toEqual([outcome]);
  });

  it("ignores an invalid id", () => {
    expect(read({ id: "1" }).id).toBeUndefined();
  });
});

describe("a batch of the reporter", () => {
  it("applies its members to each report", () => {
    const batch = { errata: 1, release: "shop@3", url: "/a", reports: [{ message: "one" }, FULL] };
    const [first, second] = parseReporterBody(batch).map(getReport);
    expect(first).toMatchObject({ message: "one", release: "shop@3", request: { url: "/a" } });
    expect(second).toMatchObject({ message: "no total", release: "web@2" });
  });

  it("has one outcome for each entry, and counts the reports that the sender dropped", () => {
    const batch = { errata: 1, dropped: 7, reports: [{ how: "caught", type: "E" }, 5, {}] };
    expect(listOutcomes(parseReporterBody(batch))).toEqual([
      "caught → error",
      "report → invalid not-an-object",
      "unknown → invalid missing-field",
      "dropped → counted",
    ]);
  });

  it("is invalid if its reports are no list", () => {
    expect(parseReporterBody({ errata: 1, reports: "none" })).toMatchObject([
      { outcome: "invalid", reason: "missing-field" },
    ]);
  });

  it("stores the first 100 reports", () => {
    const reports = Array.from({ length: 130 }, () => ({ message: "m" }));
    const items = parseReporterBody({ errata: 1, reports });
    expect(items.filter((item) => "report" in item)).toHaveLength(100);
    expect(items.slice(100)).toEqual(
      Array.from({ length: 30 }, () => expect.objectContaining({ reason: "over-count" })),
    );
  });
});

describe("a report of a server", () => {
  it("has the request, the route, the response and the trace that the server names", () => {
    const report = read({
      side: "server",
      how: "render",
      route: "/cart/:id",
      status: 200,
      trace: "0AF7651916CD43DD8448EB211C80319C",
      request: { method: "POST", url: "/cart/7", headers: { cookie: "a=1", host: "shop.example" } },
      fields: { code: "E42" },
      tags: { router: "app" },
    });
    expect(report).toMatchObject({
      side: "server",
      traceId: "0af7651916cd43dd8448eb211c80319c",
      response: { status: 200, isSilent200: true },
      request: {
        method: "POST",
        url: "/cart/7",
        route: "/cart/:id",
        headers: [["host", "shop.example"]],
      },
      detail: { error: { code: "E42" } },
      tags: [
        ["how", "render"],
        ["router", "app"],
      ],
    });
  });

  it("is found by the Ray ID of its request, and a browser's is not", () => {
    const request = { headers: [["CF-Ray", "8f1c2d3e4f5a6b7c-FRA"]] };
    expect(read({ side: "server", request }).rayId).toBe("8f1c2d3e4f5a6b7c-FRA");
    expect(read({ request }).rayId).toBeUndefined();
    expect(read({ side: "server" }).rayId).toBeUndefined();
  });

  it.each([0, 99, 600, 200.5, "500", null])("has no response of status %s", (status) => {
    expect(read({ status }).response).toBeUndefined();
  });

  it("has the debug ids of the files in its stack", () => {
    const stack = "Error: x\n    at pay (https://shop.example/a.js:3:9)";
    const debugIds = {
      "Error\n    at https://shop.example/a.js:1:1": "8e42a5f0-0000-4000-8000-0123456789ab",
      "Error\n    at https://shop.example/b.js:1:1": "9e42a5f0-0000-4000-8000-0123456789ab",
    };
    expect(read({ stack, debugIds }).detail).toMatchObject({
      debug_meta: { images: [{ code_file: "https://shop.example/a.js" }] },
    });
  });

  it("has causes whose parents come before them", () => {
    const report = read({
      isGroup: true,
      causes: [
        { type: "A", message: "a", stack: "A: a\n    at f (/srv/a.js:1:2)" },
        { type: "B", message: "b", parent: 0, isGroup: true },
        { type: "C", message: "c", parent: 9 },
        "no cause",
      ],
    });
    expect(report.isGroup).toBe(true);
    expect(report.causes).toEqual([
      {
        type: "A",
        message: "a",
        frames: [{ function: "f", file: "/srv/a.js", line: 1, column: 2, inApp: true }],
      },
      { type: "B", message: "b", frames: [], parent: 0, isGroup: true },
      { type: "C", message: "c", frames: [] },
      { type: "Error", message: "", frames: [] },
    ]);
  });
});

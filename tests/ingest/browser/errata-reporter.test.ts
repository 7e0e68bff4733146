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

  it.each(["uncaught", "rejection", "recovered", "caught", "mismatch", "chunk", "invention"])(
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

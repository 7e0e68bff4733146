/** The issues of one shop in Python, Ruby, Go, PHP and Java, from captures of their SDKs. */
import { describe, expect, it } from "vitest";
import type { Report } from "#src/core/report.ts";
import { readCapture } from "#support/reports/captures.ts";
import { ingestBytes } from "#support/reports/ingest-bytes.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { createProcessingOptions } from "#support/reports/processing-options.ts";

/** The value of the credentials in the captures of requests. */
const TILL_SECRET = "qT9zr4Kx81";

async function ingestCapture(name: string): Promise<Report> {
  const log = createMemoryLog();
  const scrub = { email: false, ip: false };
  const context = { ...createProcessingOptions(), trust: "server" as const, scrub, writer: log };
  const ingested = await ingestBytes(readCapture(name).body, context);
  const [report] = log.reports.values();
  if (!ingested.ok || report === undefined) throw new Error(`${name}: no report`);
  return report;
}

const BUGS = [
  { sdk: "sentry-python", bugs: ["ship", "bill", "cause", "pack-group", "print-group"] },
  { sdk: "sentry-python-1", bugs: ["ship", "pack-group", "print-group"] },
  { sdk: "sentry-ruby", bugs: ["ship", "bill", "cause", "label", "weigh", "count"] },
  {
    sdk: "sentry-go",
    bugs: ["ship", "bill", "cause", "label", "label-method"],
  },
  {
    sdk: "sentry-php",
    bugs: ["ship", "bill", "cause", "closure", "weigh", "count", "warning", "warning-2"],
  },
  { sdk: "sentry-java", bugs: ["ship", "bill", "cause", "lambda", "check"] },
];

describe("captures of servers in other languages", () => {
  it.each(BUGS)("$sdk: different bugs are different issues", async ({ sdk, bugs }) => {
    const digests = new Map<string, string>();
    for (const bug of bugs) {
      const { digest } = await ingestCapture(`${sdk}.${bug}`);
      expect.soft(digests.get(digest), `the other bug in the issue of ${bug}`).toBeUndefined();
      digests.set(digest, bug);
    }
  });

  it.each([
    ["sentry-python.ship", "sentry-python.ship-edited"],
    ["sentry-python.ship", "sentry-python.request"],
    ["sentry-python.ship", "sentry-python-1.ship"],
    ["sentry-python.message", "sentry-python.message-other-values"],
    ["sentry-python.message", "sentry-python-1.message"],
    ["sentry-ruby.ship", "sentry-ruby.ship-edited"],
    ["sentry-ruby.ship", "sentry-ruby.request"],
    ["sentry-ruby.message", "sentry-ruby.message-other-values"],
    ["sentry-go.ship", "sentry-go.ship-edited"],
    // A deferred closure, a helper or the handler of the SDK recovers.
    ["sentry-go.ship", "sentry-go.ship-in-helper"],
    ["sentry-go.bill", "sentry-go.bill-in-helper"],
    ["sentry-go.ship", "sentry-go.request"],
    ["sentry-go.message", "sentry-go.message-other-values"],
    ["sentry-php.ship", "sentry-php.ship-edited"],
    ["sentry-php.ship", "sentry-php.request"],
    ["sentry-php.message", "sentry-php.message-other-values"],
    ["sentry-java.ship", "sentry-java.ship-edited"],
    // join() wraps the error that another thread threw.
    ["sentry-java.ship", "sentry-java.async"],
    // close() failed as well, after the error.
    ["sentry-java.check", "sentry-java.suppressed"],
    ["sentry-java.message", "sentry-java.message-other-values"],
  ])("%s and %s are one issue", async (first, second) => {
    expect((await ingestCapture(second)).digest).toBe((await ingestCapture(first)).digest);
  });

  it.each(["python", "ruby", "go", "php"])("%s: no credentials are stored", async (language) => {
    const report = await ingestCapture(`sentry-${language}.request`);
    expect(report.request?.userAgent).toBe("till/3.1");
    expect(JSON.stringify(report)).not.toContain(TILL_SECRET);
  });

  it("the frames of a runtime are not the application's, if the SDK does not say so", async () => {
    const { causes, frames } = await ingestCapture("sentry-java.async");
    expect(frames.filter(({ inApp }) => inApp)).toEqual([]);
    expect(causes?.[0]?.frames[0]).toMatchObject({ function: "ship", inApp: true });
    const go = await ingestCapture("sentry-go.request");
    const standard = go.frames.filter(({ module }) => module === "net/http");
    expect(standard.map(({ inApp }) => inApp)).toEqual([false]);
  });

  it("a log message of Java is no crash, though its thread says so", async () => {
    expect(await ingestCapture("sentry-java.message")).toMatchObject({
      kind: "message",
      template: { text: "order {0} waits for {1}" },
    });
  });

  it("a log message of Python has its values, if the SDK sends the template alone", async () => {
    expect(await ingestCapture("sentry-python-1.message")).toMatchObject({
      message: "order 1017 waits for an address",
      template: { text: "order %s waits for %s", params: [1017, "an address"] },
    });
  });
});

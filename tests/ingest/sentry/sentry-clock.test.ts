import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_DATE_MS } from "#src/core/utc-time.ts";
import { parseSentryEnvelope } from "#src/ingest/sentry/envelope-items.ts";
import { toBytes } from "#support/bytes.ts";
import { getReport } from "#support/reports/parsed-items.ts";
import { NOW_MS } from "#support/reports/processing-options.ts";

const HOUR_MS = 3_600_000;

/** The report of an event that occurred two seconds before it was sent. */
function receive(sentAtMs: number | undefined, item: object = { message: "m" }) {
  const at = ((sentAtMs ?? NOW_MS) - 2_000) / 1_000;
  const header = sentAtMs === undefined ? {} : { sent_at: new Date(sentAtMs).toISOString() };
  const event = { timestamp: at, breadcrumbs: [{ message: "b", timestamp: at - 1 }, {}], ...item };
  const lines = [header, { type: "event" }, event].map((line) => JSON.stringify(line));
  const parsed = parseSentryEnvelope(toBytes(lines.join("\n")), { nowMs: NOW_MS });
  if (!parsed.ok) throw new Error(parsed.reason);
  return getReport(parsed.value.items[0]);
}

describe("the clock of a sender", () => {
  it.each([
    { name: "three hours slow", skewMs: -3 * HOUR_MS },
    { name: "three hours fast", skewMs: 3 * HOUR_MS },
    { name: "years slow", skewMs: -20 * 365 * 24 * HOUR_MS },
  ])("that is $name is corrected, and stated", ({ skewMs }) => {
    const { occurredAtMs, breadcrumbs, clockSkewMs } = receive(NOW_MS + skewMs);
    expect(clockSkewMs).toBe(skewMs);
    expect(occurredAtMs).toBe(NOW_MS - 2_000);
    expect(breadcrumbs?.map(({ atMs }) => atMs)).toEqual([NOW_MS - 3_000, undefined]);
  });

  it.each([
    { name: "right", sentAtMs: NOW_MS },
    { name: "a minute slow", sentAtMs: NOW_MS - 60_000 },
    { name: "unknown", sentAtMs: undefined },
  ])("that is $name is left alone", ({ sentAtMs }) => {
    const report = receive(sentAtMs);
    expect(report).not.toHaveProperty("clockSkewMs");
    expect(report.occurredAtMs).toBe((sentAtMs ?? NOW_MS) - 2_000);
  });

  it("is corrected for feedback, and for an event without a time", () => {
    const feedback = { type: "feedback", contexts: { feedback: { message: "m" } } };
    expect(receive(NOW_MS - HOUR_MS, feedback).occurredAtMs).toBe(NOW_MS - 2_000);
    const undated = receive(NOW_MS - HOUR_MS, { message: "m", timestamp: null });
    expect(undated).toHaveProperty("occurredAtMs", undefined);
  });

  it("never gives a time before 1970, or after the last date", () => {
    const sentAt = fc.integer({ min: 0, max: 4_000_000_000_000 });
    const time = fc.oneof(sentAt, fc.integer({ min: 0, max: MAX_DATE_MS }));
    fc.assert(
      fc.property(sentAt, time, (sentAtMs, timestamp) => {
        const { breadcrumbs } = receive(sentAtMs, { message: "m", breadcrumbs: [{ timestamp }] });
        const [crumb] = breadcrumbs ?? [];
        expect(crumb?.atMs).toBeGreaterThanOrEqual(0);
        expect(crumb?.atMs).toBeLessThanOrEqual(MAX_DATE_MS);
      }),
      { examples: [[0, MAX_DATE_MS]] },
    );
  });
});

/**
 * Corrects the clock of a sender. An SDK writes into the envelope when it sends it by its own
 * clock, so a clock that is hours slow or fast is noticed.
 * Source: Sentry develop docs › Envelopes › Headers, `sent_at`; relay-event-normalization,
 * clock_drift.rs.
 */
import { parseTimeMs } from "../../core/decode/as-type.ts";
import type { ParsedReport } from "../../core/report.ts";

/** A smaller difference may be the time of the upload. */
const MIN_SKEW_MS = 60_000;

/** The sender's clock minus Errata's, ms. Undefined if it is small or unknown. */
export function measureClockSkew(sentAt: unknown, receivedAtMs: number): number | undefined {
  const sentAtMs = parseTimeMs(sentAt);
  if (sentAtMs === undefined) return undefined;
  const skewMs = sentAtMs - receivedAtMs;
  return Math.abs(skewMs) > MIN_SKEW_MS ? skewMs : undefined;
}

/** The report with its times by Errata's clock. */
export function correctTimes(report: ParsedReport, skewMs: number): ParsedReport {
  const { occurredAtMs, breadcrumbs } = report;
  return {
    ...report,
    clockSkewMs: skewMs,
    ...(occurredAtMs !== undefined && { occurredAtMs: correct(occurredAtMs, skewMs) }),
    ...(breadcrumbs !== undefined && {
      breadcrumbs: breadcrumbs.map(({ atMs, ...breadcrumb }) => ({
        ...(atMs !== undefined && { atMs: correct(atMs, skewMs) }),
        ...breadcrumb,
      })),
    }),
  };
}

/** A time of 1970 by a clock of 2100 is not before 1970. */
function correct(atMs: number, skewMs: number): number {
  return Math.max(0, atMs - skewMs);
}

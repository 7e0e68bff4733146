/** The wire formats that ingest accepts. A new one is a line here. */

import { cspReport } from "./browser/csp-violation.ts";
import { reporter } from "./browser/errata-reporter.ts";
import { reportingApi } from "./browser/reporting-api.ts";
import { securityReport } from "./browser/security-report.ts";
import { cloudflareNotification } from "./cloudflare-notification.ts";
import type { IngestFormat } from "./format/ingest-format.ts";
import { minidump } from "./minidump/minidump-upload.ts";
import { next } from "./next-request-error.ts";
import { otlpLogs, otlpTraces } from "./otlp/otlp-formats.ts";
import { sentryEnvelope, sentryEvent } from "./sentry/sentry-formats.ts";

/** In the order of detection: those that the fewest other bodies resemble come first. */
export const INGEST_FORMATS: readonly IngestFormat[] = [
  minidump,
  otlpLogs,
  otlpTraces,
  reporter,
  cspReport,
  securityReport,
  reportingApi,
  next,
  cloudflareNotification,
  sentryEvent,
  sentryEnvelope,
];

/** The `format` of every report: those of the table, and of Errata's own renders and tails. */
export const REPORT_FORMATS: readonly string[] = [
  ...new Set([
    "render",
    "tail",
    ...INGEST_FORMATS.flatMap(({ reportFormat }) => reportFormat ?? []),
  ]),
];

/** The context of one ingest request. */

import type { ReportWriter } from "../core/ports/storage-ports.ts";
import type { ProcessingOptions } from "../core/processing/process-report.ts";
import type { Digest, ParsedReport, ReportId } from "../core/report.ts";
import type { ParseOptions } from "./parse-body.ts";

/** Parameters of ingest besides the bytes. */
export interface IngestContext extends ProcessingOptions, ParseOptions {
  readonly writer: ReportWriter;
  /** The issue that counts the report with this id; null when unknown. Feedback names a report. */
  readonly findDigest?: (id: ReportId) => Promise<Digest | null>;
  /** The page token in the query of the request. */
  readonly pageToken?: string;
  /** The reports that a page token raises to trust `page`; none if it is invalid. Never rejects. */
  readonly findPageReports?: (
    token: string,
    reports: readonly ParsedReport[],
  ) => Promise<ReadonlySet<ParsedReport>>;
  /** Defaults from the request: trace of the visitor's page, release in the query. */
  readonly defaults?: Pick<ParsedReport, "pageTraceId" | "release" | "environment">;
  /** From the request of the body: a browser report often contains none of these. */
  readonly userAgent?: string;
  readonly rayId?: string;
  readonly referer?: string;
}

/** The context of one ingest request. */

import type { Project } from "../core/accounts/registry.ts";
import type { ReportWriter } from "../core/ports/storage-ports.ts";
import type { ProcessingOptions } from "../core/processing/process-report.ts";
import type { Digest, ParsedReport, ReportId } from "../core/report.ts";
import type { Result } from "../core/result.ts";
import type { ParseOptions } from "./parse-body.ts";

/** Why a parsed body is not stored. */
export type RefusedBody = RateLimitFailure | { readonly reason: TokenlessRefusal };

/** Why a project refuses reports without a valid page token: they have no key, or a paused one. */
export type TokenlessRefusal = "key-required" | "key-paused" | "origin-not-allowed";

/** A rate limit is exceeded. */
export interface RateLimitFailure {
  readonly reason: "too-many-requests";
  readonly retryAfterSeconds: number;
}

/** The reports of a body, as rate limits count them. */
export interface ChargedReports {
  readonly reportCount: number;
  /** The part of them that a page token raises to trust `page`. */
  readonly pageReportCount: number;
}

/** Settings of a project that decide about the issue of a report. Absent ones are the defaults. */
export type ReportSettings = Pick<Project, "disabledNoiseRules" | "splitDigests">;

/** Facts about the reports of a body that a page token proves. */
export interface PageReports {
  /** Have trust `page`. */
  readonly raised: ReadonlySet<ParsedReport>;
  /** Are about pages of Errata itself. */
  readonly own: ReadonlySet<ParsedReport>;
}

/** The value without a valid token. */
export const NO_PAGE_REPORTS: PageReports = { raised: new Set(), own: new Set() };

/** Parameters of ingest besides the bytes. */
export interface IngestContext extends ProcessingOptions, ParseOptions {
  readonly writer: ReportWriter;
  /** Reports of one body that are stored. The others are dropped as `over-count`. */
  readonly maxReports?: number;
  /** Charges a body to the rate limits, before anything of it is stored. */
  readonly charge?: (reports: ChargedReports) => Promise<Result<null, RateLimitFailure>>;
  /** Why reports are refused unless a page token raises them to trust `page`. */
  readonly refusal?: TokenlessRefusal;
  /** The issue that counts the report with this id; null when unknown. Feedback names a report. */
  readonly findDigest?: (id: ReportId) => Promise<Digest | null>;
  /** The page token in the query of the request. */
  readonly pageToken?: string;
  /** The facts that a page token proves about reports; none if it is invalid. Never rejects. */
  readonly findPageReports?: (
    token: string,
    reports: readonly ParsedReport[],
  ) => Promise<PageReports>;
  /** Defaults from the request: trace of the visitor's page, release in the query. */
  readonly defaults?: Pick<ParsedReport, "pageTraceId" | "release" | "environment">;
  /** From the request of the body: a browser report often contains none of these. */
  readonly userAgent?: string;
  readonly rayId?: string;
  readonly referer?: string;
}

/**
 * The digest of a report's own grouping. The adapters show it to a visitor before the report is
 * sent, and ingest computes it again, so both use this module.
 */

import { asRecord, asText } from "../decode/as-type.ts";
import { digestFromHash } from "../grouping/encode-digest.ts";
import { type Groupable, groupReport } from "../grouping/grouping.ts";
import { MemoCache } from "../memo-cache.ts";
import type { Sha256 } from "../report/report-id.ts";
import type { Digest, ParsedReport, ReportGrouping } from "../report.ts";

/** The issue of a report by its own grouping. */
export interface OwnIssue {
  /** The key is hashed after `prefix`. */
  readonly key: string;
  readonly digest: Digest;
  readonly grouping: ReportGrouping;
}

/**
 * Groups a scrubbed report. `prefix` keeps the digests of one kind of reports apart from all
 * others; keys begin with a version, so it must not.
 */
export function findOwnIssue(parsed: ParsedReport, sha256: Sha256, prefix = ""): OwnIssue {
  const { key, grouping } = groupReport(toGroupable(parsed));
  const digest = digestCache.getOrCreate(`${prefix}${key}`, (text) => digestFromHash(sha256(text)));
  return { key, digest, grouping };
}

/** Errors repeat, and hashing takes half of the time of grouping. */
const digestCache = new MemoCache<Digest>();

function toGroupable(parsed: ParsedReport): Groupable {
  const { kind, side, platform, type, message, template, frames, isGroup, causes } = parsed;
  const { fingerprint, level, tags, request, detail, aliases } = parsed;
  const { transaction, logger } = asRecord(detail) ?? {};
  return {
    kind,
    side,
    type,
    message,
    frames,
    platform,
    template,
    isGroup,
    causes,
    fingerprint,
    level,
    tags,
    route: request?.route ?? (platform === "react-native" ? asText(transaction) : undefined),
    url: request?.url,
    transaction: asText(transaction),
    logger: asText(logger),
    serverDigest: aliases?.[0],
  };
}

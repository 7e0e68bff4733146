/**
 * Links browser reports to the server issue behind them: by an alias that leads to one issue, or by
 * the trace of one of Errata's own failed renders. Synchronous.
 */
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import { toTrustRank } from "../../../core/trust/trust.ts";
import type { IndexTables } from "./index-tables.ts";

type LinkTables = Pick<IndexTables, "aliases" | "traces">;

/**
 * The digest that a report belongs to: its own, unless it is a browser report whose alias or trace
 * leads to exactly one issue. The trace of the last page only links errors on that page, because
 * the browser may show other pages of the same origin.
 */
export function resolveLink({ aliases, traces }: LinkTables, summary: ReportSummary): Digest {
  const { digest, traceId, pageTraceId, noise } = summary;
  if (summary.isLinked || summary.side !== "browser" || noise !== undefined) return digest;
  return (
    findSingle((summary.aliases ?? []).flatMap((alias) => findAliasDigests(aliases, alias))) ??
    findSingle(traceId === undefined ? [] : traces.findDigests(traceId)) ??
    findSingle(pageTraceId === undefined ? [] : traces.findDigests(pageTraceId, summary)) ??
    digest
  );
}

/** Records where a server report's aliases and trace lead: to the issue that counts the report. */
export function recordLinks(
  { aliases, traces }: LinkTables,
  summary: ReportSummary,
  issueDigest: Digest,
  nowMs: number,
): void {
  if (summary.side !== "server") return;
  const trust = toTrustRank(summary.trust) + 1;
  for (const alias of summary.aliases ?? []) aliases.raiseServerTrust(alias, issueDigest, trust);
  if (summary.traceId !== undefined) traces.add(summary.traceId, summary, nowMs);
}

/** Links from servers' reports have priority over those from browsers' reports. */
function findAliasDigests(aliases: IndexTables["aliases"], alias: string): readonly Digest[] {
  const fromServers = aliases.findServerDigests(alias);
  return fromServers.length > 0 ? fromServers : aliases.findDigests(alias);
}

/** The only distinct digest; undefined if there are several or none. */
function findSingle(digests: readonly Digest[]): Digest | undefined {
  const [only, ...others] = new Set(digests);
  return others.length === 0 ? only : undefined;
}

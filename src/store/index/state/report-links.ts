/**
 * Links browser reports to the server issue behind them: by an alias that leads to one issue, or by
 * the trace of one of Errata's own failed renders. Synchronous.
 *
 * An alias follows the links with the highest rank. Every trusted link ranks above all links of
 * public reports, so that a public report cannot take an alias by claiming to be a server.
 */
import type { Issue } from "../../../core/issue/issue.ts";
import { limits } from "../../../core/limits.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import { TRUST_POLICY } from "../../../core/trust/trust.ts";
import { hourToDay } from "../../kv/keys.ts";
import { LinkRank } from "../tables/alias-table.ts";
import type { IndexTables } from "./index-tables.ts";

type LinkTables = Pick<IndexTables, "aliases" | "traces">;

/**
 * The digest that a report belongs to: its own, unless it is a browser report whose alias or trace
 * leads to exactly one issue. A trace links only errors on its own page, because the browser may
 * show other pages of the same origin.
 */
export function resolveLink({ aliases, traces }: LinkTables, summary: ReportSummary): Digest {
  const { digest, traceId, pageTraceId, noise } = summary;
  // Only the trace of a failed render of Errata leads from a page of Errata to an issue.
  const isOnOwnPage = noise === "errata";
  const isOther = noise !== undefined && !isOnOwnPage;
  if (summary.isLinked || summary.side !== "browser" || isOther) return digest;
  const named = isOnOwnPage ? [] : (summary.aliases ?? []);
  return (
    findSingle(named.flatMap((alias) => aliases.findHighestDigests(alias))) ??
    findSingle(traceId === undefined ? [] : traces.findDigests(traceId)) ??
    findSingle(pageTraceId === undefined ? [] : traces.findDigests(pageTraceId, summary)) ??
    digest
  );
}

/**
 * Links an alias of a report to an issue; true if the link is new. A day adds a limited number of
 * links of public reports, and of page reports.
 */
export function addAlias(
  { aliases, caps, publicRows }: Pick<IndexTables, "aliases" | "caps" | "publicRows">,
  alias: string,
  issueDigest: Digest,
  summary: ReportSummary,
  nowMs: number,
): boolean {
  if (aliases.has(alias, issueDigest)) return false;
  if (summary.trust === "public" && publicRows.isGathering(nowMs)) return false;
  if (!takeLink(caps, summary)) return false;
  return aliases.add(alias, issueDigest, nowMs, toLinkRank(summary));
}

function takeLink(caps: IndexTables["caps"], { trust, position }: ReportSummary): boolean {
  if (trust === "server") return true;
  const day = hourToDay(position);
  return trust === "page"
    ? caps.take(day, "page-alias", limits.maxPageAliasesPerDay) > 0
    : caps.take(day, "alias", limits.maxPublicAliasesPerDay) > 0;
}

/**
 * Records where a report's aliases and trace lead: to the issue that counts the report. Returns the
 * aliases with a link that ranks higher than before.
 */
export function recordLinks(
  { aliases, traces }: LinkTables,
  summary: ReportSummary,
  issueDigest: Digest,
  nowMs: number,
): readonly string[] {
  const isServer = summary.side === "server" && TRUST_POLICY[summary.trust].provesIssues;
  if (isServer && summary.traceId !== undefined) traces.add(summary.traceId, summary, nowMs);
  const rank = toLinkRank(summary);
  const named = [...(summary.aliases ?? []), ...listSplitSources(summary)];
  return named.filter((alias) => aliases.raiseRank(alias, issueDigest, rank));
}

/** The digests from which an issue, or one merged into it, was split by stack. */
export function listSplitSources({
  grouping,
  mergedGroupings = {},
}: Pick<Issue, "grouping" | "mergedGroupings">): readonly Digest[] {
  return [grouping, ...Object.values(mergedGroupings)].flatMap((one) => one?.splitFrom ?? []);
}

function toLinkRank({ trust, side }: ReportSummary): LinkRank {
  switch (trust) {
    case "server":
      return side === "server" ? LinkRank.server : LinkRank.trusted;
    case "page":
      return LinkRank.page;
    case "public":
      return side === "server" ? LinkRank.publicServer : LinkRank.public;
  }
}

/** The only distinct digest; undefined if there are several or none. */
function findSingle(digests: readonly Digest[]): Digest | undefined {
  const [only, ...others] = new Set(digests);
  return others.length === 0 ? only : undefined;
}

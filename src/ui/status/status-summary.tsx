/** The key figures of the status page. */
import { use } from "react";
import { SELF_REPORT_QUERY } from "../../core/report/self-reports.ts";
import type { IngestStats } from "../../core/stats/outcome-totals.ts";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { FactList } from "../parts/fact-list.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { toSearchUrl } from "../urls/issue-list-urls.ts";

/** The maximum age of snapshots of known issues without any delay. */
const SNAPSHOT_MINUTES = 6;

export interface StatusSummaryProps {
  /** Null while the project is being rebuilt; undefined while the index is unavailable. */
  readonly stats: Promise<IngestStats | null | undefined>;
  /** Null while the index is unavailable. */
  readonly health: Promise<StoreHealth | null>;
  /** The number of issues of Errata's own pages; null while it is unknown. */
  readonly selfReportCount: Promise<number | null>;
}

export function StatusSummary({ stats, health: store, selfReportCount }: StatusSummaryProps) {
  const status = use(stats);
  const health = use(store);
  const issues = use(selfReportCount);
  if (health === null || status === undefined) return <IndexUnavailableWarning />;
  return (
    <FactList
      variant="grid"
      facts={[
        ["Received today", status && formatNumber(status.received.today)],
        [`Last ${status?.days ?? 0} days`, status && formatNumber(status.received.total)],
        ["Rejected", status && formatNumber(countRefused(status))],
        ["Copies to KV", formatDelay(health)],
        ["KV writes today", formatWrites(health)],
        [
          "Errata’s own errors",
          issues !== null && (
            <DeskLink key="own" href={toSearchUrl(SELF_REPORT_QUERY)}>
              {issues === 0 ? "none" : pluralize(issues, "issue")}
            </DeskLink>
          ),
        ],
      ]}
    />
  );
}

function IndexUnavailableWarning() {
  return (
    <p className="warning">
      <b>Statistics are temporarily unavailable.</b> Reports are still being accepted.{" "}
      <DeskLink href="/status">Refresh</DeskLink>
    </p>
  );
}

function countRefused({ outcomes }: IngestStats): number {
  const rejectedOutcomes = outcomes.filter(
    ({ outcome }) => outcome === "invalid" || outcome === "dropped",
  );
  return rejectedOutcomes.reduce((sum, { total }) => sum + total, 0);
}

function formatDelay({ shards, snapshots }: StoreHealth): string {
  const waitMs = Math.max(snapshots.waitMs, ...shards.map((shard) => shard.waitMs));
  if (waitMs > 0) return `resumes in ${pluralize(Math.ceil(waitMs / 60_000), "minute")}`;
  const lines = shards.reduce((sum, shard) => sum + shard.lines, 0);
  if (lines > 0) return `${formatNumber(lines)} lines pending`;
  const minutes = Math.floor((snapshots.ageMs ?? 0) / 60_000);
  return minutes > SNAPSHOT_MINUTES ? `${pluralize(minutes, "minute")} behind` : "up to date";
}

function formatWrites({ shards, snapshots }: StoreHealth): string {
  const parts = [snapshots, ...shards];
  const usedToday = parts.reduce((sum, { usedToday }) => sum + usedToday, 0);
  const perDay = parts.reduce((sum, part) => sum + part.perDay, 0);
  return `${formatNumber(usedToday)} of ${formatNumber(perDay)}`;
}

/** The row that stands for all issues of a flood, with the actions on them. */
import { KEYLESS_ID } from "../../core/accounts/ingest-keys.ts";
import type { FloodSummary } from "../../core/issue/issue-list-page.ts";
import { parseIssueQuery } from "../../core/issue/issue-query.ts";
import { MAX_NETWORKS } from "../../core/stats/network-sketch.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/utc-time.ts";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { toIssueListUrl } from "../urls/issue-list-urls.ts";
import { toKeySectionUrl } from "../urls/settings-urls.ts";

/** The issues with the most reports come first: one of them may be real. */
const REVIEW_URL = toIssueListUrl({ query: { ...parseIssueQuery("is:folded"), sort: "count" } });

interface FloodRowProps {
  readonly flood: FloodSummary;
  /** The ids of the project's paused keys. */
  readonly pausedKeys: readonly string[];
}

/** `Flood from browsers: 3,412 reports in 41 issues, from 2 networks in 20 min.` */
export function FloodRow({ flood, pausedKeys }: FloodRowProps) {
  const { key, reports, issues, networks, sinceMs, lastMs } = flood;
  const isKeyless = key === KEYLESS_ID;
  return (
    <section className="flood-row" aria-label="Flood from browsers">
      <p>
        <b>Flood from browsers:</b> {pluralize(reports, "report")} in {pluralize(issues, "issue")}
        {networks > 0 && `, from ${formatNetworks(networks)}`} in {formatDuration(lastMs - sinceMs)}
        . <span className="muted">Folded, no alerts.</span>
      </p>
      <DeskLink className="button" href={REVIEW_URL}>
        Review {formatNumber(issues)}
      </DeskLink>
      {pausedKeys.includes(key) ? (
        <DeskLink href={toKeySectionUrl(key)}>{isKeyless ? "Paused" : "Key is paused"}</DeskLink>
      ) : (
        <DeskForm requiredRole="owner" method="post" action={toKeySectionUrl(key)}>
          <input type="hidden" name="do" value="pause-key" />
          <input type="hidden" name="key" value={key} />
          <button type="submit">{`Pause ${isKeyless ? "reports without a key" : "this key"}`}</button>
        </DeskForm>
      )}
    </section>
  );
}

function formatNetworks(networks: number): string {
  return networks >= MAX_NETWORKS ? `${networks}+ networks` : pluralize(networks, "network");
}

/** `1 min`, `59 min`, `3 h`. */
function formatDuration(ms: number): string {
  return ms < HOUR_MS
    ? `${Math.max(1, Math.ceil(ms / MINUTE_MS))} min`
    : `${formatNumber(Math.round(ms / HOUR_MS))} h`;
}

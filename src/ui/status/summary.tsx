/** The account in a row of figures: what an operator wants to know before reading any table. */
import { use } from "react";
import { OWN_FAILURES } from "../../core/own-failures.ts";
import type { Status } from "../../core/status.ts";
import type { StoreHealth } from "../../core/store-health.ts";
import { FactList } from "../fact-list.tsx";
import { counted, figure } from "../figure.tsx";
import { searchUrl } from "../issues/list-url.ts";
import { A } from "../place.tsx";

/** What it is made of. */
export interface SummaryProps {
  /** Null while the project is made anew; undefined while the index is away. */
  readonly account: Promise<Status | null | undefined>;
  /** Null while the index is away. */
  readonly store: Promise<StoreHealth | null>;
  /** How many issues Errata's own pages have caused; null while nobody knows. */
  readonly own: Promise<number | null>;
}

/** The figures. */
export function Summary({ account, store, own }: SummaryProps) {
  const status = use(account);
  const health = use(store);
  const issues = use(own);
  if (health === null || status === undefined) return <IndexAway />;
  return (
    <FactList
      look="figures"
      facts={[
        ["Received today", status && figure(status.received.today)],
        [`In ${status?.days ?? 0} days`, status && figure(status.received.all)],
        ["Refused of these", status && figure(refusedOf(status))],
        ["Copies in KV", delayOf(health)],
        ["KV writes today", writesOf(health)],
        [
          "Its own failures",
          issues !== null && (
            <A key="own" href={searchUrl(OWN_FAILURES)}>
              {issues === 0 ? "none" : counted(issues, "issue")}
            </A>
          ),
        ],
      ]}
    />
  );
}

function IndexAway() {
  return (
    <p className="behind">
      <b>The index cannot be reached at the moment,</b> so nothing here is known. Reports are still
      taken, and nothing is lost. <A href="/status">Look again</A>
    </p>
  );
}

function refusedOf({ outcomes }: Status): number {
  const refused = outcomes.filter(({ outcome }) => outcome === "invalid" || outcome === "dropped");
  return refused.reduce((sum, { all }) => sum + all, 0);
}

function delayOf({ shards, snapshots }: StoreHealth): string {
  const waitMs = Math.max(snapshots.waitMs, ...shards.map((shard) => shard.waitMs));
  if (waitMs > 0) return `${counted(Math.ceil(waitMs / 60_000), "minute")} behind`;
  const lines = shards.reduce((sum, shard) => sum + shard.lines, 0);
  if (lines > 0) return `${figure(lines)} lines on their way`;
  return snapshots.waiting > 0 ? `${figure(snapshots.waiting)} keys on their way` : "complete";
}

function writesOf({ shards, snapshots }: StoreHealth): string {
  const parts = [snapshots, ...shards];
  const spent = parts.reduce((sum, { spentToday }) => sum + spentToday, 0);
  const perDay = parts.reduce((sum, part) => sum + part.perDay, 0);
  return `${figure(spent)} of ${figure(perDay)}`;
}

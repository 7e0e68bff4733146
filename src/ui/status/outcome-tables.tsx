/** Received items by outcome, sessions by release, and items discarded by SDKs. */
import { use } from "react";
import { OTHER_ANONYMOUS_DIGEST } from "../../core/issue/other-anonymous-reports.ts";
import {
  type CountedCategory,
  type IngestStats,
  type OutcomeTotals,
  toCountedCategory,
} from "../../core/stats/outcome-totals.ts";
import { TrustSentence } from "../issues/trust-text.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { SessionTable } from "./session-table.tsx";

/**
 * The tables. A text during a rebuild; nothing while the index is unavailable, which
 * `StatusSummary` reports.
 */
export function OutcomeTables({ stats }: { stats: Promise<IngestStats | null | undefined> }) {
  const status = use(stats);
  if (status === undefined) return null;
  if (status === null)
    return <p className="muted">Counts are unavailable while the project is being rebuilt.</p>;
  return <LoadedTables status={status} />;
}

function LoadedTables({
  status: { received, outcomes, sessions, publicSessions, discarded, spooled, collapsed, days },
}: {
  status: IngestStats;
}) {
  return (
    <>
      <section aria-labelledby="outcomes">
        <h2 id="outcomes">Received items</h2>
        {outcomes.length === 0 ? (
          <p className="muted">No items in the last {days} days.</p>
        ) : (
          <table className="number-table">
            <caption className="visually-hidden">Items by outcome and reason</caption>
            <thead>
              <tr>
                <th scope="col">Item</th>
                <th scope="col">Outcome</th>
                <TotalsHeader days={days} />
              </tr>
            </thead>
            <tbody>
              {outcomes.map((row) => (
                <OutcomeRow key={`${row.outcome} ${row.item} ${row.reason}`} row={row} />
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row" colSpan={2}>
                  Received
                </th>
                <td className="number">{formatNumber(received.today)}</td>
                <td className="number">{formatNumber(received.total)}</td>
              </tr>
            </tfoot>
          </table>
        )}
        {collapsed !== undefined && (
          <p className="muted">
            {pluralize(collapsed.total, "report")} of these, {formatNumber(collapsed.today)} today,
            exceeded a limit for public reports and count in{" "}
            <DeskLink href={toIssueUrl(OTHER_ANONYMOUS_DIGEST)}>other anonymous reports</DeskLink>.
          </p>
        )}
        {spooled !== undefined && (
          <p className="muted">
            {pluralize(spooled.total, "report")} of these, {formatNumber(spooled.today)} today, were
            queued in KV until the log accepted them.
          </p>
        )}
      </section>
      <section aria-labelledby="sessions">
        <h2 id="sessions">Sessions by release</h2>
        {sessions.length + publicSessions.length === 0 && (
          <p className="muted">
            No session data yet. Sentry SDKs send sessions when <code>release</code> is set.
          </p>
        )}
        {sessions.length > 0 && (
          <SessionTable caption={`Sessions by release, last ${days} days`} sessions={sessions} />
        )}
        {publicSessions.length > 0 && (
          <>
            <h3>Sessions of browsers</h3>
            <p className="muted">
              <TrustSentence trust="public" />: anyone can send these.
            </p>
            <SessionTable
              caption={`Sessions of browsers by release, last ${days} days`}
              sessions={publicSessions}
            />
          </>
        )}
      </section>
      {discarded.length > 0 && (
        <section aria-labelledby="discarded">
          <h2 id="discarded">Discarded by SDKs</h2>
          <table className="number-table">
            <caption className="visually-hidden">Discarded items by category and reason</caption>
            <thead>
              <tr>
                <th scope="col">Category</th>
                <th scope="col">Reason</th>
                <TotalsHeader days={days} />
              </tr>
            </thead>
            <tbody>
              {discarded.map(({ category, reason, today, total }) => (
                <tr key={`${category} ${reason}`}>
                  <th scope="row">{category}</th>
                  <td>{reason.replaceAll("_", " ")}</td>
                  <td className="number">{formatNumber(today)}</td>
                  <td className="number">{formatNumber(total)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

function TotalsHeader({ days }: { days: number }) {
  return (
    <>
      <th scope="col" className="number">
        Today
      </th>
      <th scope="col" className="number">
        {days} days
      </th>
    </>
  );
}

function OutcomeRow({ row: { outcome, item, reason, today, total } }: { row: OutcomeTotals }) {
  return (
    <tr data-outcome={outcome}>
      <th scope="row">
        <bdi>{item}</bdi>
      </th>
      <td>
        {outcome === "counted" ? COUNTED_LABELS[toCountedCategory(item)] : OUTCOME_LABELS[outcome]}
        {reason !== undefined && (
          <>
            {outcome === "accepted" ? ", noise: " : ": "}
            <span className="why">{reason.replaceAll("-", " ")}</span>
          </>
        )}
      </td>
      <td className="number">{formatNumber(today)}</td>
      <td className="number">{formatNumber(total)}</td>
    </tr>
  );
}

const OUTCOME_LABELS: Readonly<Record<Exclude<OutcomeTotals["outcome"], "counted">, string>> = {
  accepted: "stored",
  duplicate: "duplicate",
  dropped: "dropped",
  invalid: "invalid",
};

const COUNTED_LABELS: Readonly<Record<CountedCategory, string>> = {
  sampled: "counted only (sampled)",
  counters: "counted only",
  unsupported: "not supported",
};

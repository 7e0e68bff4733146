/** The account for the operator: every item that came in and what became of it, sessions by release, what never came. */
import { use } from "react";
import type { OutcomeTotals, ReleaseSessions, Status } from "../../core/status.ts";
import { Boundary } from "../boundary.tsx";
import { figure } from "../figure.tsx";
import { headOf } from "../long-text.tsx";
import { Skeleton } from "../skeleton.tsx";

/** What the page is made of. */
export interface StatusPageProps {
  readonly account: Promise<Status>;
}

/** The page at `/status`. */
export function StatusPage({ account }: StatusPageProps) {
  return (
    <div className="status-page">
      <header className="page-head">
        <h1>Status</h1>
        <p>
          Every item that is taken ends in one of these ways, and is counted once. A request that is
          refused before its items are read, for a wrong key or for too many of them, is answered
          and not counted.
        </p>
      </header>
      <Boundary name="status" loading={<Skeleton shape="rows" label="the account" />}>
        <Account account={account} />
      </Boundary>
    </div>
  );
}

function Account({ account }: StatusPageProps) {
  const { received, outcomes, sessions, discarded, days } = use(account);
  return (
    <>
      <section aria-labelledby="outcomes">
        <h2 id="outcomes">What came in</h2>
        {outcomes.length === 0 ? (
          <p className="aside">Nothing has come in for {days} days.</p>
        ) : (
          <table className="figures-table">
            <caption className="unseen">Items by outcome and reason</caption>
            <thead>
              <tr>
                <th scope="col">Item</th>
                <th scope="col">Outcome</th>
                <TotalsHead days={days} />
              </tr>
            </thead>
            <tbody>
              {outcomes.map((row) => (
                <OutcomeRow key={`${row.outcome} ${row.item} ${row.why}`} row={row} />
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row" colSpan={2}>
                  Received
                </th>
                <td className="number">{figure(received.today)}</td>
                <td className="number">{figure(received.all)}</td>
              </tr>
            </tfoot>
          </table>
        )}
      </section>
      <section aria-labelledby="sessions">
        <h2 id="sessions">Sessions by release</h2>
        {sessions.length === 0 ? (
          <p className="aside">
            No SDK has told of sessions. Sentry's SDKs do so where a release is set.
          </p>
        ) : (
          <SessionTable sessions={sessions} days={days} />
        )}
      </section>
      {discarded.length > 0 && (
        <section aria-labelledby="discarded">
          <h2 id="discarded">What SDKs threw away themselves</h2>
          <table className="figures-table">
            <caption className="unseen">Discarded by SDKs, by category and reason</caption>
            <thead>
              <tr>
                <th scope="col">Category</th>
                <th scope="col">Reason</th>
                <TotalsHead days={days} />
              </tr>
            </thead>
            <tbody>
              {discarded.map(({ category, reason, today, all }) => (
                <tr key={`${category} ${reason}`}>
                  <th scope="row">{category}</th>
                  <td>{reason.replaceAll("_", " ")}</td>
                  <td className="number">{figure(today)}</td>
                  <td className="number">{figure(all)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

function TotalsHead({ days }: { readonly days: number }) {
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

function OutcomeRow({ row: { outcome, item, why, today, all } }: { readonly row: OutcomeTotals }) {
  return (
    <tr data-outcome={outcome}>
      <th scope="row">
        <bdi>{item}</bdi>
      </th>
      <td>
        {WORDS[outcome]}
        {why !== undefined && (
          <>
            {outcome === "accepted" ? ", kept apart: " : ": "}
            <span className="why">{why.replaceAll("-", " ")}</span>
          </>
        )}
      </td>
      <td className="number">{figure(today)}</td>
      <td className="number">{figure(all)}</td>
    </tr>
  );
}

const WORDS: Readonly<Record<OutcomeTotals["outcome"], string>> = {
  accepted: "stored",
  repeated: "had come before",
  counted: "counted, not kept",
  dropped: "dropped",
  invalid: "invalid",
};

const NAME_CHARS = 60;

function SessionTable({
  sessions,
  days,
}: {
  readonly sessions: readonly ReleaseSessions[];
  readonly days: number;
}) {
  return (
    <table className="figures-table">
      <caption className="unseen">Sessions of {days} days by release</caption>
      <thead>
        <tr>
          <th scope="col">Release</th>
          <th scope="col" className="number">
            Sessions
          </th>
          <th scope="col" className="number">
            With errors
          </th>
          <th scope="col" className="number">
            Crashed
          </th>
          <th scope="col" className="number">
            Crash-free
          </th>
        </tr>
      </thead>
      <tbody>
        {sessions.map((row) => (
          <tr key={`${row.release} ${row.environment}`}>
            <th scope="row">
              <bdi>{headOf(row.release, NAME_CHARS) || "(no release)"}</bdi>{" "}
              <bdi className="environment">{headOf(row.environment, NAME_CHARS)}</bdi>
            </th>
            <td className="number">{figure(row.started)}</td>
            <td className="number">{figure(row.errored + row.unhandled)}</td>
            <td className="number">{figure(row.crashed + row.abnormal)}</td>
            <td className="number">{percent(row.crashFree)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `99.95 %`, rounded down: 100 % is said of nothing that crashed. */
function percent(share: number | undefined): string {
  if (share === undefined) return "–";
  return `${(Math.floor(share * 10_000) / 100).toLocaleString("en", { maximumFractionDigits: 2 })} %`;
}

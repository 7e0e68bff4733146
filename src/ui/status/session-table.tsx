/** Sessions and crash-free rate by release. */
import type { SessionRow } from "../../core/stats/outcome-totals.ts";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber } from "../parts/number.tsx";
import { formatPercent } from "../releases/crash-free-rate.tsx";

const NAME_CHARS = 60;

/** The table. The caller handles the empty case. */
export function SessionTable({
  caption,
  sessions,
}: {
  /** The caption, for screen readers. */
  readonly caption: string;
  readonly sessions: readonly SessionRow[];
}) {
  return (
    <table className="number-table">
      <caption className="visually-hidden">{caption}</caption>
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
              <bdi>{abbreviate(row.release, NAME_CHARS) || "(no release)"}</bdi>{" "}
              <bdi className="environment">{abbreviate(row.environment, NAME_CHARS)}</bdi>
            </th>
            <td className="number">{formatNumber(row.started)}</td>
            <td className="number">{formatNumber(row.errored)}</td>
            <td className="number">{formatNumber(row.crashed + row.abnormal)}</td>
            <td className="number">
              {row.crashFreePercent === undefined ? "–" : formatPercent(row.crashFreePercent)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

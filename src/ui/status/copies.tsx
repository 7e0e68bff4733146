/** How far the copies in KV are behind, what they may still cost today, and what a month is likely to cost. */
import { use } from "react";
import { monthlyUsd } from "../../core/cost.ts";
import type { Status } from "../../core/status.ts";
import type { ShardHealth, StoreHealth } from "../../core/store-health.ts";
import { counted, figure } from "../figure.tsx";

/** The table, and a sentence where the day's writes are used up. */
export function Copies({
  store,
  account,
}: {
  readonly store: Promise<StoreHealth>;
  readonly account: Promise<Status | null>;
}) {
  const { shards, snapshots } = use(store);
  const status = use(account);
  const waitMs = Math.max(snapshots.waitMs, ...shards.map((shard) => shard.waitMs));
  const kvWrites = [snapshots, ...shards].reduce((sum, { spentToday }) => sum + spentToday, 0);
  return (
    <>
      {waitMs > 0 && (
        <p className="behind">
          <b>Behind.</b> The writes that this hour may make are used up; the copy goes on in{" "}
          {counted(Math.ceil(waitMs / 60_000), "minute")}. Reports, counts and this desk are not
          affected.
        </p>
      )}
      <table className="figures-table">
        <caption className="unseen">What waits to be copied into KV, and the day's writes</caption>
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Waiting</th>
            <th scope="col" className="number">
              Writes today
            </th>
            <th scope="col" className="number">
              A day
            </th>
          </tr>
        </thead>
        <tbody>
          {shards.map((shard) => (
            <tr key={shard.shard}>
              <th scope="row">The record, shard {shard.shard}</th>
              <td>{waitingIn(shard)}</td>
              <td className="number">{figure(shard.spentToday)}</td>
              <td className="number">{figure(shard.perDay)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Snapshots</th>
            <td>{snapshots.waiting === 0 ? "nothing" : counted(snapshots.waiting, "key")}</td>
            <td className="number">{figure(snapshots.spentToday)}</td>
            <td className="number">{figure(snapshots.perDay)}</td>
          </tr>
        </tbody>
      </table>
      {status !== null && (
        <p className="aside">
          A month like this costs about $
          {figure(Math.round(monthlyUsd({ uploads: status.received.all / status.days, kvWrites })))}{" "}
          on the paid plan, without storage.
        </p>
      )}
    </>
  );
}

/** `312 lines since 17:00 UTC`. */
function waitingIn({ rows, lines, oldestHour }: ShardHealth): string {
  if (rows === 0) return "nothing";
  const since = oldestHour === undefined ? "" : ` since ${oldestHour.slice(8, 10)}:00 UTC`;
  return counted(lines, "line") + since;
}

/** The backlog of KV copies, the KV writes of today, and the stored data. */

import { use } from "react";
import type { ShardHealth, StoreHealth } from "../../core/stats/store-health.ts";
import { toUtcDay } from "../../core/utc-time.ts";
import { formatNumber, pluralize } from "../parts/number.tsx";

/** The tables, with a warning when the KV write budget is used up. */
export function StorageTables({ health: store }: { health: Promise<StoreHealth | null> }) {
  const health = use(store);
  if (health === null) return <p className="muted">Temporarily unavailable.</p>;
  const { shards, snapshots } = health;
  const waitMs = Math.max(snapshots.waitMs, ...shards.map((shard) => shard.waitMs));
  return (
    <>
      {waitMs > 0 && (
        <p className="warning">
          <b>Delayed.</b> The KV write budget is used up for now. Copying resumes in{" "}
          {pluralize(Math.ceil(waitMs / 60_000), "minute")}. Reports and counts are not affected.
        </p>
      )}
      {shards.map(({ shard, droppedIdsMs }) =>
        droppedIdsMs === undefined ? null : (
          <p key={shard} className="warning">
            <b>Log shard {shard} is almost full.</b> Lookups no longer find reports up to{" "}
            {toUtcDay(droppedIdsMs)} by id or trace. These reports are still stored, counted and
            shown with their issues.
          </p>
        ),
      )}
      <table className="number-table">
        <caption className="visually-hidden">Pending KV copies and KV writes by component</caption>
        <thead>
          <tr>
            <th scope="col">Component</th>
            <th scope="col">Pending</th>
            <th scope="col" className="number">
              Writes today
            </th>
            <th scope="col" className="number">
              Daily limit
            </th>
          </tr>
        </thead>
        <tbody>
          {shards.map((shard) => (
            <tr key={shard.shard}>
              <th scope="row">Log shard {shard.shard}</th>
              <td>{formatWaiting(shard)}</td>
              <td className="number">{formatNumber(shard.usedToday)}</td>
              <td className="number">{formatNumber(shard.perDay)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Snapshots</th>
            <td>{formatPendingKeys(snapshots)}</td>
            <td className="number">{formatNumber(snapshots.usedToday)}</td>
            <td className="number">{formatNumber(snapshots.perDay)}</td>
          </tr>
        </tbody>
      </table>
      <StoredTable shards={shards} snapshots={snapshots} />
    </>
  );
}

/** The log lines in KV, and the storage of each Durable Object. */
function StoredTable({ shards, snapshots }: Pick<StoreHealth, "shards" | "snapshots">) {
  return (
    <table className="number-table">
      <caption className="visually-hidden">Stored data by component</caption>
      <thead>
        <tr>
          <th scope="col">Component</th>
          <th scope="col" className="number">
            In KV
          </th>
          <th scope="col" className="number">
            In Durable Object
          </th>
        </tr>
      </thead>
      <tbody>
        {shards.map((shard) => (
          <tr key={shard.shard}>
            <th scope="row">Log shard {shard.shard}</th>
            <td className="number">
              {`${pluralize(shard.chunkLines, "line")} in ${pluralize(shard.chunks, "chunk")}`}
            </td>
            <td className="number">{formatMegabytes(shard.storedBytes)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">Index</th>
          <td className="number">snapshots</td>
          <td className="number">{formatMegabytes(snapshots.storedBytes)}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** `none`, or `1,000+ keys, for up to 3 minutes`. */
function formatPendingKeys({ waiting, hasMore, ageMs = 0 }: StoreHealth["snapshots"]): string {
  if (waiting === 0) return "none";
  const keys = hasMore ? `${formatNumber(waiting)}+ keys` : pluralize(waiting, "key");
  return `${keys}, for up to ${pluralize(Math.ceil(ageMs / 60_000), "minute")}`;
}

/** `1.2 MB`. */
function formatMegabytes(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return `${megabytes < 10 ? megabytes.toFixed(1) : formatNumber(Math.round(megabytes))} MB`;
}

/** `312 lines since 17:00 UTC`. */
function formatWaiting({ rows, lines, oldestHour }: ShardHealth): string {
  if (rows === 0) return "none";
  const since = oldestHour === undefined ? "" : ` since ${oldestHour.slice(8, 10)}:00 UTC`;
  return pluralize(lines, "line") + since;
}

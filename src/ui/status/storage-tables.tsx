/** How far the copies in KV are behind, and what they may still cost today. */
import { use } from "react";
import type { ShardHealth, StoreHealth } from "../../core/stats/store-health.ts";
import { formatNumber, pluralize } from "../parts/number.tsx";

/** The table, and a sentence where the day’s writes are used up. */
export function StorageTables({ health: store }: { readonly health: Promise<StoreHealth | null> }) {
  const health = use(store);
  if (health === null) return <p className="muted">Not known at the moment.</p>;
  const { shards, snapshots } = health;
  const waitMs = Math.max(snapshots.waitMs, ...shards.map((shard) => shard.waitMs));
  return (
    <>
      {waitMs > 0 && (
        <p className="warning">
          <b>Behind.</b> The writes that the day allows so far are used up; the copy goes on in{" "}
          {pluralize(Math.ceil(waitMs / 60_000), "minute")}. Reports, counts and this desk are not
          affected.
        </p>
      )}
      <table className="number-table">
        <caption className="visually-hidden">
          What waits to be copied into KV, and the day’s writes
        </caption>
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
              <td>{formatWaiting(shard)}</td>
              <td className="number">{formatNumber(shard.usedToday)}</td>
              <td className="number">{formatNumber(shard.perDay)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Snapshots</th>
            <td>{snapshots.waiting === 0 ? "nothing" : pluralize(snapshots.waiting, "key")}</td>
            <td className="number">{formatNumber(snapshots.usedToday)}</td>
            <td className="number">{formatNumber(snapshots.perDay)}</td>
          </tr>
        </tbody>
      </table>
      <StoredTable shards={shards} snapshots={snapshots} />
    </>
  );
}

/** What there is by now: lines of the record in KV, and the bytes of each object. */
function StoredTable({ shards, snapshots }: Pick<StoreHealth, "shards" | "snapshots">) {
  return (
    <table className="number-table">
      <caption className="visually-hidden">What is stored</caption>
      <thead>
        <tr>
          <th scope="col">Stored</th>
          <th scope="col" className="number">
            In KV
          </th>
          <th scope="col" className="number">
            In its object
          </th>
        </tr>
      </thead>
      <tbody>
        {shards.map((shard) => (
          <tr key={shard.shard}>
            <th scope="row">The record, shard {shard.shard}</th>
            <td className="number">
              {`${pluralize(shard.chunkLines, "line")} in ${pluralize(shard.chunks, "chunk")}`}
            </td>
            <td className="number">{formatMegabytes(shard.storedBytes)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">The index</th>
          <td className="number">snapshots</td>
          <td className="number">{formatMegabytes(snapshots.storedBytes)}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** `1.2 MB`. */
function formatMegabytes(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return `${megabytes < 10 ? megabytes.toFixed(1) : formatNumber(Math.round(megabytes))} MB`;
}

/** `312 lines since 17:00 UTC`. */
function formatWaiting({ rows, lines, oldestHour }: ShardHealth): string {
  if (rows === 0) return "nothing";
  const since = oldestHour === undefined ? "" : ` since ${oldestHour.slice(8, 10)}:00 UTC`;
  return pluralize(lines, "line") + since;
}

// What a month costs on Cloudflare's paid plan, from what was measured of a report. Prices of November 2026
// (developers.cloudflare.com › Workers, Durable Objects, KV › Pricing); each with what the plan includes.

const PLAN_USD = 5;
const PRICES = {
  workerRequests: { usd: 0.3, included: 10e6 },
  cpuMs: { usd: 0.02, included: 30e6 },
  objectRequests: { usd: 0.15, included: 1e6 },
  objectGbSeconds: { usd: 12.5, included: 400e3 },
  rowsWritten: { usd: 1, included: 50e6 },
  kvWrites: { usd: 5, included: 1e6 },
};
const GB_USD = { kv: { usd: 0.5, included: 1 } };
/** One object of 128 MB that never sleeps. */
const GB_SECONDS_PER_OBJECT = 0.128 * 30 * 86_400;
/** An object takes some 1,000 requests a second; peaks are several times the average. */
const REPORTS_PER_SHARD_AND_MONTH = 250e6;

/**
 * US dollars for a month with so many reports, all of which are kept in KV for a month: 30 days. What is rare is kept three
 * times as long: that is not in it.
 *
 * @param {import("./writes.mjs").Written} written
 * @param {number} cpuUs of a report
 * @param {number} reports
 */
function monthlyUsd(written, cpuUs, reports) {
  const shards = Math.ceil(reports / REPORTS_PER_SHARD_AND_MONTH);
  const used = {
    workerRequests: reports,
    cpuMs: (reports * cpuUs) / 1000,
    objectRequests: reports * written.objectRequests,
    objectGbSeconds: (shards + 1) * GB_SECONDS_PER_OBJECT,
    rowsWritten: reports * written.rows,
    kvWrites: reports * (written.chunkPuts + written.snapshotPuts),
  };
  const keptGb = (reports * (written.chunkBytes + written.snapshotBytes)) / 1e9;
  const storageUsd = Math.max(0, keptGb - GB_USD.kv.included) * GB_USD.kv.usd;
  return Object.entries(PRICES).reduce((sum, [name, { usd, included }]) => {
    const over = Math.max(0, used[/** @type {keyof typeof PRICES} */ (name)] - included);
    return sum + (over / 1e6) * usd;
  }, PLAN_USD + storageUsd);
}

/**
 * With what each mix costs a month at a million and at a thousand million reports.
 *
 * @param {readonly import("./writes.mjs").Written[]} written
 * @param {readonly import("./lines.mjs").Line[]} lines where the CPU of a report stands
 */
export function withBill(written, lines) {
  return written.map((line) => {
    const cpuUs = lines.findLast(({ name, of }) => name === line.mix && of === "this")?.cpuUs ?? 0;
    return { ...line, usd1M: monthlyUsd(line, cpuUs, 1e6), usd1B: monthlyUsd(line, cpuUs, 1e9) };
  });
}

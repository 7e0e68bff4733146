// Computes the monthly bill on Cloudflare's paid plan. Prices of November 2026
// (developers.cloudflare.com: Workers, Durable Objects and KV, Pricing), each with the included
// amount.

const PLAN_USD = 5;
/** US dollars for a million, and how many are included. */
const PRICES = {
  workerRequests: { usd: 0.3, included: 10e6 },
  cpuMs: { usd: 0.02, included: 30e6 },
  objectRequests: { usd: 0.15, included: 1e6 },
  objectGbSeconds: { usd: 12.5, included: 400e3 },
  rowsRead: { usd: 0.001, included: 25e9 },
  rowsWritten: { usd: 1, included: 50e6 },
  kvWrites: { usd: 5, included: 1e6 },
};
/** For a GB that is kept for a month. */
const KV_STORAGE = { usd: 0.5, included: 1 };
/** An object of 128 MB that never sleeps. */
const GB_SECONDS_PER_OBJECT = 0.128 * 30 * 86_400;
/** An object takes about 1,000 requests a second, and peaks are several times the average. */
const REPORTS_PER_SHARD_AND_MONTH = 250e6;

/** The resources that each report uses. */
export interface Used {
  cpuUs: number;
  objectRequests: number;
  rowsRead: number;
  rowsWritten: number;
  chunkPuts: number;
  snapshotPuts: number;
  kvBytes: number;
}

/**
 * The price of a month in US dollars for this number of reports, all stored in KV for 30 days. Rare
 * reports are stored three times as long, which is not included.
 */
export function monthlyUsd(used: Used, reports: number): number {
  const objects = Math.ceil(reports / REPORTS_PER_SHARD_AND_MONTH) + 1;
  const amounts: Record<keyof typeof PRICES, number> = {
    workerRequests: reports,
    cpuMs: (reports * used.cpuUs) / 1000,
    objectRequests: reports * used.objectRequests,
    objectGbSeconds: objects * GB_SECONDS_PER_OBJECT,
    rowsRead: reports * used.rowsRead,
    rowsWritten: reports * used.rowsWritten,
    kvWrites: reports * (used.chunkPuts + used.snapshotPuts),
  };
  const storedGb = (reports * used.kvBytes) / 1e9;
  const storageUsd = Math.max(0, storedGb - KV_STORAGE.included) * KV_STORAGE.usd;
  return Object.entries(PRICES).reduce((sum, [name, { usd, included }]) => {
    const billed = Math.max(0, amounts[name as keyof typeof PRICES] - included);
    return sum + (billed / 1e6) * usd;
  }, PLAN_USD + storageUsd);
}

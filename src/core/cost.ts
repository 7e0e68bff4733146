/**
 * What a month is likely to cost on Cloudflare's paid plan, from what came in: an estimate for the operator, not a bill. Prices
 * of November 2026 (developers.cloudflare.com › Workers, KV, Durable Objects › Pricing), without storage and CPU time, which
 * are small beside them.
 */

/** What the plan itself costs a month, in US dollars. */
const PLAN_USD = 5;

/** Dollars for a million, and how many of each the plan includes a month. */
const PRICES = {
  workerRequests: { usd: 0.3, included: 10_000_000 },
  objectRequests: { usd: 0.15, included: 1_000_000 },
  rowsWritten: { usd: 1, included: 50_000_000 },
  kvWrites: { usd: 5, included: 1_000_000 },
} as const;

const DAYS_PER_MONTH = 30;
/** An upload is a request to the log, and some share of one to the index; a row is written, and deleted when it is copied. */
const OBJECT_REQUESTS_PER_UPLOAD = 1.2;
const ROWS_PER_UPLOAD = 2.2;

/** US dollars a month, the plan included, at so many uploads and writes into KV a day. */
export function monthlyUsd(perDay: {
  readonly uploads: number;
  readonly kvWrites: number;
}): number {
  const uploads = perDay.uploads * DAYS_PER_MONTH;
  const used = {
    workerRequests: uploads,
    objectRequests: uploads * OBJECT_REQUESTS_PER_UPLOAD,
    rowsWritten: uploads * ROWS_PER_UPLOAD,
    kvWrites: perDay.kvWrites * DAYS_PER_MONTH,
  };
  return Object.entries(PRICES).reduce((sum, [name, { usd, included }]) => {
    const over = Math.max(0, used[name as keyof typeof PRICES] - included);
    return sum + (over / 1_000_000) * usd;
  }, PLAN_USD);
}

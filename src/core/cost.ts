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

/** What the free plan allows on one day. */
const FREE_PER_DAY = {
  workerRequests: 100_000,
  objectRequests: 100_000,
  rowsWritten: 100_000,
  kvWrites: 1_000,
} as const satisfies Record<keyof typeof PRICES, number>;

const DAYS_PER_MONTH = 30;
/** An upload is a request to the log, and some share of one to the index; a row is written, and deleted when it is copied. */
const OBJECT_REQUESTS_PER_UPLOAD = 1.2;
const ROWS_PER_UPLOAD = 2.2;

/** What comes in and is copied on one day. */
export interface DailyUse {
  readonly uploads: number;
  readonly kvWrites: number;
}

/** True where the free plan would be enough for such days. */
export function fitsFreePlan(perDay: DailyUse): boolean {
  const used = usedBy(perDay);
  return PARTS.every((part) => used[part] <= FREE_PER_DAY[part]);
}

/** US dollars a month, the paid plan included, of such days. */
export function monthlyUsd(perDay: DailyUse): number {
  const used = usedBy(perDay);
  return PARTS.reduce((sum, part) => {
    const { usd, included } = PRICES[part];
    const over = Math.max(0, used[part] * DAYS_PER_MONTH - included);
    return sum + (over / 1_000_000) * usd;
  }, PLAN_USD);
}

const PARTS = Object.keys(PRICES) as readonly (keyof typeof PRICES)[];

function usedBy({ uploads, kvWrites }: DailyUse): Readonly<Record<keyof typeof PRICES, number>> {
  return {
    workerRequests: uploads,
    objectRequests: uploads * OBJECT_REQUESTS_PER_UPLOAD,
    rowsWritten: uploads * ROWS_PER_UPLOAD,
    kvWrites,
  };
}

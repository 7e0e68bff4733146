// Cloudflare's prices and the limits of its free plan (developers.cloudflare.com: Workers, Durable
// Objects and Workers KV, Pricing).

/** When the prices were read. */
export const PRICES_READ = "21 November 2026";

/** The amounts that Cloudflare counts in a month. Storage is the amount kept through the month. */
export interface Amounts {
  workerRequests: number;
  cpuMs: number;
  /** Calls by the Worker and by other objects, and alarms. */
  objectRequests: number;
  /** The part of `objectRequests` that are alarms, which have no separate price. */
  alarms: number;
  /** 128 MB for the time that objects are active, or idle and unable to sleep. */
  objectGbSeconds: number;
  rowsRead: number;
  /** Includes a row for each `setAlarm` and `deleteAlarm`. */
  rowsWritten: number;
  kvReads: number;
  kvWrites: number;
  kvGb: number;
  sqlGb: number;
}

export type Priced = Exclude<keyof Amounts, "alarms">;

interface Price {
  title: string;
  usd: number;
  /** The price is for this amount. */
  per: number;
  /** The amount that the paid plan includes per month. */
  included: number;
  /** The free plan's limit per day, or in total for storage. Undefined without a limit. */
  free?: number;
}

/** The price of the paid plan, with the amounts that it includes. */
const PLAN_USD = 5;

const MILLION = 1e6;

export const PRICES: Readonly<Record<Priced, Price>> = {
  workerRequests: {
    ...{ title: "Worker requests", usd: 0.3, per: MILLION, included: 10e6, free: 100_000 },
  },
  // The free plan limits the CPU time of each request, to 10 ms.
  cpuMs: { title: "CPU ms", usd: 0.02, per: MILLION, included: 30e6 },
  objectRequests: {
    ...{ title: "Durable Object requests", usd: 0.15, per: MILLION, included: 1e6, free: 100_000 },
  },
  objectGbSeconds: {
    ...{ title: "Durable Object GB-s", usd: 12.5, per: MILLION, included: 400e3, free: 13_000 },
  },
  rowsRead: { title: "Rows read", usd: 0.001, per: MILLION, included: 25e9, free: 5e6 },
  rowsWritten: { title: "Rows written", usd: 1, per: MILLION, included: 50e6, free: 100_000 },
  kvReads: { title: "KV reads", usd: 0.5, per: MILLION, included: 10e6, free: 100_000 },
  kvWrites: { title: "KV writes", usd: 5, per: MILLION, included: 1e6, free: 1_000 },
  kvGb: { title: "KV storage, GB", usd: 0.5, per: 1, included: 1, free: 1 },
  sqlGb: { title: "Durable Object storage, GB", usd: 0.2, per: 1, included: 5, free: 5 },
};

export const PRICED = Object.keys(PRICES) as Priced[];

/** The bill of a month on the paid plan in US dollars: each part, and all with the plan. */
export interface Bill {
  parts: Record<Priced, number>;
  usd: number;
}

export function computeBill(amounts: Amounts): Bill {
  const parts = Object.fromEntries(
    PRICED.map((name) => {
      const { usd, per, included } = PRICES[name];
      return [name, (Math.max(0, amounts[name] - included) / per) * usd];
    }),
  ) as Record<Priced, number>;
  return { parts, usd: PRICED.reduce((sum, name) => sum + parts[name], PLAN_USD) };
}

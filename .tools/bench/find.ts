// Every acknowledged event must be found: the issue of each digest must count as many events as
// were acknowledged with it, and the ids of a sample must lead to their reports.

import { runInLanes } from "../command/run-in-lanes.ts";
import type { Client } from "../rig/client.ts";
import type { Sent } from "../rig/sender.ts";

/**
 * For more digests than this, only an even sample is looked up. The total of the list covers the
 * others.
 */
const MAX_DIGESTS = 600;
const MAX_IDS = 100;
/** Concurrent lookups. */
const LANES = 8;

export type Acknowledged = Pick<Sent, "failed" | "digests" | "ids">;

export interface Found {
  acknowledged: number;
  failed: number;
  /** A sentence for each difference. */
  wrong: readonly string[];
}

/** Compares Errata with the results of all runs that sent requests to it. */
export async function findAll(client: Client, runs: readonly Acknowledged[]): Promise<Found> {
  const expected = new Map<string, number>();
  for (const [digest, count] of runs.flatMap(({ digests }) => digests)) {
    expected.set(digest, (expected.get(digest) ?? 0) + count);
  }
  const failed = runs.reduce((sum, one) => sum + one.failed, 0);
  // A request without a response may have been stored.
  const differs = (is: number, wanted: number) => (failed === 0 ? is !== wanted : is < wanted);
  const wrong: string[] = [];
  await runInLanes(drawSample([...expected], MAX_DIGESTS), LANES, async ([digest, count]) => {
    const is = (await client.readJson(`/d/${digest}.json`))?.count ?? 0;
    if (differs(is, count)) wrong.push(`${digest} counts ${is} instead of ${count}`);
  });
  const total = (await client.readJson("/"))?.total ?? 0;
  if (differs(total, expected.size)) wrong.push(`${total} issues instead of ${expected.size}`);
  const ids = runs.flatMap((run) => run.ids);
  await runInLanes(drawSample(ids, MAX_IDS), LANES, async (id) => {
    const found = await client.readJson(`/lookup?q=${id}`);
    if (!found?.hits[0]?.url.endsWith(id)) wrong.push(`${id} leads nowhere`);
  });
  const acknowledged = [...expected.values()].reduce((sum, count) => sum + count, 0);
  return { acknowledged, failed, wrong };
}

function drawSample<T>(all: readonly T[], max: number): T[] {
  return all.filter((_, i) => i % Math.ceil(all.length / max) === 0);
}

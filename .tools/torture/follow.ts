// Looks ids up in Errata, and follows the links.

import { runInLanes } from "../command/run-in-lanes.ts";
import type { Evidence } from "./findings.ts";
import type { Journal } from "./journal.ts";

/** Concurrent lookups. */
export const LANES = 8;

/**
 * Follows each id to its body if one is stored (in `kept`), else to its issue. Resolves to a
 * sentence for each id that is not found, and to the number of ids that were found only after the
 * stale reads of KV ended.
 */
export async function followAll(
  ids: readonly string[],
  kept: ReadonlyMap<string, string>,
  { journal, client, kv }: Evidence,
) {
  const failed: { id: string; why: string }[] = [];
  const follow = async (id: string) => {
    const found = await client.readJson(`/lookup?q=${id}`);
    const hit: { url: string } | undefined = found?.hits?.find(({ url }: { url: string }) =>
      url.endsWith(id),
    );
    if (hit === undefined) return "the lookup does not find it";
    if (!kept.has(id)) return null;
    const report = await client.readJson(hit.url);
    if (report?.id !== id) return `${hit.url} does not show it`;
    const n = journal.events.get(id)?.event.n;
    const isIts = n === undefined || JSON.stringify(report).includes(`"torture-${n}"`);
    return isIts ? null : `${hit.url} shows another body`;
  };
  await runInLanes(ids, LANES, async (id) => {
    const why = await follow(id);
    if (why !== null) failed.push({ id, why });
  });
  kv.refresh();
  const lost: string[] = [];
  await runInLanes(failed, LANES, async ({ id, why }) => {
    if ((await follow(id)) !== null) lost.push(`${id}, ${describeEnd(id, journal)}: ${why}`);
  });
  return { lost, late: failed.length - lost.length };
}

/** How an id was acknowledged. */
function describeEnd(id: string, { events, uploads }: Journal) {
  const event = events.get(id);
  if (event !== undefined) return `event torture-${event.event.n}, ${event.end}`;
  const upload = [...uploads].find(([, entry]) => entry.id === id);
  return upload === undefined ? "unknown" : `browser's report ${upload[0]}, ${upload[1].end}`;
}

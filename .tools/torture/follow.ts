// Following ids on the desk, as a person would who has nothing but the id.

import type { Books } from "./books.ts";
import type { Client } from "./client.ts";
import type { FaultyKv } from "./faulty-kv.ts";

const LANES = 8;

/**
 * Follows each id: to its body where the record has one, else to its issue. Gives a sentence for each that leads nowhere, and
 * how many were found only when KV's old reads had ended, which this does.
 */
export async function followAll(
  ids: readonly string[],
  {
    books,
    kept,
    client,
    kv,
  }: {
    books: Books;
    /** ids that have a body in the record */
    kept: ReadonlyMap<string, string>;
    client: Client;
    kv: FaultyKv;
  },
) {
  const failed: { id: string; why: string }[] = [];
  const follow = async (id: string) => {
    const found = await client.json(`/lookup?q=${id}`);
    const hit: { url: string } | undefined = found?.hits?.find(({ url }: { url: string }) =>
      url.endsWith(id),
    );
    if (hit === undefined) return "the lookup does not find it";
    if (!kept.has(id)) return null;
    const report = await client.json(hit.url);
    if (report?.id !== id) return `${hit.url} does not show it`;
    const n = books.events.get(id)?.event.n;
    const isIts = n === undefined || JSON.stringify(report).includes(`"torture-${n}"`);
    return isIts ? null : `${hit.url} shows another body`;
  };
  await inLanes(ids, async (id) => {
    const why = await follow(id);
    if (why !== null) failed.push({ id, why });
  });
  kv.refresh();
  const lost: string[] = [];
  await inLanes(failed, async ({ id, why }) => {
    if ((await follow(id)) !== null) lost.push(`${id}, ${howOf(id, books)}: ${why}`);
  });
  return { lost, late: failed.length - lost.length };
}

/** Resolves when `work` has been done for every item, eight at once. */
export async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const left = [...items];
  const lane = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await work(next);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** What the sender was told. */
function howOf(id: string, { events, uploads }: Books) {
  const event = events.get(id);
  if (event !== undefined) return `event torture-${event.event.n}, ${event.end}`;
  const upload = [...uploads].find(([, entry]) => entry.id === id);
  return upload === undefined ? "unknown" : `browser's report ${upload[0]}, ${upload[1].end}`;
}

// Following ids on the desk, as a person would who has nothing but the id.

const LANES = 8;

/**
 * Follows each id: to its body where the record has one, else to its issue. Gives a sentence for each that leads nowhere, and
 * how many were found only when KV's old reads had ended, which this does.
 *
 * @param {readonly string[]} ids
 * @param {object} known
 * @param {import("./books.mjs").Books} known.books
 * @param {ReadonlyMap<string, string>} known.kept ids that have a body in the record
 * @param {import("./client.mjs").Client} known.client
 * @param {import("./faulty-kv.mjs").FaultyKv} known.kv
 */
export async function followAll(ids, { books, kept, client, kv }) {
  /** @type {{ id: string, why: string }[]} */
  const failed = [];
  const follow = async (/** @type {string} */ id) => {
    const found = await client.json(`/lookup?q=${id}`);
    /** @type {{ url: string } | undefined} */
    const hit = found?.hits?.find((/** @type {{ url: string }} */ { url }) => url.endsWith(id));
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
  /** @type {string[]} */
  const lost = [];
  await inLanes(failed, async ({ id, why }) => {
    if ((await follow(id)) !== null) lost.push(`${id}, ${howOf(id, books)}: ${why}`);
  });
  return { lost, late: failed.length - lost.length };
}

/**
 * Resolves when `work` has been done for every item, eight at once.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<void>} work
 */
export async function inLanes(items, work) {
  const left = [...items];
  const lane = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await work(next);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** What the sender was told. @param {string} id @param {import("./books.mjs").Books} books */
function howOf(id, { events, uploads }) {
  const event = events.get(id);
  if (event !== undefined) return `event torture-${event.event.n}, ${event.end}`;
  const upload = [...uploads].find(([, entry]) => entry.id === id);
  return upload === undefined ? "unknown" : `browser's report ${upload[0]}, ${upload[1].end}`;
}

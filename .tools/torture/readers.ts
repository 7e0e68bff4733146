// Readers during the faults: they look up acknowledged ids at once. They also fill KV's caches,
// with values and with misses.

import { setTimeout as sleep } from "node:timers/promises";
import type { Evidence } from "./findings.ts";
import { createChance } from "./plan.ts";

const READERS = 4;
const PAUSE_MS = 25;
/** How long an acknowledged report may be hidden by a shard that starts or responds late. */
const AT_ONCE_MS = 2_000;

/**
 * Starts the readers. `end` resolves to the number of lookups, to that of first lookups that found
 * nothing, and to the late ones.
 */
export function startReaders(
  seed: number,
  { client, journal }: Pick<Evidence, "client" | "journal">,
) {
  let isEnding = false;
  const figures = { asked: 0, misses: 0 };
  const late: string[] = [];
  const readers = Promise.all(Array.from({ length: READERS }, (_, i) => read(i)));

  async function read(reader: number) {
    const chance = createChance(seed, `reader ${reader}`);
    while (!isEnding) {
      await sleep(PAUSE_MS);
      // One of the newest, which will be copied soon.
      const id = journal.acknowledged.at(-1 - Math.floor(20 * chance()));
      if (id === undefined || journal.events.get(id)?.end !== "accepted") continue;
      await lookUp(id);
      await open(`/d/${journal.events.get(id)?.digest}`);
      if (chance() < 0.2) await client.openPage("/");
    }
  }

  /** Expects that the id leads to an issue. */
  function lookUp(id: string) {
    return expectReadable(id, async () => {
      const answer = await client.readJson(`/lookup?q=${id}`);
      return answer === undefined ? undefined : answer.hits.length > 0;
    });
  }

  /** Expects that the issue has a page, also with stale reads of KV. */
  function open(path: string) {
    return expectReadable(path, async () => {
      const status = await client.openPage(path);
      return status === 0 ? undefined : status === 200;
    });
  }

  /** @param isReadable resolves to undefined if the server does not respond */
  async function expectReadable(what: string, isReadable: () => Promise<boolean | undefined>) {
    figures.asked++;
    let untilMs = performance.now() + AT_ONCE_MS;
    for (let tries = 0; !isEnding; tries++) {
      const isThere = await isReadable();
      if (isThere) return;
      // The time while workerd is down does not count.
      if (isThere === undefined) untilMs = performance.now() + AT_ONCE_MS;
      else if (tries === 0) figures.misses++;
      if (performance.now() > untilMs) {
        late.push(`${what} was acknowledged, and not found ${AT_ONCE_MS} ms later`);
        return;
      }
      await sleep(PAUSE_MS);
    }
  }

  return {
    async end() {
      isEnding = true;
      await readers;
      return { ...figures, late };
    },
  };
}

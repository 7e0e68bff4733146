// Readers of the desk while everything goes wrong: what was acknowledged is looked up at once. They also fill KV's caches, with
// values and with misses.

import { setTimeout as sleep } from "node:timers/promises";
import type { Books } from "./books.ts";
import type { Client } from "./client.ts";
import { chanceOf } from "./plan.ts";

const READERS = 4;
const PAUSE_MS = 25;
/** So long the desk may not know what was acknowledged: a shard is starting, or did not answer in time. */
const AT_ONCE_MS = 2_000;

/**
 * Starts the readers. `end` resolves to how often they asked, how often at first in vain, and what was not found in time.
 */
export function watchDesk({ seed, client, books }: { seed: number; client: Client; books: Books }) {
  let isEnding = false;
  const figures = { asked: 0, vain: 0 };
  const late: string[] = [];
  const readers = Promise.all(Array.from({ length: READERS }, (_, i) => read(i)));

  async function read(reader: number) {
    const chance = chanceOf(seed, `reader ${reader}`);
    while (!isEnding) {
      await sleep(PAUSE_MS);
      // The newest: what is about to be copied.
      const id = books.acknowledged.at(-1 - Math.floor(20 * chance()));
      if (id === undefined || books.events.get(id)?.end !== "accepted") continue;
      await lookUp(id);
      await open(`/d/${books.events.get(id)?.digest}`);
      if (chance() < 0.2) await client.page("/");
    }
  }

  /** The id leads to an issue. */
  function lookUp(id: string) {
    return soon(id, async () => {
      const answer = await client.json(`/lookup?q=${id}`);
      return answer === undefined ? undefined : answer.hits.length > 0;
    });
  }

  /** The issue has a page, whatever KV remembers of it. */
  function open(path: string) {
    return soon(path, async () => {
      const status = await client.page(path);
      return status === 0 ? undefined : status === 200;
    });
  }

  /** @param look undefined when nobody answered */
  async function soon(what: string, look: () => Promise<boolean | undefined>) {
    figures.asked++;
    let untilMs = performance.now() + AT_ONCE_MS;
    for (let tries = 0; !isEnding; tries++) {
      const isThere = await look();
      if (isThere) return;
      // Nothing is found by one who is dead.
      if (isThere === undefined) untilMs = performance.now() + AT_ONCE_MS;
      else if (tries === 0) figures.vain++;
      if (performance.now() > untilMs) {
        late.push(`${what} was acknowledged, and not on the desk ${AT_ONCE_MS} ms later`);
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

// A hundred issues, by the real way in, for the pages to show.

import { idOf } from "../torture/bodies.mjs";
import { createClient } from "../torture/client.mjs";
import { envelope } from "./envelopes.mjs";
import { rest } from "./round.mjs";

const EVENTS = 200;

/** @typedef {import("./findable.mjs").Acknowledged} Seeded */

/**
 * Resolves when all of them are on the list.
 *
 * @param {import("./rig.mjs").Rig} rig
 * @returns {Promise<Seeded>}
 */
export async function seed(rig) {
  const client = createClient(() => rig.port);
  const ids = Array.from({ length: EVENTS }, (_, n) => idOf(3, `seed ${n}`));
  /** @type {Map<string, number>} */
  const digests = new Map();
  let answered = 0;
  // One after the other: two Workers that are seeded have the same list.
  for (const [n, id] of ids.entries()) {
    const { status, outcomes } = await client.post(envelope("hundred", n, id));
    if (status === 200) answered++;
    for (const { digest } of outcomes) digests.set(digest, (digests.get(digest) ?? 0) + 1);
  }
  await rest(rig);
  client.close();
  if (answered < EVENTS) throw new Error(`Of ${EVENTS} events ${answered} were taken.`);
  return { answered, failed: 0, digests: [...digests], ids };
}

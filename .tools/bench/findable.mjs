// Findable: an event that was acknowledged counts only if its codes lead to it. The issue of every digest must count as many
// events as were acknowledged with it, and the ids of a sample must lead to their issues.

import { createClient } from "../torture/client.mjs";
import { inLanes } from "../torture/follow.mjs";

/** More digests than these are not asked for one by one; the list's total says how many there are. */
const MAX_DIGESTS = 600;
const SAMPLE = 100;

/** @typedef {Pick<import("./load.mjs").Sent, "answered" | "failed" | "digests" | "ids">} Acknowledged */

/**
 * @param {import("./rig.mjs").Rig} rig
 * @param {readonly Acknowledged[]} sents everything that was sent to it
 */
export async function findable({ port }, sents) {
  const client = createClient(() => port);
  /** @type {Map<string, number>} */
  const expected = new Map();
  for (const [digest, count] of sents.flatMap(({ digests }) => digests)) {
    expected.set(digest, (expected.get(digest) ?? 0) + count);
  }
  const failed = sents.reduce((sum, one) => sum + one.failed, 0);
  /** What was not answered may have been stored nevertheless. @param {number} is @param {number} told */
  const isLost = (is, told) => (failed === 0 ? is !== told : is < told);
  /** @type {string[]} */
  const wrong = [];
  let found = 0;
  const stride = Math.ceil(expected.size / MAX_DIGESTS);
  await inLanes(
    [...expected].filter((_, i) => i % stride === 0),
    async ([digest, count]) => {
      const issue = await client.json(`/d/${digest}.json`);
      const is = issue?.count ?? 0;
      found += Math.min(is, count);
      if (isLost(is, count)) wrong.push(`${digest} counts ${is} instead of ${count}`);
    },
  );
  const { total } = await client.json("/");
  if (isLost(total, expected.size)) wrong.push(`${total} issues instead of ${expected.size}`);
  const ids = sents.flatMap(({ ids }) => ids);
  await inLanes(
    ids.filter((_, i) => i % Math.ceil(ids.length / SAMPLE) === 0),
    async (id) => {
      const { hits } = await client.json(`/lookup?q=${id}`);
      if (!hits[0]?.url.endsWith(id)) wrong.push(`${id} leads nowhere`);
    },
  );
  client.close();
  const acknowledged = [...expected.values()].reduce((sum, count) => sum + count, 0);
  return { acknowledged, failed, found: found * stride, wrong };
}

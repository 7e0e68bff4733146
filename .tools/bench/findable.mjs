// Findable: an event that was acknowledged counts only if its codes lead to it. The issue of every digest must count as many
// events as were acknowledged with it, and the ids of a sample must lead to their issues.

import { createClient } from "../torture/client.mjs";
import { inLanes } from "../torture/follow.mjs";

/** More digests than these are not asked for one by one; the list's total says how many there are. */
const MAX_DIGESTS = 600;
const SAMPLE = 100;

/**
 * @param {import("./rig.mjs").Rig} rig
 * @param {readonly import("./load.mjs").Sent[]} sents everything that was sent to it
 */
export async function findable({ port }, sents) {
  const client = createClient(() => port);
  /** @type {Map<string, number>} */
  const expected = new Map();
  for (const [digest, count] of sents.flatMap(({ digests }) => digests)) {
    expected.set(digest, (expected.get(digest) ?? 0) + count);
  }
  /** @type {string[]} */
  const wrong = [];
  let found = 0;
  const stride = Math.ceil(expected.size / MAX_DIGESTS);
  await inLanes(
    [...expected].filter((_, i) => i % stride === 0),
    async ([digest, count]) => {
      const issue = await client.json(`/d/${digest}.json`);
      found += Math.min(issue?.count ?? 0, count);
      if (issue?.count !== count)
        wrong.push(`${digest} counts ${issue?.count} instead of ${count}`);
    },
  );
  const { total } = await client.json("/");
  if (total !== expected.size) wrong.push(`${total} issues instead of ${expected.size}`);
  const ids = sents.flatMap(({ ids }) => ids);
  await inLanes(
    ids.filter((_, i) => i % Math.ceil(ids.length / SAMPLE) === 0),
    async (id) => {
      const { hits } = await client.json(`/lookup?q=${id}`);
      if (!hits[0]?.url.endsWith(id)) wrong.push(`${id} leads nowhere`);
    },
  );
  client.close();
  const sum = (/** @type {"answered" | "failed"} */ what) =>
    sents.reduce((total, sent) => total + sent[what], 0);
  return { acknowledged: sum("answered"), failed: sum("failed"), found: found * stride, wrong };
}

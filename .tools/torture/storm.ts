// A storm of reports in new issues, as fast as workerd accepts them, and the messages that
// destinations of alerts received.

import { setTimeout as sleep } from "node:timers/promises";
import { createEventBody, createId } from "../reports/bodies.ts";
import type { Client } from "../rig/client.ts";
import type { HostileReceiver } from "./hostile-receiver.ts";

/** Concurrent requests. */
const CONCURRENCY = 64;

interface StormOptions {
  client: Client;
  seed: number;
  reports: number;
  issues: number;
  /** The text of the error of an issue, by its number. */
  nameFault: (issue: number) => string;
  onAcknowledged: (digest: string) => void;
}

/** Sends the reports, each until it is acknowledged. Resolves to the total time, ms. */
export async function sendStorm(options: StormOptions): Promise<number> {
  const { client, seed, reports, issues, nameFault, onAcknowledged } = options;
  const beganMs = performance.now();
  let next = 0;
  async function sendNext() {
    for (let n = next++; n < reports; n = next++) {
      const issue = n % issues;
      const event = { n: issue, id: createId(seed, `storm ${n}`), fault: nameFault(issue) };
      const body = createEventBody(seed, { ...event, atMs: Date.now() });
      let answer = await client.post(body);
      while (answer.status !== 200) {
        await sleep(200);
        answer = await client.post(body);
      }
      for (const { item, digest } of answer.outcomes) if (item === "event") onAcknowledged(digest);
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendNext));
  return performance.now() - beganMs;
}

/**
 * A line for each message: its title, its number of issues, and its time after the oldest of them
 * was acknowledged.
 */
export function describeMessages(
  { messages }: HostileReceiver,
  acknowledged: ReadonlyMap<string, number>,
): string {
  return messages
    .map(({ path, title, digests, atMs }) => {
      const oldestMs = Math.min(...digests.map((digest) => acknowledged.get(digest) ?? atMs));
      return `  ${path}: ${title}, issues: ${digests.length}, after ${Math.round(atMs - oldestMs)} ms`;
    })
    .join("\n");
}

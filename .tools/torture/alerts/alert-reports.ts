// Reports of new issues, and the messages that destinations of alerts received about them.

import { setTimeout as sleep } from "node:timers/promises";
import { runInLanes } from "../../command/run-in-lanes.ts";
import { createEventBody } from "../../reports/bodies.ts";
import { createId, nameFault } from "../../reports/names.ts";
import type { Client } from "../../rig/client.ts";
import type { HostileReceiver } from "./hostile-receiver.ts";

/** Concurrent requests of a storm. */
const CONCURRENCY = 64;
const RETRY_MS = 200;

export type AlertReports = ReturnType<typeof createAlertReports>;

/** Sends reports of `issues` new issues. */
export function createAlertReports(client: Client, seed: number, issues: number) {
  /** When each issue was acknowledged, by digest. */
  const acknowledged = new Map<string, number>();

  /** Sends the `n`th report until it is acknowledged. */
  async function send(n: number) {
    const issue = n % issues;
    const event = { n: issue, id: createId(seed, `alert ${n}`), fault: nameFault(issue) };
    for (;;) {
      const body = createEventBody(seed, { ...event, atMs: Date.now() });
      const { status, outcomes } = await client.post(body);
      const digest = outcomes.find(({ item }) => item === "event")?.digest;
      if (status !== 200 || digest === undefined) {
        await sleep(RETRY_MS);
        continue;
      }
      if (!acknowledged.has(digest)) acknowledged.set(digest, performance.now());
      return;
    }
  }

  return {
    acknowledged,

    /** Reports one issue after another within this time, without waiting for responses. */
    async sendEach(durationMs: number) {
      const sent: Promise<void>[] = [];
      for (let n = 0; n < issues; n++) {
        sent.push(send(n));
        await sleep(durationMs / issues);
      }
      await Promise.all(sent);
    },

    /** Sends this many reports as fast as they are accepted. Resolves to the total time, ms. */
    async sendStorm(reports: number): Promise<number> {
      const beganMs = performance.now();
      await runInLanes(Array(reports).keys(), CONCURRENCY, send);
      return performance.now() - beganMs;
    },
  };
}

/**
 * A line for each message: its title, its number of issues, and its time after the oldest of them
 * was acknowledged.
 */
export function describeMessages(
  { messages }: HostileReceiver,
  { acknowledged }: AlertReports,
): string {
  return messages
    .map(({ path, title, digests, atMs }) => {
      const oldestMs = Math.min(...digests.map((digest) => acknowledged.get(digest) ?? atMs));
      return `  ${path}: ${title}, issues: ${digests.length}, after ${Math.round(atMs - oldestMs)} ms`;
    })
    .join("\n");
}

// The loss of everything but KV: workerd is killed, what its objects have stored is deleted, and it starts on nothing. The index
// then makes itself and the logs anew from what KV holds.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "./client.ts";
import type { Host } from "./host.ts";

const PATIENCE_MS = 60_000;

/**
 * Resolves when the logs hold nothing that KV has not; to false when that takes too long. Snapshots may wait for their turns.
 */
export function restsInKv(client: Client) {
  return until(client, ({ store }) => {
    const rows = store.shards.reduce((sum: number, shard: { rows: number }) => sum + shard.rows, 0);
    return store.shards.length > 0 && rows === 0;
  });
}

/**
 * Loses the objects' storage; resolves to how long it took until all was made anew, null when it took too long.
 */
export async function loseObjects({
  folder,
  host,
  client,
}: {
  folder: string;
  host: Host;
  client: Client;
}) {
  const objects = join(folder, "objects");
  await host.strike(0, () => {
    rmSync(objects, { recursive: true, force: true });
    mkdirSync(objects);
  });
  const beganMs = performance.now();
  const isDone = await until(client, ({ store }) => store.work === undefined);
  return isDone ? performance.now() - beganMs : null;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of the desk
async function until(client: Client, isSo: (status: any) => boolean) {
  const untilMs = performance.now() + PATIENCE_MS;
  while (performance.now() < untilMs) {
    const status = await client.json("/status");
    if (status?.store !== undefined && isSo(status)) return true;
    await sleep(250);
  }
  return false;
}

// Deletes everything except KV: kills workerd, deletes the storage of its objects, and starts it
// again. The index then rebuilds itself and the logs from KV.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../rig/client.ts";
import type { Host } from "./host.ts";

const PATIENCE_MS = 60_000;

/**
 * Resolves to true when KV has everything that the logs have, to false after a timeout. Snapshots
 * may still be queued.
 */
export function allCopied(client: Client) {
  return until(client, ({ health }) => {
    const rows = health.shards.reduce(
      (sum: number, shard: { rows: number }) => sum + shard.rows,
      0,
    );
    return health.shards.length > 0 && rows === 0;
  });
}

/**
 * Deletes the objects' storage. Resolves to the duration of the rebuild in ms, null after a
 * timeout.
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
  const isDone = await until(client, ({ health }) => health.work === undefined);
  return isDone ? performance.now() - beganMs : null;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of Errata
async function until(client: Client, isSo: (status: any) => boolean) {
  const untilMs = performance.now() + PATIENCE_MS;
  while (performance.now() < untilMs) {
    const status = await client.json("/status");
    if (status?.health !== undefined && isSo(status)) return true;
    await sleep(250);
  }
  return false;
}

// The copies in KV: waits until they are complete, and rebuilds everything from them alone.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import type { Client } from "../rig/client.ts";
import type { FaultyKv } from "./faulty-kv.ts";
import type { Host } from "./host.ts";
import type { Journal } from "./journal.ts";
import type { KvRecord } from "./record.ts";
import type { MapUploads } from "./uploads.ts";
import { isStored } from "./verify.ts";

const PATIENCE_MS = 60_000;
/** A refused copy is retried after at most a minute. */
const SETTLE_MS = 90_000;
const CHECK_MS = 250;

/**
 * Resolves to the time in ms until KV had every acknowledged report and every bundle; null after a
 * timeout.
 */
export async function waitForCopies({
  journal,
  record,
  kv,
  maps,
}: {
  journal: Journal;
  record: KvRecord;
  kv: FaultyKv;
  maps: MapUploads;
}) {
  const beganMs = performance.now();
  const releases = maps.sent.filter(({ isOk }) => isOk).map(({ release }) => release);
  while (performance.now() - beganMs < SETTLE_MS) {
    record.read();
    const stored = readReleases(kv);
    if (isStored(journal, record) && releases.every((release) => stored.has(release))) {
      return performance.now() - beganMs;
    }
    await sleep(CHECK_MS);
  }
  return null;
}

/** The releases of the uploads in KV, read without Errata's own code. */
function readReleases(kv: FaultyKv): ReadonlySet<string> {
  const uploads = [...kv.values].filter(([key]) => /^source-maps\/\w+\/uploads\//.test(key));
  return new Set(
    uploads.map(([, { bytes }]) => JSON.parse(gunzipSync(bytes).toString()).upload.release),
  );
}

/**
 * Resolves to true when KV has everything that the logs have, to false after a timeout. Snapshots
 * may still be queued.
 */
export function waitForLogs(client: Client) {
  return waitFor(client, ({ health }) => {
    const rows = health.shards.reduce(
      (sum: number, shard: { rows: number }) => sum + shard.rows,
      0,
    );
    return health.shards.length > 0 && rows === 0;
  });
}

/**
 * Kills workerd, deletes the storage of its objects, and starts it again: the index then rebuilds
 * itself and the logs from KV. Resolves to the duration of the rebuild in ms, null after a
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
  const isDone = await waitFor(client, ({ health }) => health.work === undefined);
  return isDone ? performance.now() - beganMs : null;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of Errata
async function waitFor(client: Client, isSo: (status: any) => boolean) {
  const untilMs = performance.now() + PATIENCE_MS;
  while (performance.now() < untilMs) {
    const status = await client.json("/status");
    if (status?.health !== undefined && isSo(status)) return true;
    await sleep(CHECK_MS);
  }
  return false;
}

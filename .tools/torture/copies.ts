// The copies in KV: waits until they are complete, and rebuilds everything from them alone.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { waitUntil } from "../command/wait-until.ts";
import type { Client } from "../rig/client.ts";
import type { FaultyKv } from "./faulty-kv.ts";
import type { Evidence } from "./findings.ts";
import type { Host } from "./host.ts";
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
export async function waitForCopies({ journal, record, kv }: Evidence, maps: MapUploads) {
  const beganMs = performance.now();
  const releases = maps.sent.filter(({ isOk }) => isOk).map(({ release }) => release);
  const isCopied = () => {
    record.read();
    const stored = readReleases(kv);
    return isStored(journal, record) && releases.every((release) => stored.has(release));
  };
  const isDone = await waitUntil(isCopied, { maxMs: SETTLE_MS, everyMs: CHECK_MS });
  return isDone ? performance.now() - beganMs : null;
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
  return waitFor(client, ({ health: { shards } }) => {
    return shards.length > 0 && shards.every(({ rows }: { rows: number }) => rows === 0);
  });
}

/**
 * Kills workerd, deletes the storage of its objects, and starts it again: the index then rebuilds
 * itself and the logs from KV. Resolves to the duration of the rebuild in ms, null after a
 * timeout.
 */
export async function loseObjects(place: { folder: string; host: Host; client: Client }) {
  const { folder, host, client } = place;
  const objects = join(folder, "objects");
  await host.restart(0, () => {
    rmSync(objects, { recursive: true, force: true });
    mkdirSync(objects);
  });
  const beganMs = performance.now();
  const isDone = await waitFor(client, ({ health }) => health.work === undefined);
  return isDone ? performance.now() - beganMs : null;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of Errata
function waitFor(client: Client, isSo: (status: any) => boolean) {
  const check = async () => {
    const status = await client.readJson("/status");
    return status?.health !== undefined && isSo(status);
  };
  return waitUntil(check, { maxMs: PATIENCE_MS, everyMs: CHECK_MS });
}

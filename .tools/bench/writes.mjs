// What a million reports write: keys into KV, rows into the objects, bytes. From that, and the CPU of a report, the bill.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../torture/client.mjs";
import { MANY } from "./cases.mjs";
import { SUMS, writeCounting } from "./counting.mjs";
import { mixes } from "./envelopes.mjs";
import { createPlayer } from "./player.mjs";
import { startRig } from "./rig.mjs";
import { rest } from "./round.mjs";

/**
 * @typedef {object} Written of one mix; numbers are for each report
 * @property {import("./envelopes.mjs").Mix} mix
 * @property {number} reports
 * @property {number} perSecond
 * @property {number} chunkPuts
 * @property {number} snapshotPuts
 * @property {number} chunkBytes
 * @property {number} snapshotBytes that stand in KV in the end
 * @property {number} rows
 * @property {number} objectRequests
 */

/**
 * What each mix wrote.
 *
 * @param {object} options
 * @param {string} options.worker
 * @param {import("./player.mjs").Sender} options.sender
 * @param {number} options.ms of each mix
 * @param {(text: string) => void} options.progress
 * @returns {Promise<readonly Written[]>}
 */
export async function writes({ worker, sender, ms, progress }) {
  const folder = mkdtempSync(join(tmpdir(), "errata-bench-counting-"));
  const counting = join(folder, "counting.js");
  await writeCounting(worker, counting);
  const written = [];
  for (const mix of mixes) {
    progress(`what is written: ${mix}`);
    const rig = await startRig(counting);
    // What may be written at once for new issues is written; from here on it is the steady pace that is counted.
    const player = createPlayer(sender, rig.port, [{ kind: "event", mix }]);
    await player.warmUp(MANY, ms / 2);
    await rest(rig);
    const client = createClient(() => rig.port);
    const before = await countsOf(rig, client);
    const sent = await player.play(MANY, ms, player.amountFor(MANY, ms));
    await rest(rig);
    const after = await countsOf(rig, client);
    client.close();
    const reports = sent.answered;
    const all = player.sents.reduce((sum, { answered }) => sum + answered, 0);
    const { chunks, snapshots } = after;
    written.push({
      mix,
      reports,
      perSecond: (reports * 1000) / sent.tookMs,
      chunkPuts: (chunks.keys - before.chunks.keys) / reports,
      snapshotPuts: (after.otherPuts - before.otherPuts) / reports,
      chunkBytes: chunks.bytes / all,
      snapshotBytes: snapshots.bytes / all,
      rows: (after.rows - before.rows) / reports,
      objectRequests: (after.calls - before.calls) / reports,
    });
    await rig.stop();
  }
  rmSync(folder, { recursive: true, force: true });
  return written;
}

/** What was written until now. @param {import("./rig.mjs").Rig} rig @param {import("../torture/client.mjs").Client} client */
async function countsOf(rig, client) {
  /** @type {import("./counting.mjs").Sums} */
  const { rows, calls } = await client.json(SUMS);
  const chunks = keysOf(rig, (key) => key.startsWith("c/"));
  return {
    chunks,
    snapshots: keysOf(rig, (key) => !key.startsWith("c/")),
    otherPuts: rig.kv.figures.puts - chunks.keys,
    rows,
    calls: Object.values(calls).reduce((sum, count) => sum + count, 0),
  };
}

/** @param {import("./rig.mjs").Rig} rig @param {(key: string) => boolean} isWanted */
function keysOf({ kv }, isWanted) {
  const found = [...kv.values].filter(([key]) => isWanted(key));
  const bytes = found.reduce((sum, [key, value]) => {
    return sum + key.length + value.bytes.length + (value.metadata?.length ?? 0);
  }, 0);
  return { keys: found.length, bytes };
}

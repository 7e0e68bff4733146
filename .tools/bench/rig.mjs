// What is measured: a Worker on plain workerd, one process, with its Durable Objects on the disk and KV on a loopback server,
// as the torture run has it. What it is compared with stands in the very same configuration.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../run.mjs";
import { startKv } from "../torture/faulty-kv.mjs";
import { makePlan } from "../torture/plan.mjs";
import { startWorkerd } from "../torture/workerd.mjs";
import { cpuUs, processOf, residentBytes } from "./cpu.mjs";

/** The ingest key of the project. */
const KEY = "bench0000000000000000000000000000";

/** Where @sentry/browser posts to with this key in its DSN. */
export const ENVELOPES = `/api/1/envelope/?sentry_version=7&sentry_key=${KEY}&sentry_client=sentry.javascript.browser%2F11.12.0`;

/** As many writes into KV as it wants: what a small budget delays would not be measured. */
const VARS = { ERRATA_KEY: KEY, ERRATA_KV_WRITES_PER_DAY: "1000000000", ERRATA_LOCAL: "open" };

/** Rate limits that let everything through. */
const LIMITS = `export default () => ({ limit: async () => ({ success: true }) });`;

/** @typedef {Awaited<ReturnType<typeof startRig>>} Rig */

/**
 * Starts a Worker's file in a folder of its own, as the revision in `tree` lays it out: with the bindings that it has.
 *
 * @param {string} workerFile
 * @param {string} [tree]
 */
export async function startRig(workerFile, tree = root) {
  const folder = mkdtempSync(join(tmpdir(), "errata-bench-"));
  // A plan's faults begin when they are told to.
  const kv = await startKv(makePlan({ seed: 1, seconds: 1, kills: 1 }));
  kv.refresh();
  /** @type {typeof import("../torture/workerd.mjs")} */
  const { layOut } = await import(pathToFileURL(join(tree, ".tools/torture/workerd.mjs")).href);
  layOut({ folder, workerFile, kvPort: kv.port, vars: VARS });
  putLimitsInside(folder);
  const spawnedMs = performance.now();
  const workerd = await startWorkerd(folder);
  let seenUs = 0;
  /** @type {number | undefined} */
  let known;
  // It is looked for when it is asked for: that takes a moment, which is no part of a start.
  const pid = () => {
    known ??= processOf(join(folder, "config.capnp"));
    return known;
  };

  return {
    port: workerd.port,
    kv,
    /** Where its objects lie. */
    folder,
    /** When the process was spawned, by `performance.now()`. */
    spawnedMs,
    /** What of it is in memory, in bytes. */
    residentBytes: () => residentBytes(pid()),
    /** CPU of the process since this was asked last, or since its spawn, in µs: what it did behind an answer is in it. */
    cpuUs() {
      const before = seenUs;
      seenUs = cpuUs(pid());
      return seenUs - before;
    },
    async stop() {
      workerd.kill();
      await workerd.ended;
      kv.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The torture run's limits are a Worker, and each question to it is an RPC that costs about a bare request: it would be
 * measured with the product. Here they are an extension of the runtime.
 *
 * @param {string} folder
 */
function putLimitsInside(folder) {
  const config = join(folder, "config.capnp");
  writeFileSync(join(folder, "limits-inside.js"), LIMITS);
  const inside = readFileSync(config, "utf8")
    .replaceAll('service = "limits"', 'wrapped = (moduleName = "bench:limits")')
    .replace(
      "Workerd.Config = (",
      `Workerd.Config = (
  extensions = [
    (modules = [(name = "bench:limits", internal = true, esModule = embed "limits-inside.js")]),
  ],`,
    );
  writeFileSync(config, inside);
}

// What is measured: a Worker on plain workerd, one process, with its Durable Objects on the disk and KV on a loopback server,
// as the torture run has it. The bare Worker stands in the very same configuration.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKv } from "../torture/faulty-kv.mjs";
import { makePlan } from "../torture/plan.mjs";
import { layOut, startWorkerd } from "../torture/workerd.mjs";
import { cpuUs, processOf } from "./cpu.mjs";

/** The ingest key of the project. */
const KEY = "bench0000000000000000000000000000";

/** Where @sentry/browser posts to with this key in its DSN. */
export const ENVELOPES = `/api/1/envelope/?sentry_version=7&sentry_key=${KEY}&sentry_client=sentry.javascript.browser%2F11.12.0`;

/** As many writes into KV as it wants: what a small budget delays would not be measured. */
const VARS = { ERRATA_KEY: KEY, ERRATA_KV_WRITES_PER_DAY: "1000000000", ERRATA_LOCAL: "open" };

/** Reads the body and answers. The classes stand in the configuration, and are never called. */
const BARE = `
  import { DurableObject } from "cloudflare:workers";
  export class ReportLog extends DurableObject {}
  export class ProjectIndex extends DurableObject {}
  export class Registry extends DurableObject {}
  export default {
    async fetch(request) {
      await request.arrayBuffer();
      return new Response("ok");
    },
  };
`;

/** Rate limits that let everything through. */
const LIMITS = `export default () => ({ limit: async () => ({ success: true }) });`;

/** @typedef {Awaited<ReturnType<typeof startRig>>} Rig */

/**
 * Starts a Worker's file, or the bare Worker, in a folder of its own.
 *
 * @param {string | "bare"} worker
 */
export async function startRig(worker) {
  const folder = mkdtempSync(join(tmpdir(), "errata-bench-"));
  // A plan's faults begin when they are told to.
  const kv = await startKv(makePlan({ seed: 1, seconds: 1, kills: 1 }));
  kv.refresh();
  const bare = join(folder, "bare.js");
  writeFileSync(bare, BARE);
  const workerFile = worker === "bare" ? bare : worker;
  layOut({ folder, workerFile, kvPort: kv.port, vars: VARS });
  putLimitsInside(folder);
  const workerd = await startWorkerd(folder);
  const pid = processOf(join(folder, "config.capnp"));
  let seenUs = cpuUs(pid);

  return {
    port: workerd.port,
    kv,
    /** CPU of the process since this was asked last, in µs: what it did behind an answer is in it. */
    cpuUs() {
      const before = seenUs;
      seenUs = cpuUs(pid);
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

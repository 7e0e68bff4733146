// `npm run bench`: what a request costs, on the bundle that is deployed: CPU beside a bare Worker, a cold start, memory, what is
// written and billed, how long a throw takes to be found. tests/bench/README.md has the method.
//
//     npm run bench -- --json results.json            everything, to be read by a program
//     npm run bench -- --seconds 120                  shorter, and noisier
//     npm run bench -- --cases storm,cold-start       some cases alone
//     npm run bench -- --worker other/worker.js       another bundle than the built one
//     npm run bench -- --against HEAD~3               beside another revision, or another bundle, in the same rounds

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "../build.mjs";
import { isBuilt, workerFile } from "../built.mjs";
import { root, toolEnv } from "../run.mjs";
import { isWriting } from "./cases.mjs";
import { optionsOf } from "./options.mjs";
import { planOf } from "./plan.mjs";
import { settingNow } from "./setting.mjs";

if (!existsSync("/proc/self/stat")) {
  console.error(
    "npm run bench needs Linux: it reads the CPU time of a process from /proc, which this system does not have.",
  );
  process.exit(1);
}
const { seconds, chosen, extras, worker, against, json } = optionsOrEnd();
const setting = settingNow();
Object.assign(process.env, toolEnv);
// workerd, and what was checked out, go with this process when that has a moment to say so.
process.setMaxListeners(0);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

if (worker === undefined || !isBuilt()) {
  progress("Building …");
  const built = await build();
  if (!built.ok) throw new Error(built.message);
}
const { bundle } = await import("./bundles.mjs");
const { startSender } = await import("./player.mjs");
const { playRounds } = await import("./rounds.mjs");
const { tablesOf } = await import("./table.mjs");

const folder = mkdtempSync(join(tmpdir(), "errata-bench-bundles-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const bundles = await bundlesOf(against);
const turns = chosen.flatMap((one) =>
  bundles
    .filter(({ workers }) => workers[one.worker])
    .flatMap(() => one.connections.map(() => one)),
);
const isWhole = extras.includes("writes") || extras.includes("latency");
const plan = planOf({
  seconds,
  turns: turns.length,
  writingTurns: turns.filter(isWriting).length,
  isWhole,
});
const sender = startSender();
/** @type {import("./table.mjs").Results} */
const results = {
  setting,
  rounds: await playRounds({ cases: chosen, bundles, sender, roundMs: plan.roundMs, progress }),
};
if (extras.includes("cold-start")) {
  const { coldStart } = await import("./cold-start.mjs");
  results.coldStart = await coldStart(bundles, progress);
}
const built = bundles[0]?.workers.built ?? "";
if (extras.includes("writes")) {
  const { writes } = await import("./writes.mjs");
  const { withBill } = await import("./bill.mjs");
  const written = await writes({ worker: built, sender, ms: plan.writesMs, progress });
  results.written = withBill(written, results.rounds.lines);
}
if (extras.includes("latency")) {
  const { latency } = await import("./latency.mjs");
  progress("from throw to findable");
  results.latency = await latency({ worker: built, events: plan.latencyEvents });
}
sender.stop();
progress("");
for (const line of tablesOf(results)) console.log(line);
if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
process.exitCode = results.rounds.found.some(({ wrong }) => wrong.length > 0) ? 1 : 0;

/** The Workers of this revision, and of the other one. @param {string | undefined} against */
async function bundlesOf(against) {
  progress("Bundling …");
  const wanted = new Set(chosen.map(({ worker }) => worker)).add("bare");
  const own = await bundle(root, wanted, join(folder, "this"));
  /** @type {import("./bundles.mjs").Bundle[]} */
  const bundles = [
    { name: "this", tree: root, workers: { ...own, built: resolve(worker ?? workerFile) } },
  ];
  if (against?.endsWith(".js")) {
    bundles.push({ name: "other", tree: root, workers: { built: resolve(against) } });
  } else if (against !== undefined) {
    progress(`Building ${against} …`);
    const { checkOut } = await import("./revision.mjs");
    const { tree, worker } = await checkOut(against);
    const fixture = new Set([...wanted].filter((name) => name === "fixture"));
    const other = await bundle(tree, fixture, join(folder, "other"));
    bundles.push({ name: "other", tree, workers: { ...other, built: worker } });
  }
  return bundles;
}

/** @param {string} text */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
  else if (text) process.stderr.write(`${text}\n`);
}

/** What was asked for; an option that does not exist is answered in a sentence. */
function optionsOrEnd() {
  try {
    return optionsOf(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

// `npm run bench`: the cost of a request on the deployed bundle: CPU time compared with a bare
// Worker, a cold start, memory, writes and their bill, and the time from a throw to its report.
// tests/bench/README.md describes the method.
//
//     npm run bench -- --json results.json            everything, with the results for a program
// npm run bench -- --seconds 0.5                  shorter rounds: faster and noisier
//     npm run bench -- --cases storm,cold-start       some cases only
//     npm run bench -- --worker other/worker.js       another bundle than the built one
//     npm run bench -- --against HEAD~3               beside another revision or bundle

import { existsSync, writeFileSync } from "node:fs";
import { decodeOptions } from "./bench/options.ts";
import { SOURCE_MAP_CASES } from "./bench/source-map-cases.ts";
import type { Results } from "./bench/tables.ts";
import { isBuilt } from "./build/built.ts";
import { build } from "./build.ts";
import { progress } from "./command/progress.ts";
import { quit, readOptions } from "./command/quit.ts";
import { toolEnv } from "./command/run-package.ts";
import { root } from "./install.mjs";
import { settingNow } from "./rig/setting.ts";

/** Events of the case `latency` for each second of a round. */
const EVENTS_PER_SECOND = 240;

if (!existsSync("/proc/self/stat")) {
  quit("npm run bench needs Linux: it reads the CPU time of a process from /proc.");
}
const { seconds, issues, chosen, extras, worker, against, json } = readOptions(decodeOptions);
const setting = settingNow();
Object.assign(process.env, toolEnv);
// Each workerd adds a listener that ends it with this process.
process.setMaxListeners(0);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

if (worker === undefined || !isBuilt()) {
  progress("build");
  const built = await build();
  if (!built.ok) quit(built.message);
}
const { thisRevision, otherRevision } = await import("./bench/workers.ts");
const { startSender } = await import("./rig/sender.ts");
const { playRounds } = await import("./bench/rounds.ts");
const { formatTables } = await import("./bench/tables.ts");

const wanted = new Set(chosen.map((one) => one.worker));
const sourceMapCases = SOURCE_MAP_CASES.filter((name) => extras.includes(name));
if (sourceMapCases.length > 0) wanted.add("source-maps");
progress("bundles");
const own = await thisRevision(wanted, worker);
const revisions = against === undefined ? [own] : [own, await otherRevision(against, wanted)];
const sender = startSender();
const results: Results = { setting };
if (chosen.length > 0) {
  results.rounds = await playRounds({ cases: chosen, revisions, sender, seconds, issues });
}
if (extras.includes("cold-start")) {
  const { measureColdStart } = await import("./bench/cold-start.ts");
  results.coldStart = await measureColdStart(revisions);
}
if (extras.includes("cold-engine")) {
  const { measureColdEngine } = await import("./bench/cold-engine.ts");
  results.coldEngine = await measureColdEngine(own.workers.built, root, sender);
}
if (extras.includes("writes")) {
  const { writes } = await import("./bench/writes.ts");
  const lines = results.rounds?.lines ?? [];
  results.written = await writes({ worker: own.workers.built, tree: root, sender, seconds, lines });
}
if (extras.includes("latency")) {
  const { latency } = await import("./bench/latency.ts");
  results.latency = await latency(own.workers.built, root, Math.ceil(EVENTS_PER_SECOND * seconds));
}
if (sourceMapCases.length > 0 && own.workers["source-maps"] !== undefined) {
  const { measureSourceMaps } = await import("./bench/source-maps.ts");
  results.sourceMaps = await measureSourceMaps(
    own.workers["source-maps"],
    own.workers.built,
    sourceMapCases,
  );
}
sender.stop();
progress("");
for (const line of formatTables(results)) console.log(line);
if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
const isWrong = results.rounds?.found.some(({ wrong }) => wrong.length > 0) ?? false;
process.exitCode = isWrong ? 1 : 0;

// `npm run torture`: tests the deployed bundle for about three minutes: no acknowledged report is
// lost or counts twice, and uploads of source maps with the response `ok` are readable. Exits with
// 1 and a list when anything differs.
//
//     npm run torture -- --seed 7                     the plan of that seed
//     npm run torture -- --seconds 30 --kills 8       shorter
//     npm run torture -- --var ERRATA_SHARDS=4        a variable of the Worker

import { buildOrQuit } from "./build/build.ts";
import { showProgress } from "./command/progress.ts";
import { parseOptions, quit } from "./command/quit.ts";
import { endOnSignals } from "./command/signals.ts";
import { summarize } from "./torture/summary.ts";
import { runTrial } from "./torture/trial.ts";

const FIRST_DIFFERENCES = 20;
/** Ids that are followed to their bodies. */
const SAMPLE = 1_000;
/** New bodies a second, if the machine is fast enough. */
const PER_SECOND = 400;

const values = parseOptions({
  seed: { type: "string", default: String(Math.floor(Math.random() * 100_000)) },
  seconds: { type: "string", default: "110" },
  kills: { type: "string", default: "14" },
  var: { type: "string", multiple: true, default: [] },
});
const seed = Number(values.seed);
const seconds = Number(values.seconds);
const kills = Number(values.kills);
if (![seed, seconds, kills].every((value) => Number.isInteger(value) && value >= 0)) {
  quit("--seed, --seconds and --kills must be whole numbers.");
}
// Ends each workerd with this process, if it can handle its own end.
endOnSignals();
console.log("Building …");
await buildOrQuit();
console.log(`seed ${seed}`);
const vars = Object.fromEntries(values.var.map((pair) => pair.split(/=(.*)/s, 2)));
const options = { seed, seconds, kills, perSecond: PER_SECOND, sample: SAMPLE };
const done = await runTrial({ ...options, vars, progress: showProgress });
showProgress("");
const { lost, duplicated, wrong } = done.verdict;
const differences = [...lost, ...duplicated, ...wrong];
for (const line of summarize(done)) console.log(line);
for (const difference of differences.slice(0, FIRST_DIFFERENCES)) console.log(`  ✗ ${difference}`);
for (const late of done.lookups.late.slice(0, FIRST_DIFFERENCES)) console.log(`  · ${late}`);
const isKept = differences.length > 0;
await done.close({ keep: isKept });
if (isKept) console.log(`What workerd wrote and printed is in ${done.folder}`);
process.exitCode = isKept ? 1 : 0;

// `npm run torture`: tests the deployed bundle for about three minutes: no acknowledged report is
// lost or counts twice, and uploads of source maps with the response `ok` are readable. Exits with
// 1 and a list when anything differs.
//
//     npm run torture -- --seed 7                     the plan of that seed
//     npm run torture -- --seconds 30 --kills 8       shorter
//     npm run torture -- --var ERRATA_SHARDS=4        a variable of the Worker

import { buildOrQuit } from "./build/build.ts";
import {
  endOnSignals,
  parseOptions,
  showProgress,
  toWholeNumbers,
} from "./command/command-line.ts";
import { formatShort, formatWhole } from "./command/figures.ts";
import { runTrial } from "./torture/trial.ts";

const FIRST_DIFFERENCES = 20;
/** Ids that are followed to their bodies. */
const SAMPLE = 1_000;
/** New bodies a second, if the machine is fast enough. */
const PER_SECOND = 400;

const { var: pairs, ...numbers } = parseOptions({
  seed: { type: "string", default: String(Math.floor(Math.random() * 100_000)) },
  seconds: { type: "string", default: "110" },
  kills: { type: "string", default: "14" },
  var: { type: "string", multiple: true, default: [] },
});
const options = { ...toWholeNumbers(numbers), perSecond: PER_SECOND, sample: SAMPLE };
// Ends each workerd with this process, if it can handle its own end.
endOnSignals();
console.log("Building …");
await buildOrQuit();
console.log(`seed ${options.seed}`);
const vars = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2)));
const trial = await runTrial({ ...options, vars, progress: showProgress });
showProgress("");
const { journal, kv, maps, lookups, record, host, findings, killsInPut } = trial;
const { lost, duplicated, wrong } = findings;
const chunks = { chunks: record.chunks, secondsUntilCopied: trial.copiedSeconds };
print("sent", { ...journal.figures, sessions: journal.sessions.size });
print("KV", kv.figures);
print("stored", { ...chunks, ...trial.figures });
print("readers", { asked: lookups.asked, misses: lookups.misses, late: lookups.late.length });
print("maps", maps.figures);
const [acknowledged, lostCount, twice, others] = [
  journal.events.size + journal.uploads.size,
  ...[lost.length, duplicated.length, wrong.length],
].map(formatWhole);
console.log(
  `torture: ${acknowledged} acknowledged, ${lostCount} lost, ${twice} counted twice, ` +
    `${others} other differences, ${host.kills} kills (${killsInPut} during a put), seed ${trial.seed}`,
);
const differences = [...lost, ...duplicated, ...wrong];
for (const difference of differences.slice(0, FIRST_DIFFERENCES)) console.log(`  ✗ ${difference}`);
for (const late of lookups.late.slice(0, FIRST_DIFFERENCES)) console.log(`  · ${late}`);
const isKept = differences.length > 0;
await trial.close({ keep: isKept });
if (isKept) console.log(`What workerd wrote and printed is in ${trial.folder}`);
process.exitCode = isKept ? 1 : 0;

/** `sent: posts 1,234, retries 56`: each figure with its name. */
function print(name: string, figures: Readonly<Record<string, number>>) {
  const parts = Object.entries(figures).map(([title, count]) => {
    const words = title.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return `${words} ${Number.isInteger(count) ? formatWhole(count) : formatShort(count)}`;
  });
  console.log(`${name}: ${parts.join(", ")}`);
}

// `npm run bench`: the cost of a request on the deployed bundle: CPU time compared with a bare
// Worker, a cold start, memory, writes, and the time from a throw to its report.
// tests/bench/README.md describes the method.
//
//     npm run bench                                   everything
//     npm run bench -- --seconds 0.5                  shorter rounds: faster and noisier
//     npm run bench -- --cases storm,cold-start       some cases only
//     npm run bench -- --against HEAD~3               compared with another revision or bundle

import { measureColdEngine } from "./bench/cold-engine.ts";
import { measureColdStart } from "./bench/cold-start.ts";
import { measureLatency } from "./bench/latency.ts";
import { decodeOptions } from "./bench/options.ts";
import { playRounds } from "./bench/rounds.ts";
import { measureSourceMaps } from "./bench/source-maps.ts";
import * as tables from "./bench/tables.ts";
import { prepareOther, prepareThis } from "./bench/workers.ts";
import { measureWrites } from "./bench/writes.ts";
import { showProgress } from "./command/progress.ts";
import { readOptions } from "./command/quit.ts";
import { prepareMeasurement } from "./rig/prepare.ts";
import { startSender } from "./rig/sender.ts";

/** Events of the case `latency` for each second of a round. */
const EVENTS_PER_SECOND = 240;

const { seconds, chosen, extras, sourceMapCases, against } = readOptions(decodeOptions);
const setting = await prepareMeasurement();
const wanted = new Set(chosen.map((one) => one.worker));
if (sourceMapCases.length > 0) wanted.add("source-maps");
showProgress("bundles");
const own = await prepareThis(wanted);
const revisions = against === undefined ? [own] : [own, await prepareOther(against, wanted)];
const sender = startSender();
const lines = [`${setting}.`, ""];
const rounds =
  chosen.length === 0 ? undefined : await playRounds({ cases: chosen, revisions, sender, seconds });
if (rounds !== undefined) lines.push(...tables.formatRounds(rounds));
if (extras.includes("cold-start")) {
  lines.push(...tables.formatStarts(await measureColdStart(revisions)));
}
if (extras.includes("cold-engine")) {
  lines.push(...tables.formatColdEngine(await measureColdEngine(sender)));
}
if (extras.includes("writes")) {
  lines.push(...tables.formatWrites(await measureWrites(sender, seconds)));
}
if (extras.includes("latency")) {
  const events = Math.ceil(EVENTS_PER_SECOND * seconds);
  lines.push(...tables.formatLatency(await measureLatency(events)));
}
const mapWorker = own.workers["source-maps"];
if (mapWorker !== undefined) {
  lines.push(...tables.formatSourceMaps(await measureSourceMaps(mapWorker, sourceMapCases)));
}
sender.stop();
showProgress("");
for (const line of lines) console.log(line);
const isWrong = rounds?.found.some(({ wrong }) => wrong.length > 0) ?? false;
process.exitCode = isWrong ? 1 : 0;

// `npm run bench`: what a report costs, on the bundle that is deployed, in about five minutes: CPU and events a second beside a
// bare Worker, what is written and billed, and how long a throw takes to be found. tests/bench/README.md has the method.
//
//     npm run bench -- --json results.json            everything, to be read by a program
//     npm run bench -- --seconds 60                   shorter, and noisier
//     npm run bench -- --worker other/worker.js       another bundle than the built one
//
// Linux alone: the CPU is the one that /proc knows.

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../build.mjs";
import { workerFile } from "../built.mjs";
import { toolEnv } from "../run.mjs";

const { values } = parseArgs({
  options: {
    json: { type: "string" },
    seconds: { type: "string", default: "200" },
    worker: { type: "string" },
  },
});
const seconds = Number(values.seconds);
if (!(seconds >= 20)) throw new Error("--seconds must be a number from 20.");

if (values.worker === undefined) {
  console.log("Building …");
  const built = await build();
  if (!built.ok) throw new Error(built.message);
}
Object.assign(process.env, toolEnv);
// workerd goes with this process, when that has a moment to say so.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

const { startSender } = await import("./round.mjs");
const { throughput } = await import("./throughput.mjs");
const { writes } = await import("./writes.mjs");
const { latency } = await import("./latency.mjs");
const { monthlyUsd } = await import("./bill.mjs");
const { tablesOf } = await import("./table.mjs");

const worker = resolve(values.worker ?? workerFile);
const sender = startSender();
// Four Workers warm up and play three rounds at either number of connections: 36 rounds, in a bit over half of the time.
const roundMs = (seconds * 1000 * 0.45) / 36;
const measured = {
  throughput: await throughput({ worker, sender, roundMs, progress }),
  written: await writes({ worker, sender, ms: (seconds * 1000 * 0.2) / 3, progress }),
  latency: await latency({ worker, events: Math.floor(seconds * 1.2) }),
};
sender.stop();
progress("");
const cpuUs = new Map(measured.throughput.lines.map(({ name, cpuUs }) => [name, cpuUs]));
const written = measured.written.map((line) => {
  const bill = (/** @type {number} */ reports) =>
    monthlyUsd(line, cpuUs.get(line.mix) ?? 0, reports);
  return { ...line, usd1M: bill(1e6), usd1B: bill(1e9) };
});
const results = { ...measured, written };
for (const line of tablesOf(results)) console.log(line);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
const isWrong = results.throughput.found.some(({ wrong }) => wrong.length > 0);
process.exitCode = isWrong ? 1 : 0;

/** @param {string} text */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
  else if (text) process.stderr.write(`${text}\n`);
}

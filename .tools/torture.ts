// `npm run torture`: tests the deployed bundle for about three minutes: no acknowledged report is
// lost or counts twice, and uploads of source maps with the response `ok` are readable. Exits with
// 1 and a list when anything differs.
//
//     npm run torture -- --seed 7                     the plan of that seed
//     npm run torture -- --seconds 30 --kills 8       shorter
//     npm run torture -- --var ERRATA_SHARDS=4        a variable of the Worker
//     npm run torture -- --per-second 400 --sample 2000 --worker other/worker.js --keep
//     npm run torture -- --sabotage lose              must find a deleted chunk
//     npm run torture -- --sabotage forget            must find an extra report
//     npm run torture -- --sabotage unmap             must find a deleted pack of source maps

import { parseArgs } from "node:util";
import { build } from "./build.ts";
import { toolEnv } from "./command/run-package.ts";
import { summarize } from "./torture/summary.ts";

const FIRST_DIFFERENCES = 20;
const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seconds: { type: "string", default: "110" },
    kills: { type: "string", default: "14" },
    "per-second": { type: "string", default: "400" },
    sample: { type: "string", default: "1000" },
    var: { type: "string", multiple: true, default: [] },
    worker: { type: "string" },
    keep: { type: "boolean", default: false },
    sabotage: { type: "string" },
  },
});

if (values.worker === undefined) {
  console.log("Building …");
  const built = await build();
  if (!built.ok) throw new Error(built.message);
}
Object.assign(process.env, toolEnv);
const { trial } = await import("./torture/trial.ts");
// Ends each workerd with this process, if it can handle its own end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));
const seed =
  values.seed === undefined ? Math.floor(Math.random() * 100_000) : number("seed", values.seed);
console.log(`seed ${seed}`);
const done = await trial({
  seed,
  seconds: number("seconds", values.seconds),
  kills: number("kills", values.kills),
  perSecond: number("per-second", values["per-second"]),
  sample: number("sample", values.sample),
  vars: Object.fromEntries(values.var.map((pair) => pair.split(/=(.*)/s, 2))),
  progress,
  ...(values.worker !== undefined && { worker: values.worker }),
});
progress("");
const { sabotage } = values;
if (sabotage === "lose" || sabotage === "forget" || sabotage === "unmap") {
  done.verdict = { ...done.verdict, ...(await done.sabotage(sabotage)) };
}
const { lost, duplicated, wrong } = done.verdict;
const differences = [...lost, ...duplicated, ...wrong];
for (const line of summarize(done)) console.log(line);
for (const difference of differences.slice(0, FIRST_DIFFERENCES)) console.log(`  ✗ ${difference}`);
for (const late of done.lookups.late.slice(0, FIRST_DIFFERENCES)) console.log(`  · ${late}`);
const isKept = values.keep || differences.length > 0;
await done.close({ keep: isKept });
if (isKept) console.log(`What workerd wrote and printed is in ${done.folder}`);
process.exitCode = differences.length > 0 ? 1 : 0;

function number(name: string, text: string) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} must be a whole number.`);
  return value;
}

function progress(text: string) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
  else if (text) process.stderr.write(`${text}\n`);
}

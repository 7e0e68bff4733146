// `npm run bench:scale`: how the cost of a report, a page and a start grows with the stored data.
// tests/bench/README.md describes the method.
//
//     npm run bench:scale                                     1,000, 10,000 and 50,000 reports
//     npm run bench:scale -- --reports 200000,1000000         other sizes
//     npm run bench:scale -- --distinct 1,0.5,0.05            the share of reports with a new issue
//     npm run bench:scale -- --parts pages,start              some parts only
//     npm run bench:scale -- --json results.json              the results for a program
//     npm run bench:scale -- --constants FILE                 the constants of the bill instead,
//                                                         on the largest size

import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { isBuilt, workerFile } from "./build/built.ts";
import { build } from "./build.ts";
import { progress } from "./command/progress.ts";
import { quit, readOptions } from "./command/quit.ts";
import { toolEnv } from "./command/run-package.ts";
import { startSender } from "./rig/sender.ts";
import { describeSetting, settingNow } from "./rig/setting.ts";
import { measureConstants, WHOLE_PLAN } from "./scale/constants.ts";
import { measureCurve, measureEmpty, type Point } from "./scale/curves.ts";
import { decodeOptions } from "./scale/options.ts";
import { formatTables } from "./scale/tables.ts";

if (!existsSync("/proc/self/schedstat")) {
  quit("npm run bench:scale needs Linux: it reads the CPU time of threads from /proc.");
}
const options = readOptions(decodeOptions);
const setting = settingNow();
Object.assign(process.env, toolEnv);
// Each workerd adds a listener that ends it with this process.
process.setMaxListeners(0);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));
if (options.worker === undefined || !isBuilt()) {
  progress("build");
  const built = await build();
  if (!built.ok) quit(built.message);
}
const worker = resolve(options.worker ?? workerFile);
const sender = startSender();
if (options.constants !== undefined) {
  const reports = options.reports.at(-1) ?? 0;
  const constants = await measureConstants(worker, sender, { ...WHOLE_PLAN, reports }, console.log);
  writeFileSync(options.constants, `${JSON.stringify(constants, null, 2)}\n`);
  process.exit();
}
progress("an empty process");
const emptyMb = await measureEmpty(worker);
const points: Point[] = [];
for (const share of options.shares) {
  points.push(...(await measureCurve(share, options.reports, worker, sender, options)));
}
sender.stop();
progress("");
console.log(`${describeSetting(setting)}.\n`);
for (const line of formatTables(points, emptyMb)) console.log(line);
if (options.json !== undefined) {
  writeFileSync(options.json, `${JSON.stringify({ setting, emptyMb, points }, null, 2)}\n`);
}
process.exitCode = points.some(({ event }) => event.failed > 0) ? 1 : 0;

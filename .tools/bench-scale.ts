// `npm run bench:scale`: how the cost of a report, a page and a start grows with the stored data.
// tests/bench/scale.md describes the method.
//
//     npm run bench:scale                                     1,000, 10,000 and 50,000 reports
//     npm run bench:scale -- --reports 200000,1000000         other sizes
//     npm run bench:scale -- --distinct 1,0.5,0.05            the share of reports with a new issue
//     npm run bench:scale -- --parts pages,start              some parts only
//     npm run bench:scale -- --constants FILE                 the constants of the bill instead,
//                                                         on the largest size

import { writeFileSync } from "node:fs";
import { workerFile } from "./build/built.ts";
import { showProgress } from "./command/progress.ts";
import { readOptions } from "./command/quit.ts";
import { prepareMeasurement } from "./rig/prepare.ts";
import { startSender } from "./rig/sender.ts";
import { measureConstants } from "./scale/constants.ts";
import { measureCurve, measureEmpty, type Point } from "./scale/curves.ts";
import { decodeOptions } from "./scale/options.ts";
import { WHOLE_PLAN } from "./scale/plan.ts";
import { formatTables } from "./scale/tables.ts";

const CONNECTIONS = 32;

const { reports, shares, parts, constants } = readOptions(decodeOptions);
const setting = await prepareMeasurement();
const sender = startSender();
if (constants === undefined) {
  showProgress("an empty process");
  const emptyMb = await measureEmpty(workerFile);
  const points: Point[] = [];
  for (const share of shares) {
    const options = { share, sizes: reports, connections: CONNECTIONS, parts };
    points.push(...(await measureCurve(workerFile, sender, options)));
  }
  showProgress("");
  console.log(`${setting}.\n`);
  for (const line of formatTables(points, emptyMb)) console.log(line);
  process.exitCode = points.some(({ event }) => event.failed > 0) ? 1 : 0;
} else {
  const plan = { ...WHOLE_PLAN, reports: reports.at(-1) ?? 0 };
  const measured = await measureConstants(workerFile, sender, plan, console.log);
  writeFileSync(constants, `${JSON.stringify(measured, null, 2)}\n`);
}
sender.stop();

// `npm run bench:scale`: how the cost of a report, a page and a start grows with the stored data.
// tests/bench/scale.md describes the method.
//
//     npm run bench:scale                                     1,000, 10,000 and 50,000 reports
//     npm run bench:scale -- --reports 200000,1000000         other sizes
//     npm run bench:scale -- --distinct 1,0.5,0.05            the share of reports with a new issue
//     npm run bench:scale -- --parts pages,start              some parts only

import { parseArgs } from "node:util";
import { workerFile } from "./build/built.ts";
import { readOptions, showProgress } from "./command/command-line.ts";
import { formatTable } from "./command/figures.ts";
import { prepareMeasurement } from "./rig/processes.ts";
import { measureSizes, PARTS, type Size } from "./scale/sizes.ts";

if (process.argv[1] === import.meta.filename) await main();

async function main() {
  const { reports, shares, parts } = readOptions(decodeOptions);
  const setting = await prepareMeasurement();
  const sizes: Size[] = [];
  for (const share of shares) {
    sizes.push(...(await measureSizes(workerFile, { share, sizes: reports, parts })));
  }
  showProgress("");
  console.log([`${setting}.`, "", ...formatSizes(sizes)].join("\n"));
  const failed = sizes.reduce((sum, one) => sum + one.failed, 0);
  if (failed > 0) console.log(`✗ ${failed} events were not acknowledged.`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** Decodes the command line. Throws an error with a sentence for the user. */
export function decodeOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      reports: { type: "string", default: "1000,10000,50000" },
      distinct: { type: "string", default: "1,0.05" },
      parts: { type: "string", default: PARTS.join() },
    },
  });
  const [reports = [], shares = []] = [values.reports, values.distinct].map((text) =>
    text.split(",").map(Number),
  );
  if (!reports.every((count) => Number.isInteger(count) && count >= 100)) {
    throw new Error("--reports must be whole numbers from 100, with commas between them.");
  }
  if (!shares.every((share) => share > 0 && share <= 1)) {
    throw new Error("--distinct must be shares above 0 and up to 1, with commas between them.");
  }
  const names = values.parts.split(",").filter(Boolean);
  const parts = PARTS.filter((part) => names.includes(part));
  if (parts.length < names.length) throw new Error(`--parts takes these: ${PARTS.join(", ")}.`);
  return { reports: reports.sort((a, b) => a - b), shares, parts };
}

/** Markdown tables with a column for each size. */
export function formatSizes(sizes: readonly Size[]): string[] {
  return Object.entries(sizes[0]?.tables ?? {}).flatMap(([title, cells]) =>
    formatTable(
      [title, ...sizes.map((one) => one.title)],
      Object.keys(cells).map((row) => [
        row,
        ...sizes.map(({ tables }) => tables[title]?.[row] ?? ""),
      ]),
    ),
  );
}

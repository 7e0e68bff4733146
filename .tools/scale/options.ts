// The command line of `npm run bench:scale`.

import { parseArgs } from "node:util";

export interface Options {
  /** The sizes, the smallest first. */
  reports: number[];
  /** The share of reports with a new issue, one run for each. */
  shares: number[];
  parts: readonly Part[];
  /** The file for the constants of the bill. */
  constants: string | undefined;
}

/** The parts that are measured at each size, besides the load. */
const PARTS = ["pages", "start", "sweep", "operations"] as const;
export type Part = (typeof PARTS)[number];

/** Decodes the command line. Throws an error with a sentence for the user. */
export function decodeOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      reports: { type: "string", default: "1000,10000,50000" },
      distinct: { type: "string", default: "1,0.05" },
      parts: { type: "string", default: PARTS.join() },
      constants: { type: "string" },
    },
  });
  const reports = parseNumbers(values.reports).sort((a, b) => a - b);
  if (!reports.every((count) => Number.isInteger(count) && count >= 100)) {
    throw new Error("--reports must be whole numbers from 100, with commas between them.");
  }
  const shares = parseNumbers(values.distinct);
  if (!shares.every((share) => share > 0 && share <= 1)) {
    throw new Error("--distinct must be shares above 0 and up to 1, with commas between them.");
  }
  const names = values.parts.split(",").filter(Boolean);
  const parts = PARTS.filter((part) => names.includes(part));
  if (parts.length < names.length) throw new Error(`--parts takes these: ${PARTS.join(", ")}.`);
  return { reports, shares, parts, constants: values.constants };
}

function parseNumbers(text: string): number[] {
  return text.split(",").map(Number);
}

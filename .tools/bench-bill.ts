// `npm run bench:bill`: writes the tables of src/docs/limits-and-costs.md from
// .tools/bill/constants.json, which `npm run bench:scale -- --constants` measures, and prints
// whether the goals are reached.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Constants } from "./bill/bill.ts";
import { formatGoals, formatMonthTables } from "./bill/month-tables.ts";
import { root } from "./install.mjs";

export const PAGE = join(root, "src", "docs", "limits-and-costs.md");
const BEGIN = "<!-- The tables are written by `npm run bench:bill`. -->";
const END = "<!-- End of the tables. -->";

/** The constants that were measured last. */
export function readConstants(): Constants {
  return JSON.parse(readFileSync(join(import.meta.dirname, "bill", "constants.json"), "utf8"));
}

/** The page with the tables of these constants between its marks. */
export function withTables(page: string, constants: Constants): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no place for the tables.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${formatMonthTables(constants)}\n\n${page.slice(end)}`;
}

if (process.argv[1] === import.meta.filename) {
  const constants = readConstants();
  writeFileSync(PAGE, withTables(readFileSync(PAGE, "utf8"), constants));
  for (const line of formatGoals(constants)) console.log(line);
}

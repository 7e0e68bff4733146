// The page of the documentation with the tables of the bill.

import { join } from "node:path";
import { root } from "../install.mjs";
import type { Constants } from "./constants.ts";
import { formatMonthTables } from "./month-tables.ts";

export const PAGE = join(root, "src", "docs", "limits-and-costs.md");
const BEGIN = "<!-- The tables are written by `npm run bench:bill`. -->";
const END = "<!-- End of the tables. -->";

/** Replaces the tables between the marks of the page by those of these constants. */
export function replaceTables(page: string, constants: Constants): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no place for the tables.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${formatMonthTables(constants)}\n\n${page.slice(end)}`;
}

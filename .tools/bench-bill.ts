// `npm run bench:bill`: writes the tables of src/docs/limits-and-costs.md from
// .tools/bill/constants.json, which `npm run bench:scale -- --constants` measures, and prints
// whether the goals are reached.

import { readFileSync, writeFileSync } from "node:fs";
import { readConstants } from "./bill/constants.ts";
import { formatGoals } from "./bill/goals.ts";
import { PAGE, replaceTables } from "./bill/page.ts";
import { parseOptions } from "./command/quit.ts";

parseOptions({});

const constants = readConstants();
writeFileSync(PAGE, replaceTables(readFileSync(PAGE, "utf8"), constants));
for (const line of formatGoals(constants)) console.log(line);

// `npm run bench`: the cost of a request on the deployed bundle: CPU time compared with a bare
// Worker, a page behind the front, a cold start, rows, a backfill, and source maps.
// tests/bench/README.md describes the method.
//
//     npm run bench                                   everything
//     npm run bench -- --seconds 0.5                  shorter rounds: faster and noisier
//     npm run bench -- --cases storm,cold-start       some cases only
//     npm run bench -- --against HEAD~3               compared with another revision or bundle

import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureBackfill } from "./bench/backfill.ts";
import { formatColdPages } from "./bench/cold-pages.ts";
import { measureFront } from "./bench/front.ts";
import {
  prepareRevisions,
  type Revision,
  writeBareWorker,
  writeFloorWorker,
} from "./bench/revisions.ts";
import { CASES, playRounds } from "./bench/rounds.ts";
import { measureColdStart, measureRows } from "./bench/starts.ts";
import { readOptions, showProgress } from "./command/command-line.ts";
import { computeMedian, formatRatio, formatShort, formatTable } from "./command/figures.ts";
import { root } from "./install.mjs";
import { prepareMeasurement } from "./rig/processes.ts";

const SOURCE_MAP_CASES = ["stack-26mb", "stack-names"];
const PROCESSES = 5;
const OTHER_CASES = [
  ...["front", "cold-start", "cold-pages", "rows", "backfill"],
  ...SOURCE_MAP_CASES,
];
const ALL = [...CASES.map(({ name }) => name), ...OTHER_CASES];

const { names, seconds, against } = readOptions(decodeOptions);
const lines = [`${await prepareMeasurement()}.`, ""];
showProgress("build");
const revisions = await prepareRevisions(against);
const bareFile = await writeBareWorker();
let wrong: string[] = [];
if (CASES.some(({ name }) => names.includes(name))) {
  const floorFile = await writeFloorWorker();
  const played = await playRounds(names, revisions, { bareFile, floorFile }, seconds);
  lines.push(...played.lines);
  wrong = played.wrong;
}
if (names.includes("front")) lines.push(...(await measureFront(seconds)));
if (names.includes("cold-start")) lines.push(...(await measureColdStart(revisions, bareFile)));
if (names.includes("cold-pages")) lines.push(...(await formatColdPages(revisions)));
if (names.includes("rows")) lines.push(...(await measureRows(revisions)));
if (names.includes("backfill")) lines.push(...(await measureBackfill()));
for (const name of SOURCE_MAP_CASES.filter((one) => names.includes(one))) {
  lines.push(...measureSourceMaps(name, revisions));
}
showProgress("");
for (const line of [...lines, ...wrong.map((text) => `✗ ${text}`)]) console.log(line);
process.exitCode = wrong.length > 0 ? 1 : 0;

/** Decodes the command line. Throws an error with a sentence for the user. */
function decodeOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      against: { type: "string" },
      cases: { type: "string", default: ALL.join() },
      seconds: { type: "string", default: "1.5" },
    },
  });
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new Error("--seconds must be a number above 0.");
  const names = values.cases.split(",");
  const unknown = names.find((name) => !ALL.includes(name));
  if (unknown === undefined) return { names, seconds, against: values.against };
  throw new Error(`No case is named "${unknown}". There are: ${ALL.join(", ")}.`);
}

/** Measures source maps in several new processes of each revision. */
function measureSourceMaps(name: string, revisions: readonly Revision[]): string[] {
  const [own = [], other = []] = revisions.map(({ tree }) => {
    const script = join(tree, ".tools", "bench", "source-maps.ts");
    if (tree !== root) cpSync(join(root, ".tools", "bench", "source-maps.ts"), script);
    return Array.from({ length: PROCESSES }, (_, n): Readonly<Record<string, number>> => {
      showProgress(`${name}, process ${n + 1} of ${PROCESSES}`);
      const words = ["--expose-gc", script, name, join(root, "src")];
      return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" }));
    });
  });
  const rows = Object.keys(own[0] ?? {}).map((title) => {
    const [figures = [], others] = [own, other].map((runs) => runs.map((run) => run[title] ?? 0));
    return [title, formatShort(computeMedian(figures)), formatRatio(figures, others)];
  });
  return formatTable([name, "CPU ms", "× other"], rows);
}

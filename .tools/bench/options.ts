// The command line of the benchmark.

import { parseArgs } from "node:util";
import { type Case, cases, MANY } from "./cases.ts";

const SOURCE_MAP_CASES = [
  "stack-small",
  "stack-26mb",
  "stack-names",
  "convert-26mb",
  "upload-64mb",
] as const;
export type SourceMapCase = (typeof SOURCE_MAP_CASES)[number];

/** Cases that are measured outside of the rounds. */
const EXTRAS = ["cold-start", "cold-engine", "writes", "latency", ...SOURCE_MAP_CASES] as const;

/** Decodes the command line. Throws an error with a sentence for the user. */
export function decodeOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      against: { type: "string" },
      cases: { type: "string" },
      connections: { type: "string" },
      seconds: { type: "string", default: "1.5" },
    },
  });
  const { against } = values;
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new Error("--seconds must be a number above 0.");
  const names = values.cases?.split(",");
  const known = [...cases.map(({ name }) => name), ...EXTRAS];
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`No case is named "${unknown}". There are: ${known.join(", ")}.`);
  }
  const named = cases.filter(({ name }) => names?.includes(name) ?? true);
  const needed = new Set(named.flatMap(({ name, bare, reference }) => [name, bare, reference]));
  const chosen = cases
    .filter(({ name }) => needed.has(name))
    .map((one) => limitConnections(one, values.connections))
    .filter(({ connections }) => connections.length > 0);
  if (named.length > 0 && chosen.length === 0) {
    throw new Error(`No chosen case has ${values.connections} connections. There are: 1, ${MANY}.`);
  }
  // Extras measure this revision only, so they do not help a comparison.
  const extras = EXTRAS.filter(
    (extra) => names?.includes(extra) ?? (against === undefined || extra === "cold-start"),
  );
  const sourceMapCases = SOURCE_MAP_CASES.filter((name) => extras.includes(name));
  return { against, seconds, chosen, extras, sourceMapCases };
}

function limitConnections(one: Case, only: string | undefined): Case {
  if (only === undefined) return one;
  return { ...one, connections: one.connections.filter((count) => count === Number(only)) };
}

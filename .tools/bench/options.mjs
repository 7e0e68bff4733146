// The command line of the benchmark.

import { parseArgs } from "node:util";
import { cases, MANY } from "./cases.mjs";

/** What is measured beside the rounds. */
const EXTRAS = /** @type {const} */ (["cold-start", "writes", "latency"]);
const MIN_SECONDS = 30;

/** @typedef {typeof EXTRAS[number]} Extra */

/**
 * What was asked for. Throws for what cannot be understood.
 *
 * @param {string[]} args
 */
export function optionsOf(args) {
  const { values } = parseArgs({
    args,
    options: {
      against: { type: "string" },
      cases: { type: "string" },
      connections: { type: "string" },
      json: { type: "string" },
      seconds: { type: "string", default: "540" },
      worker: { type: "string" },
    },
  });
  const { against, json, worker } = values;
  const seconds = Number(values.seconds);
  if (!(seconds >= MIN_SECONDS)) throw new Error(`--seconds must be a number from ${MIN_SECONDS}.`);
  const names = values.cases?.split(",") ?? null;
  const known = [...cases.map(({ name }) => name), ...EXTRAS];
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`No case is ${unknown}. There are: ${known.join(", ")}.`);
  const named = cases.filter(({ name }) => names?.includes(name) ?? true);
  const chosen = atConnections(withNeeded(named), values.connections);
  if (named.length > 0 && chosen.length === 0)
    throw new Error(`No chosen case has ${values.connections} connections. There are: 1, ${MANY}.`);
  return {
    against,
    json,
    worker,
    seconds,
    chosen,
    // Beside another revision only what is compared is measured.
    extras: EXTRAS.filter(
      (extra) => names?.includes(extra) ?? (against === undefined || extra === "cold-start"),
    ),
  };
}

/** With those that they are compared with. @param {readonly import("./cases.mjs").Case[]} named
 * @returns {readonly import("./cases.mjs").Case[]} */
function withNeeded(named) {
  const needed = new Set(named.flatMap(({ name, bare, plain, less }) => [name, bare, plain, less]));
  const all = cases.filter(({ name }) => needed.has(name));
  return all.length === named.length ? all : withNeeded(all);
}

/** @param {readonly import("./cases.mjs").Case[]} all @param {string | undefined} only */
function atConnections(all, only) {
  if (only === undefined) return all;
  return all
    .map((one) => ({ ...one, connections: one.connections.filter((n) => n === Number(only)) }))
    .filter(({ connections }) => connections.length > 0);
}

// The measured cases: each sends one request to one Worker repeatedly.

import type { Ask, Mix } from "../rig/requests.ts";

/**
 * `start` is the built Worker as `npm start` serves it; `plain` renders with unmodified
 * `react-dom/server`.
 */
export type WorkerName = "bare" | "built" | "start" | "fixture" | "fixture-plain" | "source-maps";

export interface Case {
  /** The name on the command line. */
  name: string;
  /** The name in the table. */
  title: string;
  worker: WorkerName;
  ask: Ask;
  connections: readonly number[];
  /** The case that is "1 × bare" for this one. */
  bare: "bare-get" | "bare-post";
  /**
   * The case to compare with: the same page by plain `react-dom/server`, the same events on plain
   * workerd.
   */
  beside?: string;
  /**
   * The process to run on. Each case that writes has a separate one, so that none finds data of
   * another.
   */
  rig: string;
  /** True if the Worker holds issues before the first request. */
  isSeeded: boolean;
}

/** The connections of a busy Worker. */
export const MANY = 32;
/** No report has this id. */
const MISSING_ID = "0123456789abcdef0123456789abcdef";

function still(name: string, title: string, worker: WorkerName): Case {
  const ask: Ask = { kind: "page", path: "/" };
  const rig = worker;
  return { name, title, worker, ask, connections: [MANY], bare: "bare-get", rig, isSeeded: false };
}

function page(name: string, title: string, path: string, status = 200): Case {
  const ask: Ask = { kind: "page", path, status };
  return { ...still(name, title, "built"), ask, rig: "pages", isSeeded: true };
}

function report(
  name: string,
  title: string,
  ask: Ask,
  connections: readonly number[] = [MANY],
): Case {
  return { ...still(name, title, "built"), ask, connections, bare: "bare-post", rig: name };
}

const event = (mix: Mix): Ask => ({ kind: "event", mix });

/** In the order of the table and of the rounds: cases that are compared are neighbors. */
export const cases: readonly Case[] = [
  still("bare-get", "bare GET", "bare"),
  still("fixture-plain", "streamed page, plain react-dom", "fixture-plain"),
  { ...still("fixture", "streamed page", "fixture"), beside: "fixture-plain" },
  page("list", "list", "/issues"),
  page("issue", "issue", "/d/{digest}"),
  {
    ...page("issue-mapped", "issue, frames resolved", "/d/{mapped}"),
    beside: "issue",
    rig: "mapped",
    isSeeded: false,
  },
  page("lookup-hit", "lookup, hit", "/lookup?q={digest}", 303),
  page("lookup-miss", "lookup, miss", `/lookup?q=${MISSING_ID}`, 404),
  {
    ...report("bare-post", "bare POST of an event", event("storm"), [1, MANY]),
    worker: "bare",
    rig: "bare",
  },
  { ...report("change", "event of 100 issues", event("hundred")), isSeeded: true },
  report("storm", "event, one issue", event("storm"), [1, MANY]),
  report("mixed", "event, 500 issues", event("mixed"), [1, MANY]),
  report("distinct", "event, all distinct", event("distinct"), [1, MANY]),
  {
    ...report("start", "event, 500 issues, by `npm start`", event("mixed")),
    worker: "start",
    beside: "mixed",
  },
  report("upload", "browser's upload of 8 reports", { kind: "upload" }),
  report("policy", "CSP report", { kind: "policy" }),
];

/** True if the Worker stores data. */
export function isWriting({ worker, ask }: Case): boolean {
  return worker !== "bare" && ask.kind !== "page";
}

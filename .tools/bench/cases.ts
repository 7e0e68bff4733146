// The measured cases: each sends one request to one Worker repeatedly.

import type { Mix } from "../reports/mix-events.ts";
import type { Ask } from "../rig/requests.ts";

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
  reference?: string;
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

function createCase(name: string, title: string, worker: WorkerName): Case {
  const ask: Ask = { kind: "page", path: "/" };
  const rig = worker;
  return { name, title, worker, ask, connections: [MANY], bare: "bare-get", rig, isSeeded: false };
}

function createPage(name: string, title: string, path: string, status = 200): Case {
  const ask: Ask = { kind: "page", path, status };
  return { ...createCase(name, title, "built"), ask, rig: "pages", isSeeded: true };
}

function createReport(
  name: string,
  title: string,
  ask: Ask,
  connections: readonly number[] = [MANY],
): Case {
  return { ...createCase(name, title, "built"), ask, connections, bare: "bare-post", rig: name };
}

const createAsk = (mix: Mix): Ask => ({ kind: "event", mix });

/** In the order of the table and of the rounds: cases that are compared are neighbors. */
export const cases: readonly Case[] = [
  createCase("bare-get", "bare GET", "bare"),
  createCase("fixture-plain", "streamed page, plain react-dom", "fixture-plain"),
  { ...createCase("fixture", "streamed page", "fixture"), reference: "fixture-plain" },
  createPage("list", "list", "/issues"),
  createPage("issue", "issue", "/d/{digest}"),
  {
    ...createPage("issue-mapped", "issue, frames resolved", "/d/{mapped}"),
    reference: "issue",
    rig: "mapped",
    isSeeded: false,
  },
  createPage("lookup-hit", "lookup, hit", "/lookup?q={digest}", 303),
  createPage("lookup-miss", "lookup, miss", `/lookup?q=${MISSING_ID}`, 404),
  {
    ...createReport("bare-post", "bare POST of an event", createAsk("storm"), [1, MANY]),
    worker: "bare",
    rig: "bare",
  },
  { ...createReport("change", "event of 100 issues", createAsk("hundred")), isSeeded: true },
  createReport("storm", "event, one issue", createAsk("storm"), [1, MANY]),
  createReport("mixed", "event, 500 issues", createAsk("mixed"), [1, MANY]),
  createReport("distinct", "event, all distinct", createAsk("distinct"), [1, MANY]),
  {
    ...createReport("start", "event, 500 issues, by `npm start`", createAsk("mixed")),
    worker: "start",
    reference: "mixed",
  },
  createReport("upload", "browser's upload of 8 reports", { kind: "upload" }),
  createReport("policy", "CSP report", { kind: "policy" }),
];

/** True if the Worker stores data. */
export function isWriting({ worker, ask }: Case): boolean {
  return worker !== "bare" && ask.kind !== "page";
}

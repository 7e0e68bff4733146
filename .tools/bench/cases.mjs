// What is measured. A case is a Worker and what it is asked, in turn by every connection. Cases with the same `rig` are played on
// one process; those that write have a process and a disk of their own, so that none finds what another has stored.

/** @typedef {import("./asks.mjs").Ask} Ask */
/** @typedef {import("./envelopes.mjs").Mix} Mix */
/**
 * @typedef {object} Case
 * @property {string} name on the command line
 * @property {string} what in the tables
 * @property {import("./bundles.mjs").WorkerName} worker
 * @property {string} rig
 * @property {boolean} isSeeded its Worker has a hundred issues before it is asked anything
 * @property {readonly Ask[]} asks
 * @property {readonly number[]} connections
 * @property {"bare-get" | "bare-post"} bare what its CPU is a multiple of
 * @property {string} [plain] the case with the same markup by plain `react-dom/server`
 * @property {string} [less] the case whose CPU is not counted: what each view was preceded by
 */

/** Connections of a busy Worker. */
export const MANY = 32;
/** No report has it. */
const MISSING_ID = "0123456789abcdef0123456789abcdef";
const END = "</html>";

/** @type {Ask} */
const list = { kind: "page", path: "/issues", end: END };
/** @type {Ask} An event of one of the hundred. */
const change = { kind: "event", mix: "hundred" };

/** A page of the seeded product. @param {string} name @param {string} what @param {Ask} ask @returns {Case} */
const page = (name, what, ask) => ({
  ...{ name, what, asks: [ask], worker: "built", rig: "pages", isSeeded: true },
  ...{ connections: [MANY], bare: "bare-get" },
});

/** The list as it changes between views. @param {string} name @param {string} what @returns {Case} */
const changing = (name, what) => ({
  ...page(name, what, list),
  ...{ asks: [change, list], rig: name, less: "change" },
});

/** What reports. @param {string} name @param {string} what @param {Ask} ask @param {readonly number[]} [connections] @returns {Case} */
const reported = (name, what, ask, connections = [MANY]) => ({
  ...{ name, what, asks: [ask], worker: "built", rig: name, isSeeded: false },
  ...{ connections, bare: "bare-post" },
});

/** @param {Mix} mix @returns {Ask} */
const event = (mix) => ({ kind: "event", mix });

/** A Worker that keeps nothing. @param {string} name @param {string} what @param {import("./bundles.mjs").WorkerName} worker @returns {Case} */
const still = (name, what, worker) => ({
  ...{ name, what, worker, rig: worker, isSeeded: false },
  ...{ asks: [{ kind: "page", path: "/" }], connections: [MANY], bare: "bare-get" },
});

/** True when what is asked is stored. @param {Case} one */
export function isWriting({ worker, asks }) {
  return worker.startsWith("built") && asks.some(({ kind }) => kind !== "page");
}

/** In the order of the table, and of the rounds: what is compared stands together. @type {readonly Case[]} */
export const cases = [
  still("bare-get", "bare GET", "bare"),
  still("text", "text by Hono", "text"),
  still("fixture-plain", "streamed page, plain react-dom", "fixture-plain"),
  { ...still("fixture", "streamed page", "fixture"), plain: "fixture-plain" },
  {
    ...page("list-plain", "list, plain react-dom", list),
    worker: "built-plain",
    rig: "plain-pages",
  },
  { ...page("list", "list, unchanged", list), plain: "list-plain" },
  { ...changing("list-changed-plain", "list, changed, plain react-dom"), worker: "built-plain" },
  { ...changing("list-changed", "list, changed"), plain: "list-changed-plain" },
  page("issue", "issue", { kind: "page", path: "/d/{digest}", end: END }),
  page("lookup-hit", "lookup, hit", { kind: "page", path: "/lookup?q={digest}", status: 303 }),
  page("lookup-miss", "lookup, miss", {
    ...{ kind: "page", path: `/lookup?q=${MISSING_ID}`, status: 404, end: END },
  }),
  {
    ...still("bare-post", "bare POST of an event", "bare"),
    ...{ asks: [event("storm")], connections: [1, MANY], bare: "bare-post" },
  },
  { ...reported("change", "event of 100 issues", change), isSeeded: true },
  reported("storm", "event, one issue", event("storm"), [1, MANY]),
  reported("mixed", "event, 500 issues", event("mixed"), [1, MANY]),
  reported("distinct", "event, all distinct", event("distinct"), [1, MANY]),
  reported("upload", "browser's upload of 8 reports", { kind: "upload" }),
  reported("policy", "CSP report", { kind: "policy" }),
];

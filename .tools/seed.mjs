// `npm run seed`: fills a running Errata (ERRATA_URL, by default the local one) with a large project: 20,000 reports in 500
// issues over 30 days, in eight releases, as real clients send them; then the captures of tests/fixtures, by replay. What is
// made depends on `--seed` alone (a whole number), but for its times, which end now. `--reports` and `--issues` make it
// smaller or larger. Sent again with the same seed, what has ids of its own counts once.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { readHeaders } from "./read-headers.mjs";
import { root } from "./run.mjs";
import { makeBodies } from "./seed/bodies.mjs";
import { Chance } from "./seed/chance.mjs";
import { MAX_FAULTS, makeFaults } from "./seed/faults.mjs";

const url = (process.env.ERRATA_URL || "http://127.0.0.1:8787").replace(/\/$/, "");
const options = /** @type {const} */ ({
  seed: { type: "string", default: "1" },
  reports: { type: "string", default: "20000" },
  issues: { type: "string", default: "500" },
});
const { values } = parseArgs({ options });
const [seed, reports, issues] = [values.seed, values.reports, values.issues].map(Number);
if (
  ![seed, reports, issues].every(Number.isSafeInteger) ||
  issues < 1 ||
  issues > MAX_FAULTS ||
  reports < issues
) {
  quit(
    `--seed, --reports and --issues must be whole numbers: at most ${MAX_FAULTS} issues, and a report for each.`,
  );
}
/** A report that is older than 30 days would be dated anew. */
const days = 29.9;
const inFlight = 6;
const maxAttempts = 5;

const before = await receivedSoFar().catch(() =>
  quit(
    `No Errata lets this read at ${url}. Start one with ERRATA_LOCAL=open npm start; or say where it is with ERRATA_URL, and name an API token of it with ERRATA_TOKEN.`,
  ),
);
const chance = new Chance(seed);
const faults = makeFaults({ count: issues, reports, days, chance });
const bodies = makeBodies({ faults, days, nowMs: Date.now(), chance });
const startedMs = performance.now();
const queue = bodies.values();
await Promise.all(Array.from({ length: inFlight }, sendAll));
const seconds = (performance.now() - startedMs) / 1000;

execFileSync(process.execPath, [join(root, ".tools", "replay.mjs")], {
  env: { ...process.env, ERRATA_URL: url },
  stdio: "ignore",
});
const after = await receivedSoFar();
console.log(
  `${figure(reports)} reports of ${figure(issues)} faults in ${figure(bodies.length)} requests, in ${seconds.toFixed(1)} s ` +
    `(${figure(reports / seconds)} a second), and the captures by replay. ` +
    `${figure(after.items - before.items)} items arrived; ${url}/issues has ${figure(after.issues)} issues.`,
);

/** Takes bodies from the queue until it is empty. */
async function sendAll() {
  for (const body of queue) await send(body);
}

/** @param {{ path: string, body: string }} request */
async function send({ path, body }) {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const response = await fetch(`${url}${path}`, { method: "POST", body });
    const text = await response.text();
    if (response.ok) return;
    const retryAfter = response.headers.get("retry-after");
    if (retryAfter === null) quit(`Refused with status ${response.status}: ${text}`);
    await wait(Number(retryAfter) * 1000);
  }
  quit(`Refused ${maxAttempts} times: too many requests, or the log is away.`);
}

/** What the desk says it has received, and how many issues it has. */
async function receivedSoFar() {
  const [status, list] = await Promise.all(["/status", "/"].map(json));
  return { items: status.received?.all ?? 0, issues: list.total };
}

/** @param {string} path */
async function json(path) {
  const response = await fetch(`${url}${path}`, { headers: readHeaders() });
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  return response.json();
}

/** @param {number} count */
function figure(count) {
  return Math.round(count).toLocaleString("en");
}

/** @param {string} message @returns {never} */
function quit(message) {
  console.error(message);
  process.exit(1);
}

// `npm run seed`: fills a running Errata (ERRATA_URL, by default the local one) with a large
// project: 20,000 reports in about 500 issues over 30 days and eight releases; then the sample data
// and the captures of tests/fixtures. The reports are variations of the errors of the sample data
// (src/core/sample). They depend only on `--seed`, except for their times, which end now.
// `--reports` and `--issues` change the size. ERRATA_SERVER_KEY is the server key, by default that
// of the local Errata.

import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { SAMPLE_ERRORS } from "../src/core/sample/sample-errors.ts";
import type { SampleError } from "../src/core/sample/sample-shop.ts";
import { createSamplePayloads } from "../src/core/sample/scenario.ts";
import { SeededRandom } from "../src/core/sample/seeded-random.ts";
import { createEvents } from "../src/core/sample/sentry-events.ts";
import { quit } from "./command/quit.ts";
import { root } from "./install.mjs";
import { keepKey } from "./local/keys.ts";
import { readHeaders } from "./reports/read-headers.ts";

/** The two words of a name distinguish the errors. */
const AREAS = [
  ...["cart", "checkout", "orders", "search", "account", "reviews", "stock", "mail", "invoice"],
  ...["export", "login", "media", "prices", "labels", "gifts", "routes", "maps", "feeds", "chat"],
  "forms",
];
const THINGS = [
  ...["price", "address", "voucher", "session", "customer", "parcel", "receipt", "image", "token"],
  ...["filter", "locale", "country", "variant", "supplier", "template", "currency", "deadline"],
  ...["signature", "attachment", "quantity", "warehouse", "refund", "calendar", "profile"],
  "permission",
];
const RELEASES = ["4.0.0", "4.1.0", "4.1.1", "4.2.0", "4.3.0", "4.3.1", "4.4.0", "5.0.0"];
/** Errata replaces the time of a report that is older than 30 days. */
const DAYS = 29.9;
const DAY_MS = 86_400_000;
const EVENTS_PER_ENVELOPE = 50;
const IN_FLIGHT = 6;
const MAX_ATTEMPTS = 5;

const { ERRATA_SERVER_KEY, ERRATA_STATE } = process.env;
/** Without a key, Errata stores only the first 20 reports of a body. */
const key = ERRATA_SERVER_KEY || keepKey(resolve(root, ERRATA_STATE || ".errata"), "server");
const url = (process.env.ERRATA_URL || "http://127.0.0.1:8787").replace(/\/$/, "");
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    reports: { type: "string", default: "20000" },
    issues: { type: "string", default: "500" },
  },
});
const [reports, issues] = [Number(values.reports), Number(values.issues)];
const maxIssues = AREAS.length * THINGS.length;
if (
  ![reports, issues].every(Number.isSafeInteger) ||
  issues < 1 ||
  issues > maxIssues ||
  reports < issues
) {
  quit(
    `--reports and --issues must be whole numbers: 1 to ${maxIssues} issues, and at least a report for each.`,
  );
}
const before = await countReceived().catch(() =>
  quit(
    `There is no Errata at ${url} that this script may read. Start one with ERRATA_LOCAL=open npm start, or set ERRATA_URL and an API token in ERRATA_TOKEN.`,
  ),
);
const chance = new SeededRandom(values.seed);
const nowMs = Date.now();
const timesOf = distributeReports();
const bodies = [
  ...envelopes(Array.from({ length: issues }, (_, nth) => createFault(nth))),
  ...createSamplePayloads(nowMs, values.seed).map(({ text, defaults }) => ({
    path: `/monitoring?${new URLSearchParams({
      sentry_key: key,
      sentry_environment: defaults.environment,
      ...(defaults.release !== undefined && { sentry_release: defaults.release }),
    })}`,
    body: text,
  })),
];
const startedMs = performance.now();
const queue = bodies.values();
await Promise.all(Array.from({ length: IN_FLIGHT }, sendAll));
const seconds = (performance.now() - startedMs) / 1000;
execFileSync(process.execPath, [join(root, ".tools", "replay.ts")], {
  env: { ...process.env, ERRATA_URL: url },
  stdio: "ignore",
});
const after = await countReceived();
console.log(
  `${figure(reports)} reports of ${figure(issues)} faults in ${figure(bodies.length)} requests, in ${seconds.toFixed(1)} s ` +
    `(${figure(reports / seconds)} a second), with the sample and the captures. ` +
    `${figure(after.items - before.items)} items arrived; ${url}/issues has ${figure(after.issues)} issues.`,
);

/** The frequency of each error: a few are frequent, most are rare. */
function distributeReports(): number[] {
  const weights = Array.from({ length: issues }, (_, nth) => 1 / (nth + 3));
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const perWeight = (reports - issues) / sum(weights);
  const [first = 0, ...others] = weights.map((weight) => 1 + Math.floor(weight * perWeight));
  // The most frequent error gets the rest from rounding.
  return [first + reports - sum([first, ...others]), ...others];
}

/** A variation of one of the sample's errors. */
function createFault(nth: number): SampleError {
  const original = SAMPLE_ERRORS[nth % SAMPLE_ERRORS.length] as SampleError;
  const area = AREAS[nth % AREAS.length] as string;
  const thing = THINGS[Math.floor(nth / AREAS.length) % THINGS.length] as string;
  const [first, ...callers] = original.frames;
  const [, file, line = 0, column = 0] = first ?? [];
  const called = `${area}${thing.slice(0, 1).toUpperCase()}${thing.slice(1)}`;
  const folder = file?.startsWith("http") ? file.replace(/[^/]*$/, "") : "app/";
  const began = chance.nextFloat();
  const fromDays =
    began < 0.2 ? 0.2 + 3 * chance.nextFloat() : DAYS * (0.4 + 0.6 * chance.nextFloat());
  return {
    ...original,
    name: called,
    message: `${original.message} (${thing} of ${area})`,
    route: `/${area}/[id]`,
    paths: [`/${area}/${1000 + nth}`, `/${area}/${2000 + nth}`],
    frames: [[called, `${folder}${area}/${thing}.ts`, line + nth, column], ...callers],
    eventCount: timesOf[nth] ?? 1,
    fromDays,
    toDays: began > 0.8 ? fromDays * 0.5 * chance.nextFloat() : 0,
  };
}

/**
 * The events of the errors, the oldest first. Grouping, releases and environments are those of a
 * real project, not the sample's.
 */
function envelopes(faults: readonly SampleError[]) {
  const events = faults
    .flatMap((fault) => createEvents(fault, nowMs, chance))
    .sort((a, b) => a.atMs - b.atMs);
  const items = events.map(({ atMs, payload }) => {
    const age = Math.min(0.999, (nowMs - atMs) / DAY_MS / DAYS);
    const release = `shop@${RELEASES[Math.floor((1 - age) * (RELEASES.length - 0.001))]}`;
    const environment = chance.nextFloat() < 0.9 ? "production" : "staging";
    const event = { ...payload, release, environment, fingerprint: undefined };
    return `{"type":"event"}\n${JSON.stringify(event)}\n`;
  });
  const pieces = Math.ceil(items.length / EVENTS_PER_ENVELOPE);
  return Array.from({ length: pieces }, (_, nth) => {
    const piece = items.slice(nth * EVENTS_PER_ENVELOPE, (nth + 1) * EVENTS_PER_ENVELOPE);
    return { path: `/monitoring?sentry_key=${key}`, body: `{}\n${piece.join("")}` };
  });
}

async function sendAll() {
  for (const body of queue) await send(body);
}

async function send({ path, body }: { path: string; body: string }) {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const response = await fetch(`${url}${path}`, { method: "POST", body });
    const text = await response.text();
    if (response.ok) return;
    const retryAfter = response.headers.get("retry-after");
    if (retryAfter === null) quit(`Refused with status ${response.status}: ${text}`);
    await wait(Number(retryAfter) * 1000);
  }
  quit(`Refused ${MAX_ATTEMPTS} times: too many requests, or the log does not answer.`);
}

/** The number of received items, and the number of issues. */
async function countReceived() {
  const [status, list] = await Promise.all(["/status", "/"].map(json));
  return { items: status.received?.total ?? 0, issues: list.total };
}

async function json(path: string) {
  const response = await fetch(`${url}${path}`, { headers: readHeaders() });
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  return response.json();
}

function figure(count: number) {
  return Math.round(count).toLocaleString("en");
}

// `npm run seed`: fills a running Errata (ERRATA_URL, by default the local one) with a large
// project: 20,000 reports in about 500 issues over 30 days and eight releases; then the sample data
// and the captures of tests/fixtures. The reports depend only on the seed, except for their times,
// which end now. ERRATA_SERVER_KEY is the server key, by default that of the local Errata.
//
//     npm run seed                                    20,000 reports
//     npm run seed -- --reports 3000 --issues 100     a smaller project
//     npm run seed -- --seed 2                        other reports

import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SAMPLE_ERRORS } from "../src/core/sample/sample-errors.ts";
import { createSamplePayloads } from "../src/core/sample/scenario.ts";
import { SeededRandom } from "../src/core/sample/seeded-random.ts";
import { parseOptions, quit } from "./command/command-line.ts";
import { formatWhole } from "./command/figures.ts";
import { runInLanes } from "./command/tasks.ts";
import { root } from "./install.mjs";
import { keepKey } from "./local/keys.ts";
import { readJson } from "./reports/captures.ts";
import { createProject, MAX_ISSUES } from "./reports/seeded-project.ts";

const IN_FLIGHT = 6;
const MAX_ATTEMPTS = 5;

const { ERRATA_SERVER_KEY, ERRATA_STATE } = process.env;
/** Without a key, Errata stores only the first 20 reports of a body. */
const key = ERRATA_SERVER_KEY || keepKey(resolve(root, ERRATA_STATE || ".errata"), "server");
const url = (process.env.ERRATA_URL || "http://127.0.0.1:8787").replace(/\/$/, "");
const values = parseOptions({
  seed: { type: "string", default: "1" },
  reports: { type: "string", default: "20000" },
  issues: { type: "string", default: "500" },
});
const [reports, issues] = [Number(values.reports), Number(values.issues)];
if (
  ![reports, issues].every(Number.isSafeInteger) ||
  issues < 1 ||
  issues > MAX_ISSUES ||
  reports < issues
) {
  quit(
    `--reports and --issues must be whole numbers: 1 to ${MAX_ISSUES} issues, and at least a report for each.`,
  );
}
const before = await countReceived().catch(() =>
  quit(
    `There is no Errata at ${url} that this script may read. Start one with ERRATA_LOCAL=open npm start, or set ERRATA_URL and an API token in ERRATA_TOKEN.`,
  ),
);
const nowMs = Date.now();
const bodies = [
  ...createProject({ reports, issues }, nowMs, new SeededRandom(values.seed)).map((body) => ({
    path: `/monitoring?sentry_key=${key}`,
    body,
  })),
  ...createSamplePayloads(SAMPLE_ERRORS, nowMs, values.seed).map(({ text, defaults }) => ({
    path: `/monitoring?${new URLSearchParams({
      sentry_key: key,
      sentry_environment: defaults.environment,
      ...(defaults.release !== undefined && { sentry_release: defaults.release }),
    })}`,
    body: text,
  })),
];
const startedMs = performance.now();
await runInLanes(bodies, IN_FLIGHT, send);
const seconds = (performance.now() - startedMs) / 1000;
execFileSync(process.execPath, [join(root, ".tools", "replay.ts")], {
  env: { ...process.env, ERRATA_URL: url },
  stdio: "ignore",
});
const after = await countReceived();
console.log(
  `${formatWhole(reports)} reports of ${formatWhole(issues)} faults in ${formatWhole(bodies.length)} requests, in ${seconds.toFixed(1)} s ` +
    `(${formatWhole(reports / seconds)} a second), with the sample and the captures. ` +
    `${formatWhole(after.items - before.items)} items arrived; ${url}/issues has ${formatWhole(after.issues)} issues.`,
);

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
  const [status, list] = await Promise.all([readJson(`${url}/status`), readJson(`${url}/`)]);
  return { items: status.received?.total ?? 0, issues: list.total };
}

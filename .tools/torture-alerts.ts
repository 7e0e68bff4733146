// `npm run torture:alerts`: tests alerts with reports of new issues, kills of workerd, and a
// hostile receiver. Every acknowledged new issue must reach every destination, under one id.
//
//     npm run torture:alerts -- --kills 5 --seconds 25 --issues 60 --destinations 40
//     npm run torture:alerts -- --kills 0 --healthy --issues 2     measures the delay
//     npm run torture:alerts -- --kills 0 --healthy --issues 10 --destinations 1 --sick 34 --hang
//                                                     the delay beside 34 receivers that hang
//     npm run torture:alerts -- --storm 50000                      reports in 200 issues, at once

import { setTimeout as sleep } from "node:timers/promises";
import { buildOrQuit } from "./build/build.ts";
import { workerFile } from "./build/built.ts";
import {
  createTemporaryFolder,
  endOnSignals,
  parseOptions,
  toWholeNumbers,
} from "./command/command-line.ts";
import { computeQuantile } from "./command/figures.ts";
import { runInLanes, waitUntil } from "./command/tasks.ts";
import { createEventBody } from "./reports/bodies.ts";
import { createId, nameFault } from "./reports/names.ts";
import { createClient } from "./rig/client.ts";
import { layOutPlain, SERVER_KEY, TEST_VARS } from "./rig/plain-workerd.ts";
import { startKv } from "./torture/faulty-kv.ts";
import { startHost } from "./torture/host.ts";
import { createChance, makePlan } from "./torture/plan.ts";
import { startReceiver, toSickPath } from "./torture/receiver.ts";

const SECRET = `whsec_${Buffer.from("0123456789abcdef01234567").toString("base64")}`;
const SETTLE = { maxMs: 240_000, everyMs: 500 };
const DOWN_MS = 200;
/** Concurrent requests of a storm. */
const CONCURRENCY = 64;
const RETRY_MS = 200;

const { healthy, hang, ...texts } = parseOptions({
  seed: { type: "string", default: "7" },
  seconds: { type: "string", default: "25" },
  kills: { type: "string", default: "5" },
  issues: { type: "string", default: "200" },
  destinations: { type: "string", default: "3" },
  healthy: { type: "boolean", default: false },
  sick: { type: "string", default: "0" },
  hang: { type: "boolean", default: false },
  storm: { type: "string", default: "0" },
});
const { seed, seconds, kills, issues, destinations, sick, storm } = toWholeNumbers(texts);
endOnSignals();
await buildOrQuit();
const folder = createTemporaryFolder();
// KV has its delays and its limit of writes, but the faults of the plan do not begin.
const kv = await startKv(makePlan({ seed, seconds, kills: 1 }));
const receiver = await startReceiver(healthy || storm > 0 ? undefined : seed);
const paths = Array.from({ length: destinations }, (_, n) => `/hook-${n}`);
const settings = createSettings();
kv.values.set("alerts/1/settings", {
  bytes: Buffer.from(JSON.stringify(settings)),
  metadata: undefined,
});
const vars = { ...TEST_VARS, ERRATA_ALERT_TARGETS: receiver.target };
await layOutPlain({ folder, workerFile, kvPort: kv.port, vars });
const host = await startHost(folder);
const client = createClient(() => host.port, SERVER_KEY);
/** When each issue was acknowledged, by digest. */
const acknowledged = new Map<string, number>();
if (storm > 0) {
  const beganMs = performance.now();
  await runInLanes(Array(storm).keys(), CONCURRENCY, send);
  const tookSeconds = (performance.now() - beganMs) / 1_000;
  const perSecond = Math.round(storm / tookSeconds);
  console.log(`storm: ${storm} reports in ${Math.round(tookSeconds)} s, ${perSecond}/s`);
} else {
  await Promise.all([kill(), sendEach()]);
}
const wanted = [...acknowledged].flatMap(([digest, ackMs]) =>
  paths.map((path) => ({ key: `${path} ${digest}`, ackMs })),
);
const isMissing = ({ key }: { key: string }) => !receiver.delivered.has(key);
await waitUntil(() => !wanted.some(isMissing), SETTLE);
await sleep(2_000);
const lost = wanted.filter(isMissing);
const twice = [...receiver.delivered.values()].filter(({ ids }) => ids.size > 1);
const delays = wanted.map(
  ({ key, ackMs }) => (receiver.delivered.get(key)?.atMs ?? Infinity) - ackMs,
);
const [p50 = 0, p99 = 0, longest = 0] = [
  ...[0.5, 0.99].map((share) => computeQuantile(delays, share)),
  Math.max(...delays),
].map(Math.round);
const { requests, repeats, failed, cut, summaries } = receiver.figures;
console.log(
  `alerts: ${acknowledged.size} new issues acknowledged, ${wanted.length} to deliver, ${lost.length} lost, ` +
    `${twice.length} under two ids; ${requests} requests (${repeats} repeats, ${failed} failed, ` +
    `${cut} cut after they arrived, ${summaries} summaries), ${host.kills} kills, seed ${seed}; ` +
    `delay p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`,
);
for (const { path, title, digests, atMs } of storm > 0 ? receiver.messages : []) {
  const oldestMs = Math.min(...digests.map((digest) => acknowledged.get(digest) ?? atMs));
  const afterMs = Math.round(atMs - oldestMs);
  console.log(`  ${path}: ${title}, issues: ${digests.length}, after ${afterMs} ms`);
}
await host.stop();
client.close();
kv.stop();
receiver.stop();
process.exitCode = lost.length + twice.length + host.unexpected.length > 0 ? 1 : 0;

/** Kills workerd several times while reports are sent. */
async function kill() {
  const chance = createChance(seed, "alerts");
  for (let nth = 0; nth < kills; nth++) {
    await sleep(((seconds * 1000) / kills) * (0.5 + chance()));
    await host.restart(DOWN_MS);
  }
}

/** Reports one issue after another within the time, without waiting for responses. */
async function sendEach() {
  const sent: Promise<void>[] = [];
  for (let n = 0; n < issues; n++) {
    sent.push(send(n));
    await sleep((seconds * 1_000) / issues);
  }
  await Promise.all(sent);
}

/** Sends the `n`th report until it is acknowledged. */
async function send(n: number) {
  const issue = n % issues;
  const event = { n: issue, id: createId(seed, `alert ${n}`), fault: nameFault(issue) };
  for (;;) {
    const { status, outcomes } = await client.post(
      createEventBody(seed, { ...event, atMs: Date.now() }),
    );
    const digest = outcomes.find(({ item }) => item === "event")?.digest;
    if (status === 200 && digest !== undefined) {
      if (!acknowledged.has(digest)) acknowledged.set(digest, performance.now());
      return;
    }
    await sleep(RETRY_MS);
  }
}

function createSettings() {
  // Sick receivers are called first.
  const sickPaths = Array.from({ length: sick }, (_, n) => toSickPath(n, hang));
  return {
    v: 1,
    version: 2,
    rules: [
      {
        ...{ id: "default", name: "New issues", enabled: true, query: "" },
        ...{ triggers: [{ kind: "new-issue" }], destinations: [], coolDownMs: 3_600_000 },
      },
    ],
    destinations: [...sickPaths, ...paths].map((path) => ({
      ...{ id: path.slice(1), name: path },
      settings: { kind: "webhook", url: `http://${receiver.target}${path}`, secret: SECRET },
    })),
    preferences: {},
    origin: "https://errata.example",
    vapid: { publicKey: "", privateKey: "" },
    actionKey: Buffer.alloc(32, 1).toString("base64url"),
  };
}

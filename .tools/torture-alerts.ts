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
import { parseOptions, quit } from "./command/quit.ts";
import { endOnSignals } from "./command/signals.ts";
import { computeQuantile } from "./command/statistics.ts";
import { createTemporaryFolder } from "./command/temporary-folder.ts";
import { waitUntil } from "./command/wait-until.ts";
import { createClient } from "./rig/client.ts";
import { layOutPlain, SERVER_KEY, TEST_VARS } from "./rig/plain-workerd.ts";
import { createAlertReports, describeMessages } from "./torture/alerts/alert-reports.ts";
import { startReceiver } from "./torture/alerts/hostile-receiver.ts";
import { toSickPath } from "./torture/alerts/sick-modes.ts";
import { startKv } from "./torture/faulty-kv.ts";
import { startHost } from "./torture/host.ts";
import { createChance, makePlan } from "./torture/plan.ts";

const SECRET = `whsec_${Buffer.from("0123456789abcdef01234567").toString("base64")}`;
const SETTLE_MS = 240_000;
const DOWN_MS = 200;

const values = parseOptions({
  seed: { type: "string", default: "7" },
  seconds: { type: "string", default: "25" },
  kills: { type: "string", default: "5" },
  issues: { type: "string", default: "200" },
  destinations: { type: "string", default: "3" },
  healthy: { type: "boolean", default: false },
  sick: { type: "string", default: "0" },
  hang: { type: "boolean", default: false },
  storm: { type: "string" },
});
const seed = Number(values.seed);
const seconds = Number(values.seconds);
const storm = Number(values.storm ?? 0);
const others = [values.kills, values.issues, values.destinations].map(Number);
if (![seed, seconds, storm, ...others].every((value) => Number.isInteger(value) && value >= 0))
  quit("--seed, --seconds, --kills, --issues, --destinations and --storm must be whole numbers.");
endOnSignals();
await buildOrQuit();
const folder = createTemporaryFolder();
// KV has its delays and its limit of writes, but the faults of the plan do not begin.
const kv = await startKv(makePlan({ seed, seconds, kills: 1 }));
const receiver = await startReceiver(values.healthy || storm > 0 ? undefined : seed);
const paths = Array.from({ length: Number(values.destinations) }, (_, n) => `/hook-${n}`);
// Sick receivers are called first.
const sickPaths = Array.from({ length: Number(values.sick) }, (_, n) => toSickPath(n, values.hang));
kv.values.set("alerts/1/settings", {
  bytes: Buffer.from(JSON.stringify(createSettings())),
  metadata: undefined,
});
const vars = { ...TEST_VARS, ERRATA_ALERT_TARGETS: receiver.target };
await layOutPlain({ folder, workerFile, kvPort: kv.port, vars });
const host = await startHost(folder);
const client = createClient(() => host.port, SERVER_KEY);
const reports = createAlertReports(client, seed, Number(values.issues));
if (storm > 0) {
  const tookMs = await reports.sendStorm(storm);
  const perSecond = Math.round((storm / tookMs) * 1_000);
  console.log(`storm: ${storm} reports in ${Math.round(tookMs / 1_000)} s, ${perSecond}/s`);
} else {
  await Promise.all([kill(Number(values.kills)), reports.sendEach(seconds * 1_000)]);
}
const { acknowledged } = reports;
const wanted = [...acknowledged].flatMap(([digest, ackMs]) =>
  paths.map((path) => ({ key: `${path} ${digest}`, ackMs })),
);
const isMissing = ({ key }: { key: string }) => !receiver.delivered.has(key);
await waitUntil(() => !wanted.some(isMissing), { maxMs: SETTLE_MS, everyMs: 500 });
await sleep(2_000);
const lost = wanted.filter(isMissing);
const twice = [...receiver.delivered].filter(([, { ids }]) => ids.size > 1);
const delays = wanted.map(
  ({ key, ackMs }) => (receiver.delivered.get(key)?.atMs ?? Infinity) - ackMs,
);
const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => Math.round(computeQuantile(delays, share)));
const longest = Math.round(Math.max(...delays));
const { requests, repeats, failed, cut, summaries } = receiver.figures;
console.log(
  `alerts: ${acknowledged.size} new issues acknowledged, ${wanted.length} to deliver, ${lost.length} lost, ` +
    `${twice.length} under two ids; ${requests} requests (${repeats} repeats, ${failed} failed, ` +
    `${cut} cut after they arrived, ${summaries} summaries), ${host.kills} kills, seed ${seed}; ` +
    `delay p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`,
);
if (storm > 0) console.log(describeMessages(receiver, reports));
await host.stop();
client.close();
kv.stop();
receiver.stop();
process.exitCode = lost.length + twice.length + host.unexpected.length > 0 ? 1 : 0;

/** Kills workerd several times while reports are sent. */
async function kill(times: number) {
  const chance = createChance(seed, "alerts");
  for (let nth = 0; nth < times; nth++) {
    await sleep(((seconds * 1000) / times) * (0.5 + chance()));
    await host.restart(DOWN_MS);
  }
}

function createSettings() {
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

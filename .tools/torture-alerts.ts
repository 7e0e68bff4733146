// Tests alerts with reports of new issues, kills of workerd, and a hostile receiver. Every
// acknowledged new issue must reach every destination, under one id.
//
//     npm run torture:alerts -- --kills 5 --seconds 25 --issues 60 --destinations 40
//     npm run torture:alerts -- --kills 0 --healthy --issues 2     measures the delay
//     npm run torture:alerts -- --storm 50000                      reports in 200 issues, at once

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { workerFile } from "./build/built.ts";
import { build } from "./build.ts";
import { createEventBody, createId } from "./reports/bodies.ts";
import { createClient } from "./rig/client.ts";
import { createTestVars, layOutPlain } from "./rig/plain-workerd.ts";
import { startKv } from "./torture/faulty-kv.ts";
import { startHost } from "./torture/host.ts";
import { startReceiver } from "./torture/hostile-receiver.ts";
import { createChance, makePlan } from "./torture/plan.ts";
import { describeMessages, sendStorm } from "./torture/storm.ts";

const SERVER_KEY = `errata_server_${"7".repeat(32)}`;
const SECRET = `whsec_${Buffer.from("0123456789abcdef01234567").toString("base64")}`;
const SETTLE_MS = 240_000;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "7" },
    seconds: { type: "string", default: "25" },
    kills: { type: "string", default: "5" },
    issues: { type: "string", default: "200" },
    destinations: { type: "string", default: "3" },
    healthy: { type: "boolean", default: false },
    storm: { type: "string" },
  },
});
const built = await build();
if (!built.ok) throw new Error(built.message);
const seed = Number(values.seed);
const seconds = Number(values.seconds);
const plan = makePlan({ seed, seconds, kills: Math.max(1, Number(values.kills)) });
const folder = mkdtempSync(join(tmpdir(), "errata-alerts-"));
const kv = await startKv(plan);
const isHealthy = values.healthy || values.storm !== undefined;
const receiver = await startReceiver(isHealthy ? undefined : seed);
const paths = Array.from({ length: Number(values.destinations) }, (_, n) => `/hook-${n}`);
kv.values.set("alerts/1/settings", {
  bytes: Buffer.from(JSON.stringify(createSettings(paths))),
  metadata: undefined,
});
const vars = { ...createTestVars(SERVER_KEY), ERRATA_ALERT_TARGETS: receiver.target };
await layOutPlain({ folder, workerFile, kvPort: kv.port, vars });
const host = await startHost(folder);
const client = createClient(() => host.port, SERVER_KEY);
/** When each new issue was acknowledged, by digest. */
const acknowledged = new Map<string, number>();
const chance = createChance(seed, "alerts");

async function report(n: number) {
  const event = {
    n,
    id: createId(seed, `alert ${n}`),
    fault: `Fault ${createWord(n)}`,
    atMs: Date.now(),
  };
  for (;;) {
    const { status, outcomes } = await client.post(createEventBody(seed, event));
    const digest = outcomes.find(({ item }) => item === "event")?.digest ?? outcomes[0]?.digest;
    if (status === 200 && digest !== undefined) {
      if (!acknowledged.has(digest)) acknowledged.set(digest, performance.now());
      return;
    }
    await sleep(200);
  }
}

/** Letters only, because grouping replaces numbers in messages. */
function createWord(n: number) {
  return `${[...String(n)].map((digit) => "bcdfghjklm"[Number(digit)]).join("")}aqx`;
}

const count = Number(values.issues);

/** Reports one issue after another, while workerd is killed. */
async function reportEach() {
  const kills = (async () => {
    for (let kill = 0; kill < Number(values.kills); kill++) {
      await sleep(((seconds * 1000) / Number(values.kills)) * (0.5 + chance()));
      await host.strike(200);
    }
  })();
  const pauseMs = (seconds * 1000) / count;
  const reports: Promise<void>[] = [];
  for (let n = 0; n < count; n++) {
    reports.push(report(n));
    await sleep(pauseMs);
  }
  await Promise.all([kills, ...reports]);
}

if (values.storm === undefined) await reportEach();
else {
  const tookMs = await sendStorm({
    ...{ client, seed, reports: Number(values.storm), issues: count },
    nameFault: (issue) => `Fault ${createWord(issue)}`,
    onAcknowledged: (digest) => {
      if (!acknowledged.has(digest)) acknowledged.set(digest, performance.now());
    },
  });
  const perSecond = Math.round((Number(values.storm) / tookMs) * 1_000);
  console.log(`storm: ${values.storm} reports in ${Math.round(tookMs / 1_000)} s, ${perSecond}/s`);
}
const wanted = [...acknowledged.keys()].flatMap((digest) =>
  paths.map((path) => `${path} ${digest}`),
);
const beganMs = performance.now();
const isDelivered = (key: string) => receiver.delivered.has(key);
while (performance.now() - beganMs < SETTLE_MS && !wanted.every(isDelivered)) await sleep(500);
await sleep(2_000);
const lost = wanted.filter((key) => !isDelivered(key));
const twice = [...receiver.delivered].filter(([, { ids }]) => ids.size > 1);
const delays = [...acknowledged].flatMap(([digest, ackMs]) =>
  paths.flatMap((path) => (receiver.delivered.get(`${path} ${digest}`)?.atMs ?? Infinity) - ackMs),
);
delays.sort((a, b) => a - b);
const at = (share: number) => Math.round(delays[Math.floor(delays.length * share)] ?? 0);
const { requests, repeats, failed, cut, summaries } = receiver.figures;
console.log(
  `alerts: ${acknowledged.size} new issues acknowledged, ${wanted.length} to deliver, ${lost.length} lost, ` +
    `${twice.length} under two ids; ${requests} requests (${repeats} repeats, ${failed} failed, ` +
    `${cut} cut after they arrived, ${summaries} summaries), ${host.kills} kills, seed ${seed}; ` +
    `delay p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
);
if (values.storm !== undefined) console.log(describeMessages(receiver, acknowledged));
await host.stop();
client.close();
kv.stop();
receiver.stop();
rmSync(folder, { recursive: true, force: true });
process.exitCode = lost.length + twice.length + host.unexpected.length > 0 ? 1 : 0;

function createSettings(all: readonly string[]) {
  return {
    v: 1,
    version: 2,
    rules: [
      {
        ...{ id: "default", name: "New issues", enabled: true, query: "" },
        ...{ triggers: [{ kind: "new-issue" }], destinations: [], coolDownMs: 3_600_000 },
      },
    ],
    destinations: all.map((path) => ({
      ...{ id: path.slice(1), name: path },
      settings: { kind: "webhook", url: `http://${receiver.target}${path}`, secret: SECRET },
    })),
    preferences: {},
    origin: "https://errata.example",
    vapid: { publicKey: "", privateKey: "" },
    actionKey: Buffer.alloc(32, 1).toString("base64url"),
  };
}

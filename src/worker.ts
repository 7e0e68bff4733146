/**
 * The Worker's entry: opens the real services for each request and names the Durable Object classes. The clock and all
 * randomness come in here.
 */

import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { createApp, type Open } from "./app.ts";
import { type Bindings, readConfig } from "./env.ts";
import { ingestTail } from "./ingest.ts";
import { createDesk } from "./store/desk.ts";
import { createLog } from "./store/log.ts";

export { ProjectIndex } from "./store/project-index.ts";
export { ReportLog } from "./store/report-log.ts";

const app = createApp(openServices);

export default { fetch: app.fetch, tail } satisfies ExportedHandler<Bindings>;

/** What other Workers threw and logged, when they name this one in `tail_consumers`. The platform sends it once. */
async function tail(events: TraceItem[], env: Bindings, ctx: ExecutionContext): Promise<void> {
  const services = openServices(env, ctx);
  const taken = services.ok
    ? await ingestTail(events, {
        ...services.value,
        nowMs: Date.now(),
        scrub: services.value.config.scrub,
      })
    : services;
  if (!taken.ok) console.error("tail events lost", events.length, taken);
}

function openServices(env: Bindings, ctx: ExecutionContext): ReturnType<Open> {
  const config = readConfig(env);
  if (!config.ok) return config;
  const settings = { ...config.value, nowMs: Date.now };
  return {
    ok: true,
    value: {
      config: config.value,
      log: createLog(env, settings),
      desk: createDesk(env, settings),
      limiters: {
        address: (address) => within(env.ADDRESS_LIMIT, address),
        key: (key) => within(env.KEY_LIMIT, key),
        global: () => within(env.GLOBAL_LIMIT, "all"),
      },
      nowMs: Date.now,
      mintId: () => crypto.randomUUID().replaceAll("-", ""),
      nonce: () => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64"),
      sha256: (text) => hash("sha256", text, "buffer"),
      after: (work) => ctx.waitUntil(work),
      logFailure: ({ digest, id, type, message, stack, request }) =>
        console.error({ digest, report: id, type, message, stack, route: request?.route }),
      logProblem: (cause) => console.error("errata: the log took no reports", cause),
    },
  };
}

async function within(limit: RateLimit, key: string): Promise<boolean> {
  return (await limit.limit({ key })).success;
}

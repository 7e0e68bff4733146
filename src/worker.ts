/**
 * The Worker's entry: opens the real services for each request and names the Durable Object classes. The clock and all
 * randomness come in here.
 */

import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { createApp } from "./app.ts";
import { type Bindings, readConfig } from "./env.ts";
import { createDesk } from "./store/desk.ts";
import { createLog } from "./store/log.ts";

export { ProjectIndex } from "./store/project-index.ts";
export { ReportLog } from "./store/report-log.ts";

const app = createApp((env: Bindings, ctx: ExecutionContext) => {
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
    },
  };
});

export default { fetch: app.fetch } satisfies ExportedHandler<Bindings>;

async function within(limit: RateLimit, key: string): Promise<boolean> {
  return (await limit.limit({ key })).success;
}

/**
 * The Worker's entry: opens the real services and names the Durable Object classes. The clock and all randomness come in here.
 */

import { waitUntil } from "cloudflare:workers";
import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { createApp, type Open } from "./app.ts";
import type { KeyRate } from "./core/registry/registry.ts";
import { createAccess } from "./doors/access.ts";
import { type Bindings, type Config, readConfig } from "./env.ts";
import type { ProjectServices, Services } from "./http/services.ts";
import { ingestTail } from "./ingest.ts";
import { createDesk } from "./store/desk.ts";
import { createKeeping } from "./store/keeping.ts";
import { createLog } from "./store/log.ts";
import { createRegistry } from "./store/registry-client.ts";
import { createSpill, projectsWithSpill } from "./store/spill.ts";
import { createDismiss, createWatch } from "./store/watch.ts";

export { ProjectIndex } from "./store/project-index.ts";
export { Registry } from "./store/registry.ts";
export { ReportLog } from "./store/report-log.ts";

const app = createApp(servicesOf);

export default { fetch: app.fetch, tail, scheduled } satisfies ExportedHandler<Bindings>;

/** What other Workers threw and logged, when they name this one in `tail_consumers`. The platform sends it once. */
async function tail(events: TraceItem[], env: Bindings): Promise<void> {
  const services = servicesOf(env);
  const taken = services.ok
    ? await ingestTail(events, {
        ...services.value,
        nowMs: Date.now(),
        scrub: services.value.config.scrub,
      })
    : services;
  if (!taken.ok) console.error("tail events lost", events.length, taken);
}

/** Every five minutes (`wrangler.toml`): what the logs could not take is fed to them, and what was deleted is seen to. */
async function scheduled(_: ScheduledController, env: Bindings) {
  const config = readConfig(env);
  if (!config.ok) return;
  // None keeps another waiting.
  const tell = (cause: unknown) => console.error("errata: a task of the cron waits", cause);
  for (const project of (await projectsWithSpill(env).catch(tell)) ?? []) {
    await openSpill(env, { ...config.value, project })
      .feed()
      .catch(tell);
  }
  await eraseDeleted(servicesOf(env));
}

/** So long after its end some place may still have let a report into a project. */
const DELETED_FOR_MS = 600_000;

/** What a deleted project had is erased for good, and again until that has succeeded. */
async function eraseDeleted(services: ReturnType<Open>): Promise<void> {
  if (!services.ok) return;
  const { registry, of, logProblem } = services.value;
  const { deleted = [] } = await registry.copy();
  for (const { id, deletedMs } of deleted) {
    if (Date.now() - deletedMs < DELETED_FOR_MS) continue;
    const erased = of(id).keeping.eraseProject();
    await erased.then(() => registry.erased(id)).catch(logProblem);
  }
}

function openSpill(env: Bindings, config: Config) {
  return createSpill(env, { ...config, nowMs, mintId, after: waitUntil });
}

/** What belongs to one project, whether there is such a one or not. */
function openProject(env: Bindings, config: Config): ProjectServices {
  const settings = { ...config, nowMs };
  const spill = openSpill(env, config);
  return {
    config,
    log: createLog(env, { ...settings, spill }),
    desk: createDesk(env, settings),
    watch: createWatch(env, config),
    dismissWatchers: createDismiss(env, config),
    keeping: createKeeping(env, { ...settings, feed: () => spill.feed({ young: true }) }),
  };
}

/**
 * The services by their bindings, which do not change while a Worker runs. They hold nothing of a request, and to open them costs as much
 * as a bare one.
 */
const opened = new WeakMap<Bindings, ReturnType<Open>>();

function servicesOf(env: Bindings): ReturnType<Open> {
  const services = opened.get(env) ?? openServices(env);
  opened.set(env, services);
  return services;
}

function openServices(env: Bindings): ReturnType<Open> {
  const config = readConfig(env);
  if (!config.ok) return config;
  const first = openProject(env, config.value);
  const { location } = config.value;
  const services: Services = {
    ...first,
    ownLog: first.log,
    of: (project) => {
      const { ingestKey: _, ...shared } = config.value;
      return { ...services, ...openProject(env, { ...shared, project }) };
    },
    registry: createRegistry(env, {
      nowMs,
      after: waitUntil,
      ...(location && { location }),
    }),
    verifyAccess: config.value.access ? createAccess(config.value.access) : async () => null,
    limiters: {
      address: (address) => within(env.ADDRESS_LIMIT, address),
      key: (key, perMinute) => within(keyLimitOf(env, perMinute), key),
      global: () => within(env.GLOBAL_LIMIT, "all"),
      enter: (address) => within(env.ENTER_LIMIT, address),
      receipt: (network) => within(env.RECEIPT_LIMIT, network),
    },
    nowMs,
    mintId,
    nonce: () => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64"),
    sha256: (text) => hash("sha256", text, "buffer"),
    after: waitUntil,
    logFailure: ({ digest, id, type, message, stack, request }) =>
      console.error({ digest, report: id, type, message, stack, route: request?.route }),
    logProblem: (cause) => console.error("errata: the store did not do what it should", cause),
  };
  return { ok: true, value: services };
}

function keyLimitOf(env: Bindings, perMinute: KeyRate | undefined): RateLimit {
  switch (perMinute) {
    case 60:
      return env.KEY_LIMIT_60;
    case 600:
      return env.KEY_LIMIT_600;
    case 6_000:
      return env.KEY_LIMIT_6000;
    case undefined:
      return env.KEY_LIMIT;
  }
}

/** The clock is looked up whenever it is asked: services outlive whoever has put another one there. */
function nowMs(): number {
  return Date.now();
}

function mintId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

async function within(limit: RateLimit, key: string): Promise<boolean> {
  return (await limit.limit({ key })).success;
}

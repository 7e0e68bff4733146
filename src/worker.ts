/**
 * The Worker's entry: creates the services and exports the Durable Object classes. Only this file
 * uses the clock and randomness.
 */

import { WorkerEntrypoint, waitUntil } from "cloudflare:workers";
import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { handleRequest } from "./app.ts";
import { createClientReader } from "./auth/client-reader.ts";
import { createAccessVerifier } from "./auth/cloudflare-access.ts";
import { createPageTokens } from "./auth/page-tokens.ts";
import type { Bindings } from "./bindings.ts";
import { type Config, readAlertDelivery, readConfig } from "./config.ts";
import { hasProjectArtifacts } from "./core/accounts/project-changes.ts";
import type { KeyRate } from "./core/accounts/registry.ts";
import type { AccountStore } from "./core/ports/accounts-port.ts";
import type { OpenedServices, ProjectServices, Services } from "./http/context.ts";
import { getExportSource } from "./http/desk/project-data/export-source.ts";
import { captureError, storeAccountItems } from "./http/ingest/account-reports.ts";
import { createFileReader, createReactTextReader } from "./http/read-file.ts";
import { LoopMemory, TAIL_FAILURE } from "./ingest/tail/loops.ts";
import { parseTail } from "./ingest/tail/parse-tail.ts";
import { createRegistryClient } from "./store/accounts/registry-client.ts";
import { continueBackup, readBackup } from "./store/client/backup.ts";
import { type AppendCoalescer, createAppendCoalescer } from "./store/client/coalesce-appends.ts";
import { openObjects, readVersions, recordVersions } from "./store/client/data-versions.ts";
import { openStorage } from "./store/client/open-storage.ts";
import { createSpool, listSpooledProjects } from "./store/client/spool.ts";
import type { SpoolRefusals } from "./store/client/spool-quota.ts";
import { getNamespace } from "./store/objects.ts";

export { RegistryObject as Registry } from "./store/accounts/registry-object.ts";
export { AlertSender } from "./store/alerts/alert-sender.ts";
export { SourceMaps } from "./store/artifacts/source-maps.ts";
export { ProjectIndex } from "./store/index/project-index.ts";
export { ReportLog } from "./store/log/report-log.ts";

export default {
  fetch: handleFetch,
  tail: handleTail,
  scheduled: handleScheduled,
} satisfies ExportedHandler<Bindings>;

function handleFetch(request: Request, env: Bindings, ctx: ExecutionContext): Promise<Response> {
  return handleRequest(request, getServices(env), ctx);
}

/**
 * Ingests tail events of Workers that list this one in `tail_consumers`. The platform sends them
 * once, so events that fail here are lost.
 */
async function handleTail(events: TraceItem[], env: Bindings): Promise<void> {
  const opened = getServices(env);
  const ingested = opened.ok
    ? await storeAccountItems(opened.value, parseTail(events, loopMemory))
    : opened;
  if (!ingested.ok) console.error(TAIL_FAILURE, events.length, ingested);
}

/** The loops that this isolate has seen in the events of other Workers. */
const loopMemory = new LoopMemory();

/**
 * Errata for the other Workers of the account, over a service binding:
 *
 *     services = [{ binding = "ERRATA", service = "errata", entrypoint = "Errata" }]
 *
 * `props` of the binding may name a `project`.
 */
export class Errata extends WorkerEntrypoint<Bindings, { readonly project?: string }> {
  override fetch(request: Request): Promise<Response> {
    return handleFetch(request, this.env, this.ctx);
  }

  /** Stores an error that the caller handles, and returns its digest: see `captureError`. */
  async capture(error: unknown, context?: unknown) {
    const opened = getServices(this.env);
    if (!opened.ok) return opened;
    const captured = await captureError(opened.value, error, context, this.ctx.props?.project);
    if (!captured.ok) console.error("errata: a captured error could not be stored", captured);
    return captured;
  }
}

/** Every five minutes (`wrangler.toml`): drains spools, erases deleted projects, and backs up. */
async function handleScheduled(_: ScheduledController, env: Bindings) {
  const opened = getServices(env);
  if (!opened.ok) return;
  const services = opened.value;
  // A failed task does not stop the others.
  const logFailedTask = (cause: unknown) =>
    console.error("errata: a cron task failed and will be retried", cause);
  for (const project of (await listSpooledProjects(env).catch(logFailedTask)) ?? []) {
    await openSpool(env, { ...services.config, project })
      .drain()
      .catch(logFailedTask);
  }
  await eraseDeletedProjects(services).catch(logFailedTask);
  await continueBackups(env, services).catch(logFailedTask);
}

/** A cached registry may accept reports of a deleted project for this long. */
const ERASE_DELAY_MS = 600_000;

/** Erases the data of deleted projects, and tries again until it succeeds. */
async function eraseDeletedProjects(services: Services): Promise<void> {
  const { registry, forProject, logProblem } = services;
  const { deletedProjects = [] } = await registry.readCopy();
  for (const { id, deletedMs } of deletedProjects) {
    if (Date.now() - deletedMs < ERASE_DELAY_MS) continue;
    const erasure = forProject(id).projectAdmin.eraseProject();
    await erasure.then(() => registry.confirmErased(id)).catch(logProblem);
  }
}

/** Continues the backup if the deployment has a bucket for it. */
async function continueBackups({ BACKUP }: Bindings, services: Services): Promise<void> {
  if (BACKUP === undefined) return;
  const { registry, config, forProject, logProblem } = services;
  await continueBackup(BACKUP, {
    projects: (await registry.readCopy()).projects,
    nowMs: nowMs(),
    retentionDays: config.retentionDays,
    readExport: async (project, part) => {
      const source = await getExportSource(services, project);
      return forProject(project).projectAdmin.readExport({ ...part, source });
    },
    logProblem,
  });
}

function openSpool(env: Bindings, config: Config, refusals: SpoolRefusals = new Map()) {
  return createSpool(env, { ...config, nowMs, newId: newRandomId, waitUntil, refusals });
}

/** Services and state of an isolate that all projects share. */
interface SharedServices {
  readonly coalescer: AppendCoalescer;
  readonly refusals: SpoolRefusals;
  readonly registry: AccountStore;
}

/** The services of one project, which may not exist. */
function openProject(
  env: Bindings,
  config: Config,
  { coalescer, refusals, registry }: SharedServices,
): ProjectServices {
  const spool = openSpool(env, config, refusals);
  const hasArtifacts = async () => hasProjectArtifacts(await registry.readCopy(), config.project);
  return { config, ...openStorage(env, { ...config, nowMs, spool, coalescer, hasArtifacts }) };
}

/** The services by bindings. They hold no request state and cost as much as a small request. */
const servicesByBindings = new WeakMap<Bindings, OpenedServices>();

function getServices(env: Bindings): OpenedServices {
  const services = servicesByBindings.get(env) ?? openServices(env);
  servicesByBindings.set(env, services);
  return services;
}

function openServices(env: Bindings): OpenedServices {
  const config = readConfig(env);
  if (!config.ok) return config;
  const coalescer = createAppendCoalescer({ nowMs, waitUntil });
  const { location, serverKeyHash } = config.value;
  const registry = createRegistryClient(env, { nowMs, waitUntil, location });
  const shared = { coalescer, refusals: new Map(), registry };
  const first = openProject(env, config.value, shared);
  const readFile = createFileReader(env.ASSETS, logProblem);
  const services: Services = {
    ...first,
    selfReportWriter: first.reportWriter,
    forProject: (project) => {
      const { ingestKey: _, serverKeyHash: _hash, ...settings } = config.value;
      return { ...services, ...openProject(env, { ...settings, project }, shared) };
    },
    registry,
    dataVersions: createDataVersions(env, config.value, registry),
    readFile,
    readReactTexts: createReactTextReader(readFile),
    readBackup: async (project) => env.BACKUP && readBackup(env.BACKUP, project),
    verifyAccess: config.value.access
      ? createAccessVerifier(config.value.access)
      : async () => null,
    readClient: createClientReader({
      fetch: (url, init) => fetch(url, init),
      allowedTargets: readAlertDelivery(env).allowedTargets,
    }),
    pageTokens: createPageTokens({ configuredKeyHash: serverKeyHash, registry, nowMs }),
    limiters: createLimiters(env),
    nowMs,
    newId: newRandomId,
    newNonce: () => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64"),
    sha256: (text) => hash("sha256", text, "buffer"),
    waitUntil,
    logFailure: ({ digest, id, type, message, stack, request }) =>
      console.error({ digest, report: id, type, message, stack, route: request?.route }),
    logProblem,
  };
  return { ok: true, value: services };
}

function logProblem(cause: unknown): void {
  console.error("errata: a storage operation failed", cause);
}

/** Without a readable registry, only its own version is known. */
function createDataVersions(
  env: Bindings,
  { shards, location, release }: Config,
  registry: AccountStore,
): Services["dataVersions"] {
  const listProjects = () =>
    registry.readCopy().then(
      ({ projects }) => projects,
      () => registry.getLastCopy()?.projects ?? [],
    );
  return {
    read: async (project) => {
      const projects = (await listProjects()).filter(({ id }) => id === project);
      return readVersions(env, projects, { shards, location });
    },
    open: async (after) => openObjects(env, await listProjects(), { shards, location }, after),
    record: () => recordVersions(env, release),
  };
}

/**
 * The rate limits. Cloudflare counts per account, id of the limit, and key. Another deployment of
 * Errata in the account has the same ids, so the keys begin with an id that only this one has.
 */
function createLimiters(env: Bindings): Services["limiters"] {
  const deployment = getNamespace(env, "registry").idFromName("deployment").toString();
  const check = (limit: RateLimit, key: string, count?: number) =>
    isWithinLimit(limit, `${deployment}:${key}`, count);
  return {
    address: (address, count) => check(env.ADDRESS_LIMIT, address, count),
    key: (key, perMinute, count) => check(selectKeyLimit(env, perMinute), key, count),
    global: (trust, count) => check(env.GLOBAL_LIMIT, trust, count),
    signIn: (address) => check(env.SIGN_IN_LIMIT, address),
    receipt: (network) => check(env.RECEIPT_LIMIT, network),
    site: (limit, site, count) => check(env[SITE_LIMITS[limit]], site, count),
    pageToken: (pageAndNetwork) => check(env.PAGE_TOKEN_LIMIT, pageAndNetwork),
    api: (actor, count) => check(env.API_LIMIT, actor, count),
  };
}

const SITE_LIMITS = {
  address: "ADDRESS_SITE_LIMIT",
  receipt: "RECEIPT_SITE_LIMIT",
  signIn: "SIGN_IN_SITE_LIMIT",
} as const;

function selectKeyLimit(env: Bindings, perMinute: KeyRate | undefined): RateLimit {
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

/** Calls `Date.now` each time, because tests replace it while the services exist. */
function nowMs(): number {
  return Date.now();
}

function newRandomId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** Charges `count` to a limit; true while it is not exceeded. The platform charges one per call. */
async function isWithinLimit(limit: RateLimit, key: string, count = 1): Promise<boolean> {
  if (count === 1) return (await limit.limit({ key })).success;
  const outcomes = await Promise.all(Array.from({ length: count }, () => limit.limit({ key })));
  return outcomes.every(({ success }) => success);
}

/**
 * The Worker's entry: creates the services and exports the Durable Object classes. Only this file
 * uses the clock and randomness.
 */

import { WorkerEntrypoint, waitUntil } from "cloudflare:workers";
import { Buffer } from "node:buffer";
import { handleRequest } from "./app.ts";
import type { Bindings } from "./bindings.ts";
import type { OpenedServices, Services } from "./http/context.ts";
import { getExportSource } from "./http/desk/project-data/export-source.ts";
import { captureError, storeAccountItems } from "./http/ingest/account-reports.ts";
import { LoopMemory, TAIL_FAILURE } from "./ingest/tail/loops.ts";
import { parseTail } from "./ingest/tail/parse-tail.ts";
import { openServices, openSpool, type Platform } from "./open-services.ts";
import { continueBackup } from "./store/client/backup.ts";
import { listSpooledProjects } from "./store/client/spool.ts";

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
    await openSpool(env, { ...services.config, project }, PLATFORM)
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

/** The services by bindings. They hold no request state and cost as much as a small request. */
const servicesByBindings = new WeakMap<Bindings, OpenedServices>();

function getServices(env: Bindings): OpenedServices {
  const services = servicesByBindings.get(env) ?? openServices(env, PLATFORM);
  servicesByBindings.set(env, services);
  return services;
}

const PLATFORM: Platform = {
  nowMs,
  newId,
  newNonce: () => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64"),
  waitUntil,
  logFailure: ({ digest, id, type, message, stack, request }) =>
    console.error({ digest, report: id, type, message, stack, route: request?.route }),
  logProblem,
};

function logProblem(cause: unknown): void {
  console.error("errata: a storage operation failed", cause);
}

/** Calls `Date.now` each time, because tests replace it while the services exist. */
function nowMs(): number {
  return Date.now();
}

function newId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** Opens the services of an isolate on its bindings. `worker.ts` states the clock and randomness. */
import { hash } from "node:crypto";
import { createClientReader } from "./auth/client-reader.ts";
import { createAccessVerifier } from "./auth/cloudflare-access.ts";
import { createPageTokens } from "./auth/page-tokens.ts";
import type { Bindings } from "./bindings.ts";
import { type Config, readAlertDelivery, readConfig } from "./config.ts";
import { hasProjectArtifacts } from "./core/accounts/project-changes.ts";
import type { KeyRate } from "./core/accounts/registry.ts";
import type { AccountStore } from "./core/ports/accounts-port.ts";
import type { OpenedServices, ProjectServices, Services } from "./http/context.ts";
import { createFileReader, createReactTextReader } from "./http/read-file.ts";
import { createRegistryClient } from "./store/accounts/registry-client.ts";
import { readBackup } from "./store/client/backup.ts";
import { type AppendCoalescer, createAppendCoalescer } from "./store/client/coalesce-appends.ts";
import { openObjects, readVersions, recordVersions } from "./store/client/data-versions.ts";
import { openStorage } from "./store/client/open-storage.ts";
import { createSpool } from "./store/client/spool.ts";
import type { SpoolRefusals } from "./store/client/spool-quota.ts";
import { getNamespace } from "./store/objects.ts";

/** What the platform gives to all requests of an isolate. */
export type Platform = Pick<
  Services,
  "nowMs" | "newId" | "newNonce" | "waitUntil" | "logFailure" | "logProblem"
>;

/**
 * The services of bindings, or the problems of their configuration. They hold no request state, and
 * opening them makes no call.
 */
export function openServices(env: Bindings, platform: Platform): OpenedServices {
  const { nowMs, newId, newNonce, waitUntil, logFailure, logProblem } = platform;
  const config = readConfig(env);
  if (!config.ok) return config;
  const coalescer = createAppendCoalescer({ nowMs, waitUntil });
  const { location, serverKeyHash } = config.value;
  const registry = createRegistryClient(env, { nowMs, waitUntil, location });
  const shared = { coalescer, refusals: new Map(), registry };
  const first = openProject(env, config.value, shared, platform);
  const readFile = createFileReader(env.ASSETS, logProblem);
  const services: Services = {
    ...first,
    selfReportWriter: first.reportWriter,
    forProject: (project) => {
      const { ingestKey: _, serverKeyHash: _hash, ...settings } = config.value;
      return { ...services, ...openProject(env, { ...settings, project }, shared, platform) };
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
    newId,
    newNonce,
    sha256: (text) => hash("sha256", text, "buffer"),
    waitUntil,
    logFailure,
    logProblem,
  };
  return { ok: true, value: services };
}

/** The spool of a project. */
export function openSpool(
  env: Bindings,
  config: Config,
  { nowMs, newId, waitUntil }: Platform,
  refusals: SpoolRefusals = new Map(),
) {
  return createSpool(env, { ...config, nowMs, newId, waitUntil, refusals });
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
  platform: Platform,
): ProjectServices {
  const { nowMs } = platform;
  const spool = openSpool(env, config, platform, refusals);
  const hasArtifacts = async () => hasProjectArtifacts(await registry.readCopy(), config.project);
  return { config, ...openStorage(env, { ...config, nowMs, spool, coalescer, hasArtifacts }) };
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

/** Charges `count` to a limit; true while it is not exceeded. The platform charges one per call. */
async function isWithinLimit(limit: RateLimit, key: string, count = 1): Promise<boolean> {
  if (count === 1) return (await limit.limit({ key })).success;
  const outcomes = await Promise.all(Array.from({ length: count }, () => limit.limit({ key })));
  return outcomes.every(({ success }) => success);
}

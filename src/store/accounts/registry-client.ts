/**
 * The registry as requests read it: a copy in the isolate's memory that is refreshed after
 * responses, else the copy in KV, else the object itself. Changes go to the object only.
 */

import type { Bindings } from "../../bindings.ts";
import { findKeyLeak } from "../../core/accounts/key-leaks.ts";
import { REGISTRY, type RegistryState } from "../../core/accounts/registry.ts";
import type { AccountStore } from "../../core/ports/accounts-port.ts";
import { ok } from "../../core/result.ts";
import { REGISTRY_KEY } from "../kv/keys.ts";
import { connectProject } from "../objects.ts";
import { withTimeout } from "../with-timeout.ts";

/** A copy up to this age is used without a request to the object. */
const FRESH_MS = 10_000;
/** A copy up to this age is used while it is refreshed after the response; older ones are not. */
const STALE_MS = 30_000;
/**
 * The minimum of Workers KV (`cacheTtl`). With `STALE_MS`, a revocation takes effect within a
 * minute.
 */
const KV_CACHE_SECONDS = 30;
/** How often unknown names of unauthenticated clients can cause a request to the object. */
const REFRESH_INTERVAL_MS = 2_000;
/** How often the object is asked for a name with a valid signature, after the first time. */
const REFRESH_INTERVAL_PER_NAME_MS = 5_000;
const MAX_TRACKED_NAMES = 500;
/** How long one request waits for the refresh of another. */
const POLL_INTERVAL_MS = 25;
const MAX_POLLS = 40;
/** How long a request without a copy waits for the object after KV has responded. */
const FRESH_WAIT_MS = 150;
/** The precision of last uses. */
const USE_INTERVAL_MS = 300_000;
const REGISTRY_TIMEOUT_MS = 2_000;

/** Shared by all requests of one isolate. */
interface IsolateCache {
  cached?: { readonly registry: RegistryState; readonly atMs: number };
  /** A copy of a later version. Its projects and keys, which never change form, serve ingest. */
  later?: RegistryState;
  /** Numbers of the last started and the last finished refresh, and when the last one started. */
  startedRefreshes: number;
  finishedRefreshes: number;
  refreshStartedMs: number;
  /** True if the last finished refresh failed. */
  hasFailed: boolean;
  readonly refreshedMsByName: Map<string, number>;
  readonly usedMsById: Map<string, number>;
  /** Hashes of server keys whose leak was sent to the object. */
  readonly sentLeaks: Set<string>;
}

interface RegistryClientOptions {
  readonly nowMs: () => number;
  readonly location?: DurableObjectLocationHint;
  /** Continues work after the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

const caches = new WeakMap<object, IsolateCache>();

function createIsolateCache(): IsolateCache {
  return {
    startedRefreshes: 0,
    finishedRefreshes: 0,
    refreshStartedMs: Number.NEGATIVE_INFINITY,
    hasFailed: false,
    refreshedMsByName: new Map(),
    usedMsById: new Map(),
    sentLeaks: new Set(),
  };
}

/** The registry of these bindings. */
export function createRegistryClient(
  bindings: Pick<Bindings, "KV">,
  { nowMs, location, waitUntil }: RegistryClientOptions,
): AccountStore {
  const cache = caches.get(bindings) ?? createIsolateCache();
  caches.set(bindings, cache);
  const { registry: object } = connectProject(() => bindings, { project: "", location });

  function setCached(registry: RegistryState, atMs = nowMs()): RegistryState {
    const isOlder = cache.cached !== undefined && cache.cached.registry.version > registry.version;
    const newest = isOlder && cache.cached ? cache.cached.registry : registry;
    cache.cached = { registry: newest, atMs };
    return newest;
  }

  async function refresh(): Promise<RegistryState> {
    const refreshNumber = ++cache.startedRefreshes;
    cache.refreshStartedMs = nowMs();
    try {
      const known = cache.cached?.registry;
      const newer = await object.readIfNewer(known?.version ?? 0);
      const registry = newer ?? known;
      if (registry === undefined) throw new Error("the registry returned no state");
      cache.hasFailed = false;
      return setCached(registry);
    } catch (error) {
      cache.hasFailed = true;
      throw error;
    } finally {
      cache.finishedRefreshes = Math.max(cache.finishedRefreshes, refreshNumber);
    }
  }

  /** Concurrent requests share one refresh. */
  function refreshInBackground(): void {
    if (nowMs() - cache.refreshStartedMs < REFRESH_INTERVAL_MS) return;
    waitUntil(refresh().catch(() => undefined));
  }

  /** Waits for the refresh of another request, whose promise this request must not await. */
  async function waitForRefresh(): Promise<RegistryState> {
    const refreshNumber = cache.startedRefreshes;
    for (let n = 0; n < MAX_POLLS && cache.finishedRefreshes < refreshNumber; n++)
      await scheduler.wait(POLL_INTERVAL_MS);
    if (cache.hasFailed) throw new Error("the registry is unavailable");
    return cache.cached?.registry ?? refresh();
  }

  /** Limits refreshes per signed name: the name may be newer than every copy, or deleted. */
  function canRefreshFor(name: string): boolean {
    const refreshedMs = cache.refreshedMsByName.get(name) ?? Number.NEGATIVE_INFINITY;
    if (nowMs() - refreshedMs < REFRESH_INTERVAL_PER_NAME_MS) return false;
    if (cache.refreshedMsByName.size >= MAX_TRACKED_NAMES) cache.refreshedMsByName.clear();
    cache.refreshedMsByName.set(name, nowMs());
    return true;
  }

  /** The result of a change that does not return the registry, which is read again. */
  async function afterChange<T>(result: T): Promise<T> {
    await refresh().catch(() => undefined);
    return result;
  }

  return {
    async readCopy() {
      const { cached } = cache;
      const ageMs = cached === undefined ? Number.POSITIVE_INFINITY : nowMs() - cached.atMs;
      if (cached !== undefined && ageMs < FRESH_MS) return cached.registry;
      if (cached !== undefined && ageMs < STALE_MS) {
        refreshInBackground();
        return cached.registry;
      }
      const refreshed = refresh();
      waitUntil(refreshed.catch(() => undefined));
      const stored = await withTimeout(
        bindings.KV.get(REGISTRY_KEY, { type: "json", cacheTtl: KV_CACHE_SECONDS }),
        REGISTRY_TIMEOUT_MS,
      ).catch(() => null);
      const copy = REGISTRY.decode(stored);
      if (copy.kind === "newer") cache.later = stored as RegistryState;
      if (copy.kind !== "ok") return refreshed;
      // KV may serve an outdated value, so the object is asked at the same time.
      const current = await withTimeout(refreshed, FRESH_WAIT_MS).catch(() => null);
      return current ?? setCached(copy.value, nowMs() - FRESH_MS);
    },

    getLastCopy() {
      return cache.cached?.registry ?? cache.later ?? null;
    },

    async readFresh(verifiedName) {
      if (verifiedName !== undefined && canRefreshFor(verifiedName)) return refresh();
      return nowMs() - cache.refreshStartedMs < REFRESH_INTERVAL_MS ? waitForRefresh() : refresh();
    },

    async applyChange(actor, change) {
      const result = await object.applyChange(actor, change);
      if (!result.ok) return result;
      const { registry, ...outcome } = result.value;
      setCached(registry);
      return ok(outcome);
    },

    async authorizeAction(actor, action) {
      return object.authorizeAction(actor, action);
    },

    recordOutcome(sequence, outcome) {
      waitUntil(object.recordOutcome(sequence, outcome).catch(() => undefined));
    },

    oauth: {
      allowRequest: async (...call) => afterChange(await object.allowRequest(...call)),
      exchangeCode: async (...call) => afterChange(await object.exchangeCode(...call)),
      refreshTokens: async (...call) => afterChange(await object.refreshTokens(...call)),
      revokeToken: async (...call) => afterChange(await object.revokeToken(...call)),
      startDevice: async (...call) => object.startDevice(...call),
      findDevice: async (...call) => object.findDevice(...call),
      decideDevice: async (...call) => afterChange(await object.decideDevice(...call)),
      async pollDevice(...call) {
        const result = await object.pollDevice(...call);
        return result.ok ? afterChange(result) : result;
      },
    },

    async confirmErased(project) {
      await object.confirmErased(project);
    },

    async listAuditEntries(project, before) {
      return object.listAuditEntries(project, before);
    },

    async getLastUses() {
      return object.getLastUses();
    },

    recordUse(id) {
      const recordedMs = cache.usedMsById.get(id) ?? 0;
      if (nowMs() - recordedMs < USE_INTERVAL_MS) return;
      // Only ids of existing sessions and tokens reach this line.
      cache.usedMsById.set(id, nowMs());
      waitUntil(object.recordUse(id).catch(() => undefined));
    },

    recordKeyLeak(leak) {
      const known = cache.cached?.registry;
      if (cache.sentLeaks.has(leak.hash) || (known && findKeyLeak(known, leak.hash))) return;
      // Only hashes of valid keys reach this line.
      cache.sentLeaks.add(leak.hash);
      // The next request with the key tries again.
      const forget = () => cache.sentLeaks.delete(leak.hash);
      waitUntil(object.recordKeyLeak(leak).then((registry) => void setCached(registry), forget));
    },
  };
}

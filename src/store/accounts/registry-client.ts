/**
 * The registry, as requests see it: a copy in the memory of this place, brought up to date behind answers, else the copy in KV, else
 * the object itself. What changes something asks the object, and only it.
 */

import type { Bindings } from "../../config.ts";
import { type RegistryState as Facts, parseRegistryState } from "../../core/accounts/registry.ts";
import type { AccountStore } from "../../core/ports/accounts-port.ts";
import { ok } from "../../core/result.ts";
import { REGISTRY_KEY } from "../kv/keys.ts";
import { createRegistryStub } from "../rpc/stubs.ts";
import { withTimeout } from "../with-timeout.ts";

/** So long a copy is good without a question. */
const FRESH_MS = 10_000;
/** So long one is good while the object is asked behind the answer. Older ones are not used. */
const STALE_MS = 30_000;
/** KV's least (Workers KV, `cacheTtl`). With `STALE_MS` what was revoked is good for less than a minute. */
const KV_CACHE_SECONDS = 30;
/** Strangers can make names up that no copy knows: so often the object is asked for them. */
const REFRESH_INTERVAL_MS = 2_000;
/** Whoever is known by a seal is asked for at once, and then so often. */
const REFRESH_INTERVAL_PER_NAME_MS = 5_000;
const MAX_TRACKED_NAMES = 500;
/** How long one request waits for another's question. */
const POLL_INTERVAL_MS = 25;
const MAX_POLLS = 40;
/** How much longer than KV the object may take when there is no copy: then KV's is good enough. */
const FRESH_WAIT_MS = 150;
/** How exactly it is known when something was last used. */
const USE_INTERVAL_MS = 300_000;
/** How long the object may take before a copy is good enough. */
const REGISTRY_TIMEOUT_MS = 2_000;

/** What this place remembers. It is the same for all requests of one isolate. */
interface IsolateCache {
  cached?: { readonly registry: Facts; readonly atMs: number };
  /** How often the object was asked, the newest question that has ended, and when the newest one began. */
  startedRefreshes: number;
  finishedRefreshes: number;
  refreshStartedMs: number;
  /** The question that ended last had no answer. */
  hasFailed: boolean;
  readonly refreshedMsByName: Map<string, number>;
  readonly usedMsById: Map<string, number>;
}

/** With what the registry is reached. */
export interface RegistryClientOptions {
  readonly nowMs: () => number;
  readonly location?: DurableObjectLocationHint;
  /** Lets work go on behind the response. */
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
  };
}

/** The registry of these bindings. */
export function createRegistryClient(
  bindings: Pick<Bindings, "KV" | "REGISTRY">,
  { nowMs, location, waitUntil }: RegistryClientOptions,
): AccountStore {
  const cache = caches.get(bindings) ?? createIsolateCache();
  caches.set(bindings, cache);
  const getStub = () => createRegistryStub(bindings, location);

  function setCached(registry: Facts, atMs = nowMs()): Facts {
    const isOlder = cache.cached !== undefined && cache.cached.registry.version > registry.version;
    const newest = isOlder && cache.cached ? cache.cached.registry : registry;
    cache.cached = { registry: newest, atMs };
    return newest;
  }

  async function refresh(): Promise<Facts> {
    const refreshNumber = ++cache.startedRefreshes;
    cache.refreshStartedMs = nowMs();
    try {
      const known = cache.cached?.registry;
      const newer = await withTimeout(
        getStub().readIfNewer(known?.version ?? 0),
        REGISTRY_TIMEOUT_MS,
      );
      const registry = newer ?? known;
      if (registry === undefined) throw new Error("the registry said nothing");
      cache.hasFailed = false;
      return setCached(registry);
    } catch (error) {
      cache.hasFailed = true;
      throw error;
    } finally {
      cache.finishedRefreshes = Math.max(cache.finishedRefreshes, refreshNumber);
    }
  }

  /** Once for many requests: the first that finds it stale asks. */
  function refreshInBackground(): void {
    if (nowMs() - cache.refreshStartedMs < REFRESH_INTERVAL_MS) return;
    waitUntil(refresh().catch(() => undefined));
  }

  /** What somebody else's question came to. A request may wait for its own timers, and not for another request's promise. */
  async function waitForRefresh(): Promise<Facts> {
    const refreshNumber = cache.startedRefreshes;
    for (let n = 0; n < MAX_POLLS && cache.finishedRefreshes < refreshNumber; n++) {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
    if (cache.hasFailed) throw new Error("the registry was away a moment ago");
    return cache.cached?.registry ?? refresh();
  }

  /** True once in a while for each name: whoever is known by a seal may be newer than any copy, and may be long gone. */
  function canRefreshFor(name: string): boolean {
    const refreshedMs = cache.refreshedMsByName.get(name) ?? Number.NEGATIVE_INFINITY;
    if (nowMs() - refreshedMs < REFRESH_INTERVAL_PER_NAME_MS) return false;
    if (cache.refreshedMsByName.size >= MAX_TRACKED_NAMES) cache.refreshedMsByName.clear();
    cache.refreshedMsByName.set(name, nowMs());
    return true;
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
      const registry = parseRegistryState(stored);
      if (registry === null) return refreshed;
      // What KV says may be older than it should be; who is near is asked in the same time.
      const current = await withTimeout(refreshed, FRESH_WAIT_MS).catch(() => null);
      return current ?? setCached(registry, nowMs() - FRESH_MS);
    },

    async readFresh(verifiedName) {
      if (verifiedName !== undefined && canRefreshFor(verifiedName)) return refresh();
      return nowMs() - cache.refreshStartedMs < REFRESH_INTERVAL_MS ? waitForRefresh() : refresh();
    },

    async applyChange(actor, change) {
      const result = await getStub().applyChange(actor, change);
      if (!result.ok) return result;
      const { registry, ...outcome } = result.value.made;
      setCached(registry);
      return ok(outcome);
    },

    async authorizeAction(actor, action) {
      return getStub().authorizeAction(actor, action);
    },

    async confirmErased(project) {
      await getStub().confirmErased(project);
    },

    async listAuditEntries(project, before) {
      return getStub().listAuditEntries(project, before);
    },

    async getLastUses() {
      return getStub().getLastUses();
    },

    recordUse(id) {
      const recordedMs = cache.usedMsById.get(id) ?? 0;
      if (nowMs() - recordedMs < USE_INTERVAL_MS) return;
      // Made-up ids never come so far: what is used has been found.
      cache.usedMsById.set(id, nowMs());
      waitUntil(Promise.resolve(getStub().recordUse(id)).catch(() => undefined));
    },
  };
}

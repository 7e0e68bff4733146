/**
 * The registry, as requests see it: a copy in the memory of this place, brought up to date behind answers, else the copy in KV, else
 * the object itself. What changes something asks the object, and only it.
 */
import type { RegistryPort } from "../core/registry/port.ts";
import { type Registry as Facts, storedRegistry } from "../core/registry/registry.ts";
import { ok } from "../core/result.ts";
import type { Bindings } from "../env.ts";
import { inTime } from "./in-time.ts";
import { REGISTRY_KEY, REGISTRY_NAME } from "./keys.ts";

/** So long a copy is good without a question. */
const FRESH_MS = 10_000;
/** So long one is good while the object is asked behind the answer. Older ones are not used. */
const STALE_MS = 30_000;
/** KV's least (Workers KV, `cacheTtl`). With `STALE_MS` what was revoked is good for less than a minute. */
const KV_CACHE_SECONDS = 30;
/** Strangers can make names up that no copy knows: so often the object is asked for them. */
const ASKED_EVERY_MS = 2_000;
/** Whoever is known by a seal is asked for at once, and then so often. */
const ASKED_BY_ONE_EVERY_MS = 5_000;
const MAX_ASKERS = 500;
/** How long one request waits for another's question. */
const OVERHEARD_EVERY_MS = 25;
const OVERHEARD_LOOKS = 40;
/** How much longer than KV the object may take when there is no copy: then KV's is good enough. */
const AHEAD_MS = 150;
/** How exactly it is known when something was last used. */
const USE_NOTED_EVERY_MS = 300_000;
/** How long the object may take before a copy is good enough. */
const PATIENCE_MS = 2_000;

/** What this place remembers. It is the same for all requests of one isolate. */
interface Memory {
  copy?: { readonly registry: Facts; readonly atMs: number };
  /** How often the object was asked, the newest question that has ended, and when the newest one began. */
  asked: number;
  ended: number;
  askedMs: number;
  /** The question that ended last had no answer. */
  isAway: boolean;
  readonly askedBy: Map<string, number>;
  readonly used: Map<string, number>;
}

/** With what the registry is reached. */
export interface RegistryFacts {
  readonly nowMs: () => number;
  readonly location?: DurableObjectLocationHint;
  /** Lets work go on behind the response. */
  readonly after: (work: Promise<unknown>) => void;
}

const memories = new WeakMap<object, Memory>();

function newMemory(): Memory {
  return {
    asked: 0,
    ended: 0,
    askedMs: Number.NEGATIVE_INFINITY,
    isAway: false,
    askedBy: new Map(),
    used: new Map(),
  };
}

/** The registry of these bindings. */
export function createRegistry(
  bindings: Pick<Bindings, "KV" | "REGISTRY">,
  { nowMs, location, after }: RegistryFacts,
): RegistryPort {
  const memory = memories.get(bindings) ?? newMemory();
  memories.set(bindings, memory);
  const options = location === undefined ? {} : { locationHint: location };
  const object = () => bindings.REGISTRY.getByName(REGISTRY_NAME, options);

  function hold(registry: Facts, atMs = nowMs()): Facts {
    const isOlder = memory.copy !== undefined && memory.copy.registry.version > registry.version;
    const newest = isOlder && memory.copy ? memory.copy.registry : registry;
    memory.copy = { registry: newest, atMs };
    return newest;
  }

  async function ask(): Promise<Facts> {
    const turn = ++memory.asked;
    memory.askedMs = nowMs();
    try {
      const known = memory.copy?.registry;
      const newer = await inTime(object().copy(known?.version ?? 0), PATIENCE_MS);
      const registry = newer ?? known;
      if (registry === undefined) throw new Error("the registry said nothing");
      memory.isAway = false;
      return hold(registry);
    } catch (error) {
      memory.isAway = true;
      throw error;
    } finally {
      memory.ended = Math.max(memory.ended, turn);
    }
  }

  /** Once for many requests: the first that finds it stale asks. */
  function askBehind(): void {
    if (nowMs() - memory.askedMs < ASKED_EVERY_MS) return;
    after(ask().catch(() => undefined));
  }

  /** What somebody else's question came to. A request may wait for its own timers, and not for another request's promise. */
  async function overheard(): Promise<Facts> {
    const turn = memory.asked;
    for (let n = 0; n < OVERHEARD_LOOKS && memory.ended < turn; n++) {
      await new Promise((resolve) => setTimeout(resolve, OVERHEARD_EVERY_MS));
    }
    if (memory.isAway) throw new Error("the registry was away a moment ago");
    return memory.copy?.registry ?? ask();
  }

  /** True once in a while for each name: whoever is known by a seal may be newer than any copy, and may be long gone. */
  function mayAsk(name: string): boolean {
    const beforeMs = memory.askedBy.get(name) ?? Number.NEGATIVE_INFINITY;
    if (nowMs() - beforeMs < ASKED_BY_ONE_EVERY_MS) return false;
    if (memory.askedBy.size >= MAX_ASKERS) memory.askedBy.clear();
    memory.askedBy.set(name, nowMs());
    return true;
  }

  return {
    async copy() {
      const { copy } = memory;
      const ageMs = copy === undefined ? Number.POSITIVE_INFINITY : nowMs() - copy.atMs;
      if (copy !== undefined && ageMs < FRESH_MS) return copy.registry;
      if (copy !== undefined && ageMs < STALE_MS) {
        askBehind();
        return copy.registry;
      }
      const asked = ask();
      after(asked.catch(() => undefined));
      const stored = await inTime(
        bindings.KV.get(REGISTRY_KEY, { type: "json", cacheTtl: KV_CACHE_SECONDS }),
        PATIENCE_MS,
      ).catch(() => null);
      const registry = storedRegistry(stored);
      if (registry === null) return asked;
      // What KV says may be older than it should be; who is near is asked in the same time.
      const soon = await inTime(asked, AHEAD_MS).catch(() => null);
      return soon ?? hold(registry, nowMs() - FRESH_MS);
    },

    async now(provedName) {
      if (provedName !== undefined && mayAsk(provedName)) return ask();
      return nowMs() - memory.askedMs < ASKED_EVERY_MS ? overheard() : ask();
    },

    async change(actor, change) {
      const changed = await object().change(actor, change);
      if (!changed.ok) return changed;
      const { registry, ...made } = changed.value.made;
      hold(registry);
      return ok(made);
    },

    async admit(actor, deed) {
      return object().admit(actor, deed);
    },

    async erased(project) {
      await object().erased(project);
    },

    async audit(project, before) {
      return object().audit(project, before);
    },

    async uses() {
      return object().uses();
    },

    used(id) {
      const notedMs = memory.used.get(id) ?? 0;
      if (nowMs() - notedMs < USE_NOTED_EVERY_MS) return;
      // Made-up ids never come so far: what is used has been found.
      memory.used.set(id, nowMs());
      after(Promise.resolve(object().used(id)).catch(() => undefined));
    },
  };
}

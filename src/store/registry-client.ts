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
/** How exactly it is known when something was last used. */
const USE_NOTED_EVERY_MS = 300_000;
/** How long the object may take before a copy is good enough. */
const PATIENCE_MS = 2_000;

/** What this place remembers. It is the same for all requests of one isolate. */
interface Memory {
  copy?: { readonly registry: Facts; readonly atMs: number };
  /** When the object was asked last, and when it answered last. */
  askedMs: number;
  toldMs: number;
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

/** The registry of these bindings. */
export function createRegistry(
  bindings: Pick<Bindings, "KV" | "REGISTRY">,
  { nowMs, location, after }: RegistryFacts,
): RegistryPort {
  const memory = memories.get(bindings) ?? {
    askedMs: 0,
    toldMs: 0,
    used: new Map<string, number>(),
  };
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
    memory.askedMs = nowMs();
    const known = memory.copy?.registry;
    const newer = await inTime(object().copy(known?.version ?? 0), PATIENCE_MS);
    const registry = newer ?? known;
    if (registry === undefined) throw new Error("the registry said nothing");
    memory.toldMs = nowMs();
    return hold(registry);
  }

  /** Once for many requests: the first that finds it stale asks. */
  function askBehind(): void {
    if (nowMs() - memory.askedMs < ASKED_EVERY_MS) return;
    memory.askedMs = nowMs();
    after(ask().catch(() => undefined));
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
      const stored = await inTime(
        bindings.KV.get(REGISTRY_KEY, { type: "json", cacheTtl: KV_CACHE_SECONDS }),
        PATIENCE_MS,
      ).catch(() => null);
      const registry = storedRegistry(stored);
      if (registry === null) return ask();
      askBehind();
      return hold(registry, nowMs() - FRESH_MS);
    },

    async now({ isProved = false } = {}) {
      const isTold = !isProved && nowMs() - memory.toldMs < ASKED_EVERY_MS;
      return isTold && memory.copy !== undefined ? memory.copy.registry : ask();
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

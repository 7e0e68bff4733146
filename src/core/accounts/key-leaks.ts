/** Marks server keys that a browser has sent: every visitor of the page can read such a key. */
import { limits } from "../limits.ts";
import { FIRST_PROJECT_ID } from "./project-path.ts";
import type { KeyLeak, RegistryState } from "./registry.ts";

/** A server key in a request of a browser. */
export interface LeakedKey {
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  /** The `Origin` header of the request. */
  readonly origin: string;
}

/** The registry with the leak, and for the audit log the key's project, name and page. */
interface MarkedLeak {
  readonly registry: RegistryState;
  readonly project: string;
  readonly subject: string;
}

/**
 * Marks the key of the registry or the configured key that has this hash. Null for other keys and
 * for marked keys: the owner needs to find the first leak.
 */
export function markLeakedKey(
  registry: RegistryState,
  { hash, origin }: LeakedKey,
  { nowMs, configuredHash }: { nowMs: number; configuredHash?: string },
): MarkedLeak | null {
  if (findKeyLeak(registry, hash) !== undefined) return null;
  const leak = { leakedMs: nowMs, leakedOrigin: origin.slice(0, limits.maxLeakOriginChars) };
  const version = registry.version + 1;
  if (hash === configuredHash) {
    const marked = { ...registry, version, configuredKeyLeak: { hash, ...leak } };
    const subject = `ERRATA_SERVER_KEY from ${leak.leakedOrigin}`;
    return { registry: marked, project: FIRST_PROJECT_ID, subject };
  }
  const key = registry.keys.find((one) => one.kind === "server" && one.hash === hash);
  if (key === undefined) return null;
  const keys = registry.keys.map((one) => (one === key ? { ...key, ...leak } : one));
  const subject = `${key.name} from ${leak.leakedOrigin}`;
  return { registry: { ...registry, version, keys }, project: key.project, subject };
}

/** The leak of the key with this hash; undefined if none is known. */
export function findKeyLeak(registry: RegistryState, hash: string): KeyLeak | undefined {
  const { configuredKeyLeak, keys } = registry;
  const marked =
    configuredKeyLeak?.hash === hash
      ? configuredKeyLeak
      : keys.find((one) => one.kind === "server" && one.hash === hash);
  if (marked === undefined || !("leakedMs" in marked)) return undefined;
  // Without the hash, which is a secret.
  const { leakedMs, leakedOrigin } = marked;
  return leakedMs === undefined || leakedOrigin === undefined
    ? undefined
    : { leakedMs, leakedOrigin };
}

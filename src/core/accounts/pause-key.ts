/**
 * Pauses a public key, or the reports without a key: Errata refuses its reports until it is
 * resumed. Unlike a revoked key, it needs no deployment to work again.
 */
import { fail, ok, type Result } from "../result.ts";
import type { RegistryChangeResult, RegistryFailure } from "./change-types.ts";
import { CONFIGURED_KEY_ID, KEYLESS_ID } from "./ingest-keys.ts";
import { FIRST_PROJECT_ID, type RegistryState } from "./registry.ts";

/** `key` is the id of a public key, `CONFIGURED_KEY_ID` or `KEYLESS_ID`. */
export interface KeyPause {
  readonly do: "pause-key" | "resume-key";
  readonly project: string;
  readonly key: string;
}

/** The names of keys that the registry does not contain. */
const NAMES_OF_OTHER_KEYS: ReadonlyMap<string, string> = new Map([
  [CONFIGURED_KEY_ID, "ERRATA_KEY"],
  [KEYLESS_ID, "reports without a key"],
]);

/**
 * Pauses or resumes a key. `applyRegistryChange` has checked that the actor owns the project. Fails
 * with `not-found` for a server key, and for a key of another project.
 */
export function applyKeyPause(
  registry: RegistryState,
  change: KeyPause,
): Result<RegistryChangeResult, RegistryFailure> {
  const project = registry.projects.find(({ id }) => id === change.project);
  const name = findKeyName(registry, change);
  if (project === undefined || name === undefined)
    return fail({ reason: "not-found", what: "key" });
  const { pausedKeys = [], ...rest } = project;
  const isPaused = pausedKeys.includes(change.key);
  if (isPaused === (change.do === "pause-key")) return ok({ registry });
  const others = pausedKeys.filter(
    (key) => key !== change.key && findKeyName(registry, { ...change, key }) !== undefined,
  );
  const next = isPaused ? others : [...others, change.key];
  const changed = { ...rest, ...(next.length > 0 && { pausedKeys: next }) };
  const projects = registry.projects.map((one) => (one === project ? changed : one));
  return ok({ registry: { ...registry, projects }, subject: name });
}

/** The name of a key that can be paused; undefined for any other key. */
function findKeyName(
  { keys }: RegistryState,
  { project, key }: Pick<KeyPause, "project" | "key">,
): string | undefined {
  const own = keys.find((one) => one.id === key && one.project === project);
  if (own !== undefined) return own.kind === "public" ? own.name : undefined;
  return project === FIRST_PROJECT_ID ? NAMES_OF_OTHER_KEYS.get(key) : undefined;
}

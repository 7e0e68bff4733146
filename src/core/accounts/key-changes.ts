/** Creates, changes, rotates, pauses and revokes ingest keys. */
import { limits } from "../limits.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { fail, ok, type Result } from "../result.ts";
import { SERVER_KEY_PREFIX } from "../scrubbing/own-secrets.ts";
import {
  newEntityId,
  type RegistryChangeDeps,
  type RegistryChangeResult,
  type RegistryFailure,
} from "./change-types.ts";
import { CONFIGURED_KEY_ID, KEYLESS_ID } from "./ingest-keys.ts";
import {
  FIRST_PROJECT_ID,
  findProject,
  type IngestKey,
  type KeyRate,
  type RegistryState,
} from "./registry.ts";
import { rememberRemoved } from "./removed-credentials.ts";

/** Settings of a key. `origins` are as returned by `parseOrigin`; a server key has none. */
export interface KeyOptions {
  readonly name: string;
  readonly origins: readonly string[];
  readonly perMinute?: KeyRate | undefined;
}

/** Adds a key to a project. */
export interface KeyAddition extends KeyOptions {
  readonly do: "add-key";
  readonly project: string;
  readonly kind: IngestKey["kind"];
}

/** Changes a key, by its id. */
export type KeyChange = { readonly project: string } & (
  | ({ readonly do: "change-key"; readonly key: string } & KeyOptions)
  /** Creates a replacement. The old key stays valid for `overlapMs`. */
  | { readonly do: "rotate-key"; readonly key: string; readonly overlapMs: number }
  | { readonly do: "revoke-key"; readonly key: string; readonly undoId?: string | undefined }
);

/**
 * Makes Errata refuse the reports of a public key until it is resumed. Unlike a revoked key, it
 * needs no deployment to work again. `key` is its id, `CONFIGURED_KEY_ID` or `KEYLESS_ID`.
 */
export interface KeyPause {
  readonly do: "pause-key" | "resume-key";
  readonly project: string;
  readonly key: string;
}

/**
 * Changes, rotates or revokes a key. `applyRegistryChange` has checked that the actor owns the
 * project. Fails with `not-found` for a key of another project.
 */
export function applyKeyChange(
  registry: RegistryState,
  change: KeyChange,
  deps: RegistryChangeDeps,
): Result<RegistryChangeResult, RegistryFailure> {
  const key = registry.keys.find(
    ({ id, project }) => id === change.key && project === change.project,
  );
  if (key === undefined) return fail({ reason: "not-found", what: "key" });
  switch (change.do) {
    case "change-key": {
      const { perMinute: _, ...rest } = key;
      const { name, origins, perMinute } = change;
      const options = { name, ...omitUndefined({ perMinute }) };
      const changed: IngestKey =
        rest.kind === "public" ? { ...rest, ...options, origins } : { ...rest, ...options };
      return ok(toKeyResult(registry, replaceKey(registry, changed), name));
    }
    case "rotate-key": {
      const expiresMs = Math.min(key.expiresMs ?? Infinity, deps.nowMs + change.overlapMs);
      const withExpiry = toKeyResult(
        registry,
        replaceKey(registry, { ...key, expiresMs }),
        key.name,
      );
      return addIngestKey(withExpiry.registry, { origins: [], ...key }, deps);
    }
    case "revoke-key": {
      const others = registry.keys.filter((one) => one !== key);
      const { registry: next, subject } = toKeyResult(registry, others, key.name);
      const removed = { kind: "key", entry: key } as const;
      return ok({ registry: rememberRemoved(next, removed, change.undoId, deps.nowMs), subject });
    }
  }
}

/**
 * Adds a key. `applyRegistryChange` has checked that the actor owns the project. `secrets` contains
 * a new server key; the registry stores only its hash. Fails with `too-many` at the limit of keys.
 */
export function addIngestKey(
  registry: RegistryState,
  { project, kind, name, origins, perMinute }: Omit<KeyAddition, "do">,
  { nowMs, newSecret, hash }: RegistryChangeDeps,
): Result<RegistryChangeResult, RegistryFailure> {
  const projectKeys = registry.keys.filter((one) => one.project === project);
  if (projectKeys.length >= limits.maxKeysPerProject)
    return fail({ reason: "too-many", limit: "maxKeysPerProject", max: limits.maxKeysPerProject });
  const id = newEntityId({ newSecret });
  const facts = { id, project, name, createdMs: nowMs, ...omitUndefined({ perMinute }) };
  const text = hash(newSecret()).slice(0, KEY_CHARS);
  if (kind === "public") {
    const keys = [...registry.keys, { ...facts, kind, key: text, origins }];
    return ok({ ...toKeyResult(registry, keys, name), createdId: id });
  }
  const secret = SERVER_KEY_PREFIX + text;
  const keys = [...registry.keys, { ...facts, kind, hash: hash(secret) }];
  return ok({ ...toKeyResult(registry, keys, name), createdId: id, secrets: [secret] });
}

/**
 * Characters of a key after its prefix: hex digits, because SDKs accept only word characters in a
 * DSN.
 */
const KEY_CHARS = 32;

function replaceKey(registry: RegistryState, key: IngestKey): readonly IngestKey[] {
  return registry.keys.map((one) => (one.id === key.id ? key : one));
}

function toKeyResult(
  registry: RegistryState,
  keys: readonly IngestKey[],
  subject: string,
): RegistryChangeResult & { readonly subject: string } {
  return { registry: { ...registry, keys }, subject };
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
  const project = findProject(registry, change.project);
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

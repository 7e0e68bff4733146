/** Creates, changes, rotates, pauses and revokes ingest keys. */
import * as v from "valibot";
import { limits } from "../limits.ts";
import { fail, ok } from "../result.ts";
import { decodedField, formObject, wholeNumber } from "../schema/form.ts";
import { SERVER_KEY_PREFIX } from "../scrubbing/own-secrets.ts";
import { HOUR_MS } from "../utc-time.ts";
import {
  type ChangeResult,
  type ChangeScope,
  choiceField,
  defineChange,
  idField,
  newEntityId,
  type RegistryChangeDeps,
  type RegistryChangeResult,
  type RequestFacts,
  thingName,
} from "./define-change.ts";
import { CONFIGURED_KEY_ID, KEYLESS_ID, parseOrigin } from "./ingest-keys.ts";
import { FIRST_PROJECT_ID } from "./project-path.ts";
import { type IngestKey, KEY_RATES, type KeyRate, type RegistryState } from "./registry.ts";
import { rememberRemoved } from "./removed-credentials.ts";

const MAX_OVERLAP_HOURS = 24 * 90;
const DEFAULT_OVERLAP_HOURS = 24;
const KEY_KINDS = ["public", "server"] as const satisfies readonly IngestKey["kind"][];
/** Completes "Expected …". */
export const EXPECTED_ORIGINS = `at most ${limits.maxOriginsPerKey} origins, as https://shop.example or https://*.shop.example`;
const EXPECTED_RATE = `perMinute, one of ${KEY_RATES.join(", ")}, or none`;

/** The settings of a key. A server key has no origins. */
const optionFields = {
  name: thingName,
  origins: v.optional(decodedField(decodeOrigins, EXPECTED_ORIGINS, "list"), []),
  perMinute: v.optional(
    decodedField(
      (value) => KEY_RATES.find((rate) => value === rate || value === String(rate)),
      EXPECTED_RATE,
      "number",
    ),
  ),
};

/** The changes of ingest keys. They fail with `not-found` for a key of another project. */
export const KEY_CHANGES = [
  defineChange({
    name: "add-key",
    role: "owner",
    isForTokens: true,
    input: v.pipe(
      formObject({
        kind: v.optional(choiceField(KEY_KINDS, `a kind: ${KEY_KINDS.join(", ")}`), "public"),
        ...optionFields,
      }),
      v.check(
        ({ kind, origins }) => kind === "public" || origins.length === 0,
        "no origins for a server key: servers send none",
      ),
    ),
    audit: "added the key {subject}",
    apply: ({ registry, project, ...deps }, key) =>
      addIngestKey(registry, { project: project.id, ...key }, deps),
  }),
  defineChange({
    name: "change-key",
    role: "owner",
    isForTokens: true,
    input: formObject({ key: idField("key"), ...optionFields }),
    audit: "changed the key {subject}",
    apply: (scope, { key: id, name, origins, perMinute }) =>
      withKey(scope, id, (key) => {
        const options = { name, perMinute };
        const changed: IngestKey =
          key.kind === "public" ? { ...key, ...options, origins } : { ...key, ...options };
        return ok(toKeyResult(scope.registry, replaceKey(scope.registry, changed), name));
      }),
  }),
  /** Creates a replacement. The old key stays valid for `overlapMs`. */
  defineChange({
    name: "rotate-key",
    role: "owner",
    isForTokens: true,
    input: v.pipe(
      formObject({
        key: idField("key"),
        overlapHours: v.optional(
          wholeNumber("overlapHours", 0, MAX_OVERLAP_HOURS),
          DEFAULT_OVERLAP_HOURS,
        ),
      }),
      v.transform(({ key, overlapHours }) => ({ key, overlapMs: overlapHours * HOUR_MS })),
    ),
    audit: "rotated the key {subject}",
    isUrgent: true,
    apply: (scope, { key: id, overlapMs }) =>
      withKey(scope, id, (key) => {
        const expiresMs = Math.min(key.expiresMs ?? Infinity, scope.nowMs + overlapMs);
        const keys = replaceKey(scope.registry, { ...key, expiresMs });
        return addIngestKey({ ...scope.registry, keys }, { origins: [], ...key }, scope);
      }),
  }),
  defineChange({
    name: "revoke-key",
    role: "owner",
    isForTokens: true,
    input: formObject({ key: idField("key") }),
    audit: "revoked the key {subject}",
    removalMessage: "key-revoked",
    apply: (scope, { key: id }) =>
      withKey(scope, id, (key) => {
        const { registry, undoId, nowMs } = scope;
        const next = { ...registry, keys: registry.keys.filter((one) => one !== key) };
        const removed = { kind: "key", entry: key } as const;
        return ok({
          registry: rememberRemoved(next, removed, undoId, nowMs),
          subject: key.name,
        });
      }),
  }),
  /**
   * Makes Errata refuse the reports of a public key until it is resumed. Unlike a revoked key, it
   * needs no deployment to work again. `key` is its id, `CONFIGURED_KEY_ID` or `KEYLESS_ID`.
   */
  defineChange({
    name: "pause-key",
    role: "owner",
    isForTokens: true,
    input: formObject({ key: idField("key") }),
    audit: "paused the key {subject}",
    isUrgent: true,
    apply: (scope, { key }) => setPaused(scope, key, true),
  }),
  defineChange({
    name: "resume-key",
    role: "owner",
    isForTokens: true,
    input: formObject({ key: idField("key") }),
    audit: "resumed the key {subject}",
    apply: (scope, { key }) => setPaused(scope, key, false),
  }),
] as const;

/** Origins separated by white space or commas, or as a list; undefined if one is invalid. */
export function decodeOrigins(value: unknown): readonly string[] | undefined {
  const texts: unknown = typeof value === "string" ? value.split(/[\s,]+/) : (value ?? []);
  if (!Array.isArray(texts)) return undefined;
  const origins = texts
    .filter((text) => text !== "")
    .map((text) => (typeof text === "string" ? parseOrigin(text) : null));
  const isGood = origins.every((origin) => origin !== null);
  return isGood && origins.length <= limits.maxOriginsPerKey ? [...new Set(origins)] : undefined;
}

/** Changes a key of the project, by its id. */
function withKey(
  { registry, project }: ChangeScope<"owner">,
  id: string,
  change: (key: IngestKey) => ChangeResult,
): ChangeResult {
  const key = registry.keys.find((one) => one.id === id && one.project === project.id);
  return key === undefined ? fail({ reason: "not-found", what: "key" }) : change(key);
}

/** A key to add. `origins` are as returned by `parseOrigin`. */
interface NewKey {
  readonly project: string;
  readonly kind: IngestKey["kind"];
  readonly name: string;
  readonly origins: readonly string[];
  readonly perMinute?: KeyRate | undefined;
}

/**
 * Adds a key. `secrets` contains a new server key; the registry stores only its hash. Fails with
 * `too-many` at the limit of keys.
 */
export function addIngestKey(
  registry: RegistryState,
  { project, kind, name, origins, perMinute }: NewKey,
  { nowMs, newSecret, hash, requestId }: RegistryChangeDeps & Pick<RequestFacts, "requestId">,
): ChangeResult {
  const id = newEntityId({ newSecret, requestId });
  if (registry.keys.some((one) => one.id === id)) return ok({ registry, createdId: id });
  const projectKeys = registry.keys.filter((one) => one.project === project);
  if (projectKeys.length >= limits.maxKeysPerProject)
    return fail({ reason: "too-many", limit: "maxKeysPerProject", max: limits.maxKeysPerProject });
  const facts = { id, project, name, createdMs: nowMs, perMinute };
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
): RegistryChangeResult {
  return { registry: { ...registry, keys }, subject };
}

/** The names of keys that the registry does not contain. */
const NAMES_OF_OTHER_KEYS: ReadonlyMap<string, string> = new Map([
  [CONFIGURED_KEY_ID, "ERRATA_KEY"],
  [KEYLESS_ID, "reports without a key"],
]);

/** Fails with `not-found` for a server key, and for a key of another project. */
function setPaused(
  { registry, project }: ChangeScope<"owner">,
  id: string,
  isPaused: boolean,
): ChangeResult {
  const name = findKeyName(registry, project.id, id);
  if (name === undefined) return fail({ reason: "not-found", what: "key" });
  const { pausedKeys = [], ...rest } = project;
  if (pausedKeys.includes(id) === isPaused) return ok({ registry });
  const others = pausedKeys.filter(
    (key) => key !== id && findKeyName(registry, project.id, key) !== undefined,
  );
  const next = isPaused ? [...others, id] : others;
  const changed = next.length === 0 ? rest : { ...rest, pausedKeys: next };
  const projects = registry.projects.map((one) => (one === project ? changed : one));
  return ok({ registry: { ...registry, projects }, subject: name });
}

/** The name of a key that can be paused; undefined for any other key. */
function findKeyName({ keys }: RegistryState, project: string, id: string): string | undefined {
  const own = keys.find((one) => one.id === id && one.project === project);
  if (own !== undefined) return own.kind === "public" ? own.name : undefined;
  return project === FIRST_PROJECT_ID ? NAMES_OF_OTHER_KEYS.get(id) : undefined;
}

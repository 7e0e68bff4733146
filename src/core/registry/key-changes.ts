/** Ingest keys are made, changed, rotated and revoked. */
import { limits } from "../limits.ts";
import { present } from "../present.ts";
import { fail, ok, type Result } from "../result.ts";
import type { ChangeFacts, Made, RegistryFailure } from "./change.ts";
import { newId } from "./new-id.ts";
import type { IngestKey, KeyRate, Registry } from "./registry.ts";

/** What may be chosen for a key. `origins` are as `readOrigin` gives them. */
export interface KeyTerms {
  readonly name: string;
  readonly origins: readonly string[];
  readonly perMinute?: KeyRate | undefined;
}

/** Another key of a project. */
export interface KeyAddition extends KeyTerms {
  readonly do: "add-key";
  readonly project: string;
}

/** What is done to a key of a project, by its id. */
export type KeyChange = { readonly project: string } & (
  | ({ readonly do: "change-key"; readonly key: string } & KeyTerms)
  /** Another key takes its place; it stays good itself for so long. */
  | { readonly do: "rotate-key"; readonly key: string; readonly overlapMs: number }
  | { readonly do: "revoke-key"; readonly key: string }
);

/** By an owner of the project. */
export function changeKey(
  registry: Registry,
  change: KeyChange,
  facts: ChangeFacts,
): Result<Made, RegistryFailure> {
  const key = registry.keys.find(
    ({ id, project }) => id === change.key && project === change.project,
  );
  if (key === undefined) return fail({ reason: "not-known", what: "key" });
  switch (change.do) {
    case "change-key": {
      const { perMinute: _, ...rest } = key;
      const { name, origins, perMinute } = change;
      const terms = { name, origins, ...present({ perMinute }) };
      return ok(withKeys(registry, replaced(registry, { ...rest, ...terms }), name));
    }
    case "rotate-key": {
      const endsMs = Math.min(key.endsMs ?? Infinity, facts.nowMs + change.overlapMs);
      const ending = withKeys(registry, replaced(registry, { ...key, endsMs }), key.name);
      return addKey(ending.registry, key, facts);
    }
    case "revoke-key": {
      const others = registry.keys.filter((one) => one !== key);
      return ok(withKeys(registry, others, key.name));
    }
  }
}

/** By an owner of the project. */
export function addKey(
  registry: Registry,
  { project, name, origins, perMinute }: Omit<KeyAddition, "do">,
  { nowMs, mintSecret, hash }: ChangeFacts,
): Result<Made, RegistryFailure> {
  const own = registry.keys.filter((one) => one.project === project);
  if (own.length >= limits.maxKeysPerProject)
    return fail({ reason: "too-many", limit: "maxKeysPerProject", max: limits.maxKeysPerProject });
  const key: IngestKey = {
    id: newId({ mintSecret }),
    project,
    key: hash(mintSecret()).slice(0, KEY_CHARS),
    name,
    createdMs: nowMs,
    origins,
    ...present({ perMinute }),
  };
  return ok({ ...withKeys(registry, [...registry.keys, key], name), made: key.id });
}

/** SDKs take word characters alone in a DSN. */
const KEY_CHARS = 32;

function replaced(registry: Registry, key: IngestKey): readonly IngestKey[] {
  return registry.keys.map((one) => (one.id === key.id ? key : one));
}

function withKeys(registry: Registry, keys: readonly IngestKey[], subject: string): Made {
  return { registry: { ...registry, keys }, subject };
}

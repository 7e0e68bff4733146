/**
 * The versions of the stored data of all Durable Objects. To ask an object for its version opens
 * it, which migrates its data.
 */
import type { Bindings } from "../../bindings.ts";
import type {
  NamedVersion,
  OpenedObjects,
  RecordedVersions,
} from "../../core/stats/object-version.ts";
import { DATA_VERSIONS_KEY } from "../kv/keys.ts";
import { getNamespace, OBJECTS, type ObjectKind, type ObjectPlace } from "../objects.ts";
import { connect } from "../remote.ts";
import { getOldestCode } from "../sqlite/database.ts";
import type { StoredObject } from "../sqlite/object.ts";
import { SCHEMAS } from "./schemas.ts";

/** An invocation of the free plan may make 50 calls. */
const OBJECTS_PER_CALL = 20;
/** A migration of an object may take this long. */
const OPEN_TIMEOUT_MS = 20_000;

/** A project whose objects may have data. */
export interface StoredProject {
  readonly id: string;
  /** Set if it has source maps or facts of releases. */
  readonly hasArtifacts?: true;
}

/** The shards of each project, and where objects that do not exist yet are created. */
export interface StoredObjects extends Pick<ObjectPlace, "location"> {
  readonly shards: number;
}

interface ObjectRef {
  readonly kind: ObjectKind;
  readonly name: string;
}

/** The objects of some projects, without those that have never stored anything. */
function listObjects(projects: readonly StoredProject[], shards: number): readonly ObjectRef[] {
  const kinds = Object.keys(OBJECTS) as ObjectKind[];
  return projects.flatMap(({ id, hasArtifacts }) =>
    kinds
      .filter((kind) => OBJECTS[kind].per !== "deployment")
      .filter((kind) => kind !== "sourceMaps" || hasArtifacts)
      .flatMap((kind) => {
        const count = OBJECTS[kind].per === "shard" ? shards : 1;
        const names = Array.from({ length: count }, (_, n) => OBJECTS[kind].toName(id, String(n)));
        return names.map((name) => ({ kind, name }));
      }),
  );
}

/** The versions of a project's objects, and of the registry. */
export function readVersions(
  env: Bindings,
  projects: readonly StoredProject[],
  { shards, location }: StoredObjects,
): Promise<readonly NamedVersion[]> {
  const refs: readonly ObjectRef[] = [
    { kind: "registry", name: OBJECTS.registry.toName() },
    ...listObjects(projects, shards),
  ];
  return Promise.all(refs.map((ref) => readVersion(env, ref, location)));
}

/** Opens some objects of a deployment, those after the first `after`. */
export async function openObjects(
  env: Bindings,
  projects: readonly StoredProject[],
  { shards, location }: StoredObjects,
  after: number,
): Promise<OpenedObjects> {
  const registry = { kind: "registry", name: OBJECTS.registry.toName() } as const;
  const all = [registry, ...listObjects(projects, shards)];
  const some = all.slice(after, after + OBJECTS_PER_CALL);
  const next = after + some.length;
  return {
    objects: await Promise.all(some.map((ref) => readVersion(env, ref, location))),
    total: all.length,
    next: next < all.length ? next : null,
  };
}

/** Never rejects: an object that is unavailable, or still runs earlier code, has no version. */
async function readVersion(
  env: Bindings,
  { kind, name }: ObjectRef,
  locationHint: ObjectPlace["location"],
): Promise<NamedVersion> {
  // To ask an object creates it, and it stays where it was created.
  const options = locationHint === undefined ? {} : { locationHint };
  const open = () => getNamespace(env, kind).getByName(name, options);
  const stored = connect<StoredObject>(open, { timeoutMs: OPEN_TIMEOUT_MS });
  const { object } = SCHEMAS[kind];
  return { object, name, version: await stored.getVersion().catch(() => null) };
}

/**
 * Records the oldest code that may work with the data of this release, for the next deployment:
 * it reads the record before it uploads anything. Writes only a change.
 */
export async function recordVersions(env: Bindings, release: string): Promise<void> {
  const oldest = Object.fromEntries(
    Object.values(SCHEMAS).map((schema) => [schema.object, getOldestCode(schema)]),
  );
  const record: RecordedVersions = { v: 1, release, oldest };
  const text = JSON.stringify(record);
  if ((await env.KV.get(DATA_VERSIONS_KEY)) !== text) await env.KV.put(DATA_VERSIONS_KEY, text);
}

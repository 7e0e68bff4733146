/**
 * The registry: projects, ingest keys, people, memberships and sessions. One document, small enough
 * to copy to every location. Its types derive from the schema of what is stored.
 */

import * as v from "valibot";
import { SWITCHABLE_NOISE_RULES } from "../noise/noise-rules.ts";
import { defineStored } from "../schema/stored.ts";
import {
  flag,
  list,
  type StoredSchema,
  type StoredValue,
  storedObject,
  text as textSchema,
  variant,
  version1,
} from "../schema/stored-object.ts";
import { TRUST_LEVELS } from "../trust/trust.ts";
import { FIRST_PROJECT_ID } from "./project-path.ts";

/** A person's role in one project. Each includes the permissions of those before it. */
export type Role = "viewer" | "member" | "owner";

/** All roles, lowest first. */
export const ROLES = ["viewer", "member", "owner"] as const satisfies readonly Role[];

/** The permissions of an API token: those of a role, or only to upload source maps. */
export type TokenRole = Role | "uploader";

/** All roles of tokens. */
export const TOKEN_ROLES = [...ROLES, "uploader"] as const satisfies readonly TokenRole[];

/** The available rates. Each is a rate limit binding (`wrangler.toml`). */
export const KEY_RATES = [60, 600, 6_000] as const;
/** One of the available rates. */
export type KeyRate = (typeof KEY_RATES)[number];

const text = /* @__PURE__ */ textSchema();
const timeMs = v.number();
/** SHA-256, in hex. */
const hash = v.string();
const role = v.picklist(ROLES);

const projectSchema = storedObject({
  /** `1`, as a DSN names it. */
  id: text,
  name: text,
  createdMs: timeMs,
  /** The person who created it. */
  createdBy: v.optional(text),
  /** When the project was archived: it accepts no reports, and its data stays readable. */
  archivedMs: v.optional(timeMs),
  /**
   * Origins whose pages may send reports without a key; empty if every report needs one. Absent if
   * every report without a key is accepted. Only the first project receives such reports.
   */
  keylessOrigins: v.optional(list(text)),
  /**
   * The ids of paused keys, as `IngestAdmission.keyId`: their reports are refused. Absent if none.
   */
  pausedKeys: v.optional(list(text)),
  /** Noise rules that are switched off: reports that match them are ordinary. Absent if none. */
  disabledNoiseRules: v.optional(list(v.picklist(SWITCHABLE_NOISE_RULES))),
  /** Digests whose new reports count in an issue for each stack. Absent if none. */
  splitDigests: v.optional(list(text)),
  /** Set if the project has uploads or facts of releases: pages ask for them only then. */
  hasArtifacts: v.optional(flag),
});

/** A group of reports with its own members and keys. */
export type Project = StoredValue<typeof projectSchema>;

/* @__NO_SIDE_EFFECTS__ */
function keySchema<const Kind extends string, const Entries extends v.ObjectEntries>(
  kind: Kind,
  entries: Entries,
) {
  return storedObject({
    kind: v.literal(kind),
    /** The id in forms. */
    id: text,
    project: text,
    name: text,
    createdMs: timeMs,
    /** Reports per minute, in each location of the platform. */
    perMinute: v.optional(v.picklist(KEY_RATES)),
    /** When a rotated key stops working. */
    expiresMs: v.optional(timeMs),
    ...entries,
  });
}

const publicKeySchema = keySchema("public", {
  /** The value in a DSN: 32 hex characters. */
  key: text,
  /**
   * Origins whose pages may use the key (`https://shop.example`, `https://*.shop.example`); empty
   * allows all.
   */
  origins: list(text),
});
const serverKeySchema = keySchema("server", {
  /** Of the key. */
  hash,
  /** See `KeyLeak`. */
  leakedMs: v.optional(timeMs),
  leakedOrigin: v.optional(text),
});
const ingestKeySchema = variant("kind", [publicKeySchema, serverKeySchema]);

/** A key that lets senders report to a project. */
export type IngestKey = PublicKey | ServerKey;
/** A key that pages contain, so everyone can read it. Its reports are `public`. */
export type PublicKey = StoredValue<typeof publicKeySchema>;
/** A secret key for servers. Its reports are `server`. */
export type ServerKey = StoredValue<typeof serverKeySchema>;

const leakSchema = storedObject({
  /** Of the key. */
  hash,
  leakedMs: timeMs,
  /** The `Origin` header of the request, truncated. */
  leakedOrigin: text,
});

/** The first request of a browser that contained a server key. */
export type KeyLeak = Omit<StoredValue<typeof leakSchema>, "hash">;

const passkeySchema = storedObject({
  /** The credential's id, in base64url. */
  id: text,
  /** COSE key in base64url. */
  publicKey: text,
  counter: v.number(),
  transports: list(text),
  /**
   * Whether it can be copied to other devices, which never changes. Absent from passkeys that were
   * added before Errata stored it.
   */
  isBackupEligible: v.optional(v.boolean()),
  name: text,
  createdMs: timeMs,
});

/** A WebAuthn credential. */
export type Passkey = StoredValue<typeof passkeySchema>;

const personSchema = storedObject({
  id: text,
  name: text,
  createdMs: timeMs,
  /** The name that Cloudflare Access knows: of a person or a service token. */
  accessName: v.optional(text),
  /** Set for the person who deploys Errata and signs in with a setup link. */
  isDeployer: v.optional(flag),
  passkeys: list(passkeySchema),
  /** Of the unused recovery codes. */
  recoveryCodeHashes: list(hash),
  /** Set with the first passkey or recovery code, and kept when all of them are gone. */
  hadCredentials: v.optional(flag),
});

/** A person with access. */
export type Person = StoredValue<typeof personSchema>;

const membershipSchema = storedObject({
  project: text,
  person: text,
  role,
  /** Absent if the membership is as old as the person, or began before Errata stored it. */
  joinedMs: v.optional(timeMs),
});

/** A person's membership in a project. */
export type Membership = StoredValue<typeof membershipSchema>;

const sessionSchema = storedObject({
  /** Secret: the cookie contains it with a signature. */
  id: text,
  person: text,
  createdMs: timeMs,
  expiresMs: timeMs,
  /** The browser's `User-Agent`, truncated. */
  userAgent: text,
});

/** A signed-in browser. */
export type Session = StoredValue<typeof sessionSchema>;

const invitationSchema = storedObject({
  id: text,
  /** Of its code. */
  hash,
  project: text,
  role,
  createdMs: timeMs,
  expiresMs: timeMs,
  by: text,
  /** The person who created it. The invitation is revoked with that person's owner role. */
  byPerson: v.optional(text),
});

/** A link that makes one person a member. */
export type Invitation = StoredValue<typeof invitationSchema>;

const tokenSchema = storedObject({
  id: text,
  /** Of the token. */
  hash,
  project: text,
  role: v.picklist(TOKEN_ROLES),
  name: text,
  createdMs: timeMs,
  /** When the token expires; absent: never. */
  expiresMs: v.optional(timeMs),
  by: text,
  byPerson: v.optional(text),
  /**
   * Set if it works in every project of the person who created it, with at most the person's role
   * there. It still belongs to `project`, whose owners can revoke it.
   */
  isForAllProjects: v.optional(flag),
  /** The lowest trust of reported text that it may read. Absent: `public`, which is all text. */
  lowestTrust: v.optional(v.picklist(TRUST_LEVELS)),
});

/** A token for programs. */
export type ApiToken = StoredValue<typeof tokenSchema>;

const grantSchema = storedObject({
  /** In forms, in the audit log, and of its last use. */
  id: text,
  /** The person who allowed it. At every use, this person's role limits the program. */
  person: text,
  /** The `client_id` of the program, and its name as the person saw it. */
  client: text,
  name: text,
  role,
  /** Whether it may upload, if that is not as its role permits. */
  mayUpload: v.optional(v.boolean()),
  /** Absent: all projects of the person. */
  project: v.optional(text),
  /** Set if it works only at the address of MCP of its project. */
  isForMcp: v.optional(flag),
  /** As of an API token. */
  lowestTrust: v.optional(v.picklist(TRUST_LEVELS)),
  createdMs: timeMs,
  /** When it ends; until the program has its first access token: when the code for it expires. */
  expiresMs: timeMs,
  /** The access token, which is replaced when it expires. Absent until the first one. */
  access: v.optional(storedObject({ hash, expiresMs: timeMs })),
});

/** The permission by which a program acts in a person's name (OAuth 2.1). */
export type Grant = StoredValue<typeof grantSchema>;

/* @__NO_SIDE_EFFECTS__ */
function removalSchema<const Kind extends string, Entry extends StoredSchema>(
  kind: Kind,
  entry: Entry,
) {
  return storedObject({ kind: v.literal(kind), entry, undoId: text, removedMs: timeMs });
}

const removedSchema = variant("kind", [
  removalSchema("token", tokenSchema),
  removalSchema("key", ingestKeySchema),
  removalSchema("invitation", invitationSchema),
]);

/** A removed credential. `undoId` is known only to the page of the person who removed it. */
export type RemovedCredential = StoredValue<typeof removedSchema>;

/** A secret, or its hash, that an owner can remove. */
export type Credential = RemovedCredential extends infer Removed
  ? Removed extends RemovedCredential
    ? Pick<Removed, "kind" | "entry">
    : never
  : never;

const registrySchema = storedObject({
  v: version1,
  /** Increases with every change; the higher of two copies is newer. */
  version: v.number(),
  /** The key that signs sessions and challenges. */
  secret: text,
  projects: list(projectSchema),
  /** The highest project number ever used. Numbers are not reused. */
  lastProjectId: v.number(),
  keys: list(ingestKeySchema),
  people: list(personSchema),
  memberships: list(membershipSchema),
  sessions: list(sessionSchema),
  invitations: list(invitationSchema),
  tokens: list(tokenSchema),
  /** Absent if there are none. */
  grants: v.optional(list(grantSchema)),
  /** Access names of people who left their last project. Access does not add them again. */
  removedAccessNames: v.optional(list(text)),
  /** Deleted projects whose data is still being erased. Their numbers are not reused. */
  deletedProjects: v.optional(list(storedObject({ id: text, deletedMs: timeMs }))),
  /** A leak of the configured server key (`ERRATA_SERVER_KEY`) that has this hash. */
  configuredKeyLeak: v.optional(leakSchema),
  /** Credentials whose removal can be undone. */
  removed: v.optional(list(removedSchema)),
  /** One-time codes and challenges that were used, until they expire. */
  usedCodes: list(storedObject({ hash, expiresMs: timeMs })),
});

/** The whole registry. Lists are in order of creation. */
export type RegistryState = StoredValue<typeof registrySchema>;

/** The stored registry. Its version is the member `v`. */
export const REGISTRY = /* @__PURE__ */ defineStored<RegistryState>({
  name: "the registry",
  version: 1,
  schema: registrySchema,
});

/** A registry with the first project and no people. */
export function createRegistryState(secret: string, nowMs: number): RegistryState {
  return {
    v: 1,
    version: 1,
    secret,
    projects: [{ id: FIRST_PROJECT_ID, name: "First project", createdMs: nowMs }],
    lastProjectId: 1,
    keys: [],
    people: [],
    memberships: [],
    sessions: [],
    invitations: [],
    tokens: [],
    usedCodes: [],
  };
}

/** A project that is not deleted. */
export function findProject({ projects }: RegistryState, project: string): Project | undefined {
  return projects.find(({ id }) => id === project);
}

const RESTORE_VERSION_GAP = 1_000_000;
const RESTORE_PROJECT_ID_GAP = 100;

/** A registry restored from an older copy. Skips numbers that may have been used since. */
export function toRestoredState(copy: RegistryState): RegistryState {
  return {
    ...copy,
    version: copy.version + RESTORE_VERSION_GAP,
    lastProjectId: copy.lastProjectId + RESTORE_PROJECT_ID_GAP,
  };
}

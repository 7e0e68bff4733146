/**
 * The registry: projects, ingest keys, people, memberships and sessions. One value, small enough to
 * copy to every location. Stored (version 1): fields may be added, never renamed.
 */
import type { SwitchableNoiseRule } from "../noise/noise-rules.ts";
import type { Digest } from "../report.ts";

/** A person's role in one project. Each includes the permissions of those before it. */
export type Role = "viewer" | "member" | "owner";

/** All roles, lowest first. */
export const ROLES = ["viewer", "member", "owner"] as const satisfies readonly Role[];

/** The permissions of an API token: those of a role, or only to upload source maps. */
export type TokenRole = Role | "uploader";

/** All roles of tokens. */
export const TOKEN_ROLES = [...ROLES, "uploader"] as const satisfies readonly TokenRole[];

/** The project that always exists. It also receives Errata's own errors. */
export const FIRST_PROJECT_ID = "1";

/** The whole registry. Lists are in order of creation. */
export interface RegistryState {
  readonly v: 1;
  /** Increases with every change; the higher of two copies is newer. */
  readonly version: number;
  /** The key that signs sessions and challenges. */
  readonly secret: string;
  readonly projects: readonly Project[];
  /** The highest project number ever used. Numbers are not reused. */
  readonly lastProjectId: number;
  readonly keys: readonly IngestKey[];
  readonly people: readonly Person[];
  readonly memberships: readonly Membership[];
  readonly sessions: readonly Session[];
  readonly invitations: readonly Invitation[];
  readonly tokens: readonly ApiToken[];
  /** Access names of people who left their last project. Access does not add them again. */
  readonly removedAccessNames?: readonly string[];
  /** Deleted projects whose data is still being erased. */
  readonly deletedProjects?: readonly DeletedProject[];
  /** A leak of the configured server key (`ERRATA_SERVER_KEY`) that has this hash. */
  readonly configuredKeyLeak?: KeyLeak & { readonly hash: string };
  /** Credentials whose removal can be undone. */
  readonly removed?: readonly RemovedCredential[];
  /** One-time codes and challenges that were used, until they expire. */
  readonly usedCodes: readonly UsedCode[];
}

/** A group of reports with its own members and keys. */
export interface Project {
  /** `1`, as a DSN names it. */
  readonly id: string;
  readonly name: string;
  readonly createdMs: number;
  /** The person who created it. */
  readonly createdBy?: string;
  /** When the project was archived: it accepts no reports, and its data stays readable. */
  readonly archivedMs?: number;
  /**
   * Origins whose pages may send reports without a key; empty if every report needs one. Absent if
   * every report without a key is accepted. Only the first project receives such reports.
   */
  readonly keylessOrigins?: readonly string[];
  /**
   * The ids of paused keys, as `IngestAdmission.keyId`: their reports are refused. Absent if none.
   */
  readonly pausedKeys?: readonly string[];
  /** Noise rules that are switched off: reports that match them are ordinary. Absent if none. */
  readonly disabledNoiseRules?: readonly SwitchableNoiseRule[];
  /** Digests whose new reports count in an issue for each stack. Absent if none. */
  readonly splitDigests?: readonly Digest[];
  /** Set if the project has uploads or facts of releases: pages ask for them only then. */
  readonly hasArtifacts?: true;
}

/** A deleted project. Its number is not reused. */
interface DeletedProject {
  readonly id: string;
  readonly deletedMs: number;
}

/** A key that lets senders report to a project. */
export type IngestKey = PublicKey | ServerKey;

interface KeyFacts {
  /** The id in forms. */
  readonly id: string;
  readonly project: string;
  readonly name: string;
  readonly createdMs: number;
  /** Reports per minute, in each location of the platform. */
  readonly perMinute?: KeyRate;
  /** When a rotated key stops working. */
  readonly expiresMs?: number;
}

/** A key that pages contain, so everyone can read it. Its reports are `public`. */
export interface PublicKey extends KeyFacts {
  readonly kind: "public";
  /** The value in a DSN: 32 hex characters. */
  readonly key: string;
  /**
   * Origins whose pages may use the key (`https://shop.example`, `https://*.shop.example`); empty
   * allows all.
   */
  readonly origins: readonly string[];
}

/** A secret key for servers. Its reports are `server`. */
export interface ServerKey extends KeyFacts, Partial<KeyLeak> {
  readonly kind: "server";
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
}

/** The first request of a browser that contained a server key. */
export interface KeyLeak {
  readonly leakedMs: number;
  /** The `Origin` header of the request, truncated. */
  readonly leakedOrigin: string;
}

/** The available rates. Each is a rate limit binding (`wrangler.toml`). */
export const KEY_RATES = [60, 600, 6_000] as const;
/** One of the available rates. */
export type KeyRate = (typeof KEY_RATES)[number];

/** A person with access. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly createdMs: number;
  /** The name that Cloudflare Access knows: of a person or a service token. */
  readonly accessName?: string;
  /** Set for the person who deploys Errata and signs in with a setup link. */
  readonly isDeployer?: true;
  readonly passkeys: readonly Passkey[];
  /** SHA-256, in hex, of the unused recovery codes. */
  readonly recoveryCodeHashes: readonly string[];
  /** Set with the first passkey or recovery code, and kept when all of them are gone. */
  readonly hadCredentials?: true;
}

/** A WebAuthn credential. */
export interface Passkey {
  /** The credential's id, in base64url. */
  readonly id: string;
  /** COSE key in base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  /**
   * Whether it can be copied to other devices, which never changes. Absent from passkeys that were
   * added before Errata stored it.
   */
  readonly isBackupEligible?: boolean;
  readonly name: string;
  readonly createdMs: number;
}

/** A person's membership in a project. */
export interface Membership {
  readonly project: string;
  readonly person: string;
  readonly role: Role;
}

/** A signed-in browser. */
export interface Session {
  /** Secret: the cookie contains it with a signature. */
  readonly id: string;
  readonly person: string;
  readonly createdMs: number;
  readonly expiresMs: number;
  /** The browser's `User-Agent`, truncated. */
  readonly userAgent: string;
}

/** A link that makes one person a member. */
export interface Invitation {
  readonly id: string;
  /** SHA-256 of its code, in hex. */
  readonly hash: string;
  readonly project: string;
  readonly role: Role;
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly by: string;
  /** The person who created it. The invitation is revoked with that person's owner role. */
  readonly byPerson?: string;
}

/** A token for programs. */
export interface ApiToken {
  readonly id: string;
  /** SHA-256 of it, in hex. */
  readonly hash: string;
  readonly project: string;
  readonly role: TokenRole;
  readonly name: string;
  readonly createdMs: number;
  /** When the token expires; absent: never. */
  readonly expiresMs?: number;
  readonly by: string;
  readonly byPerson?: string;
}

/** A secret, or its hash, that an owner can remove. */
export type Credential =
  | { readonly kind: "token"; readonly entry: ApiToken }
  | { readonly kind: "key"; readonly entry: IngestKey }
  | { readonly kind: "invitation"; readonly entry: Invitation };

/** A removed credential. `undoId` is known only to the page of the person who removed it. */
export type RemovedCredential = Credential & {
  readonly undoId: string;
  readonly removedMs: number;
};

/** A used code or challenge. */
interface UsedCode {
  readonly hash: string;
  readonly expiresMs: number;
}

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

/** The stored registry; null if its version is unknown. */
export function parseRegistryState(value: unknown): RegistryState | null {
  return typeof value === "object" && value !== null && (value as RegistryState).v === 1
    ? (value as RegistryState)
    : null;
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

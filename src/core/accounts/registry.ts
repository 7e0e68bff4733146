/**
 * The registry: which projects there are, by which keys they take reports, who may enter, and how far. It is one value, small
 * enough to be copied to wherever a request is decided. Stored (version 1): fields may be added, never renamed.
 */

/** How far somebody may go in one project; each may what those before it may. */
export type Role = "viewer" | "member" | "owner";

/** All roles, the least first. */
export const ROLES = ["viewer", "member", "owner"] as const satisfies readonly Role[];

/** The project that there is from the beginning. It also receives what fails in Errata itself. */
export const FIRST_PROJECT_ID = "1";

/** All of it. Lists are in the order in which their members came. */
export interface RegistryState {
  readonly v: 1;
  /** Counts changes: of two copies the greater is newer. */
  readonly version: number;
  /** What sessions and challenges are signed with. */
  readonly secret: string;
  readonly projects: readonly Project[];
  /** The number of the newest project that ever was: none is used twice. */
  readonly lastProjectId: number;
  readonly keys: readonly IngestKey[];
  readonly people: readonly Person[];
  readonly memberships: readonly Membership[];
  readonly sessions: readonly Session[];
  readonly invitations: readonly Invitation[];
  readonly tokens: readonly ApiToken[];
  /** The names by which Access knows people who were removed from their last project: they do not become members again by themselves. */
  readonly removedAccessNames?: readonly string[];
  /** Projects that were deleted, until all that they had is erased. */
  readonly deletedProjects?: readonly DeletedProject[];
  /** What may be used once and was, for as long as it would be good otherwise. */
  readonly usedCodes: readonly UsedCode[];
}

/** Reports that belong together. */
export interface Project {
  /** `1`, as a DSN names it. */
  readonly id: string;
  readonly name: string;
  readonly createdMs: number;
  /** Since when it takes no reports any more; what it has can be read. */
  readonly archivedMs?: number;
}

/** A project that is no more. Its numbers are not used again. */
export interface DeletedProject {
  readonly id: string;
  readonly deletedMs: number;
}

/** By what senders may report to a project. Public by nature: it stands in pages. */
export interface IngestKey {
  /** What people call it by in forms. */
  readonly id: string;
  readonly project: string;
  /** As it stands in a DSN: 32 hex characters. */
  readonly key: string;
  readonly name: string;
  readonly createdMs: number;
  /** The origins whose pages may use it (`https://shop.example`, `https://*.shop.example`); none: all. */
  readonly origins: readonly string[];
  /** How many requests a minute it is good for, in each of the platform's places. */
  readonly perMinute?: KeyRate;
  /** From when on it is good no more: it was rotated, and those that have it still are given time. */
  readonly expiresMs?: number;
}

/** The rates that a key may be held to: each is a rate limit of the platform (`wrangler.toml`). */
export const KEY_RATES = [60, 600, 6_000] as const;
/** One of them. */
export type KeyRate = (typeof KEY_RATES)[number];

/** Somebody who may enter. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly createdMs: number;
  /** The name by which Cloudflare Access knows this person, or a service token. */
  readonly accessName?: string;
  /** Whoever deploys Errata, and enters by a link of the deployment. */
  readonly isDeployer?: true;
  readonly passkeys: readonly Passkey[];
  /** SHA-256, in hex, of the recovery codes that are left. */
  readonly recoveryCodeHashes: readonly string[];
}

/** A credential of WebAuthn. */
export interface Passkey {
  /** The credential's id, in base64url. */
  readonly id: string;
  /** In COSE, base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdMs: number;
}

/** A person in a project. */
export interface Membership {
  readonly project: string;
  readonly person: string;
  readonly role: Role;
}

/** A browser that somebody has signed in with. */
export interface Session {
  /** Known to who has the cookie, where a signature stands beside it. */
  readonly id: string;
  readonly person: string;
  readonly createdMs: number;
  readonly expiresMs: number;
  /** What the browser called itself, cut. */
  readonly userAgent: string;
}

/** A link by which one person may become a member. */
export interface Invitation {
  readonly id: string;
  /** SHA-256 of its code, in hex. */
  readonly hash: string;
  readonly project: string;
  readonly role: Role;
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly by: string;
  /** The id of whoever made it: it goes with his rights. */
  readonly byPerson?: string;
}

/** What a program enters by. */
export interface ApiToken {
  readonly id: string;
  /** SHA-256 of it, in hex. */
  readonly hash: string;
  readonly project: string;
  readonly role: Role;
  readonly name: string;
  readonly createdMs: number;
  /** From when on it is good no more; absent: for good. */
  readonly expiresMs?: number;
  readonly by: string;
  readonly byPerson?: string;
}

/** A code or a challenge that was used. */
export interface UsedCode {
  readonly hash: string;
  readonly expiresMs: number;
}

/** A registry in which there is the first project, and nobody. */
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

/** The registry that was stored; null for what is of no version that is known. */
export function parseRegistryState(value: unknown): RegistryState | null {
  return typeof value === "object" && value !== null && (value as RegistryState).v === 1
    ? (value as RegistryState)
    : null;
}

const RESTORE_VERSION_GAP = 1_000_000;
const RESTORE_PROJECT_ID_GAP = 100;

/** A registry that goes on from an older copy: it takes no number again that a later life may have given away. */
export function toRestoredState(copy: RegistryState): RegistryState {
  return {
    ...copy,
    version: copy.version + RESTORE_VERSION_GAP,
    lastProjectId: copy.lastProjectId + RESTORE_PROJECT_ID_GAP,
  };
}

/** The registry without what is remembered of a deleted project: all that it had is erased. */
export function forgetDeletedProject(registry: RegistryState, project: string): RegistryState {
  const deletedProjects = (registry.deletedProjects ?? []).filter(({ id }) => id !== project);
  return { ...registry, deletedProjects, version: registry.version + 1 };
}

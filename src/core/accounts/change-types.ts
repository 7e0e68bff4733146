/** The parameters, result and failures of all registry changes, and the ids of new entries. */

import type { RegistryState } from "./registry.ts";

/** Why a change was not made. */
export type RegistryFailure =
  | { readonly reason: "forbidden" }
  | {
      readonly reason: "not-found";
      readonly what:
        | "project"
        | "key"
        | "person"
        | "token"
        | "invitation"
        | "passkey"
        | "session"
        | "removal";
    }
  | { readonly reason: "bad-code" }
  | { readonly reason: "bad-passkey" }
  | { readonly reason: "last-owner" }
  | { readonly reason: "name-missing" }
  | { readonly reason: "name-taken" }
  | { readonly reason: "sign-in-again" }
  | { readonly reason: "first-project" }
  | { readonly reason: "not-confirmed"; readonly expected: string }
  | { readonly reason: "too-many"; readonly limit: string; readonly max: number };

/** Time, randomness and hashing, so that the changes stay pure. */
export interface RegistryChangeDeps {
  readonly nowMs: number;
  /** A new secret: 256 random bits in base64url, 43 characters. */
  readonly newSecret: () => string;
  /** SHA-256 in lower-case hex. */
  readonly hash: (text: string) => string;
}

/**
 * The registry after a change, and the data that the caller needs for the response and the audit
 * log.
 */
export interface RegistryChangeResult {
  readonly registry: RegistryState;
  /** The name or id that the audit log shows. */
  readonly subject?: string;
  /** Codes or tokens that are shown once and stored only as hashes. */
  readonly secrets?: readonly string[];
  /** The audit action, if one kind of change can be several actions. */
  readonly action?: string;
  /** The changed person, if the change belongs to no project. */
  readonly personId?: string;
  /** The session that began. */
  readonly sessionId?: string;
  /** The id of the new project, key or token. */
  readonly createdId?: string;
}

/** Enough to be unique; ids are not secrets. */
const ID_CHARS = 12;

/** A new id of an entry in forms, of letters, digits, `-` and `_`. */
export function newEntityId({ newSecret }: Pick<RegistryChangeDeps, "newSecret">): string {
  return newSecret().slice(0, ID_CHARS);
}

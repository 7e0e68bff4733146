/** The port to the stored registry. `store/accounts/registry-client.ts` implements it. */

import type { Actor } from "../accounts/actors.ts";
import type { AuditEntry } from "../accounts/audit-entry.ts";
import type { RegistryChangeResult, RegistryFailure } from "../accounts/define-change.ts";
import type { LeakedKey } from "../accounts/key-leaks.ts";
import type { RegistryState, Role } from "../accounts/registry.ts";
import type { RegistryChange } from "../accounts/registry-changes.ts";
import type { Result } from "../result.ts";
import type { OAuthStore } from "./oauth-port.ts";

/** The registry as requests use it. */
export interface AccountStore {
  /**
   * A cached copy, at most a minute old; current for changes made in this location. Rejects if
   * there is no copy and the registry is unavailable.
   */
  readCopy(): Promise<RegistryState>;
  /** The last copy of this isolate, of any age; null if there is none. */
  getLastCopy(): RegistryState | null;
  /**
   * The current registry, for entries that a copy may not have yet. Requests without proof share
   * one read every two seconds. A signed name (`verifiedName`) causes a read immediately, then
   * every five seconds. Rejects while the registry is unavailable.
   */
  readFresh(verifiedName?: string): Promise<RegistryState>;
  /**
   * Applies a change with the actor's current permissions. Rejects while the registry is
   * unavailable. The change may then be made, if only the response was lost.
   */
  applyChange(
    actor: Actor | null,
    change: RegistryChange,
  ): Promise<Result<Omit<RegistryChangeResult, "registry">, RegistryFailure>>;
  /**
   * Checks that the actor may perform an action now, and adds it to the audit log. Resolves to the
   * sequence of its entry, or to null if the actor may not. Rejects while the registry is
   * unavailable.
   */
  authorizeAction(actor: Actor, action: AuditedAction): Promise<number | null>;
  /** Grants, and the tokens of programs. */
  readonly oauth: OAuthStore;
  /** Adds the outcome of an operation to its entry, after the response. Never rejects. */
  recordOutcome(sequence: number, outcome: AuditOutcome): void;
  /**
   * The audit log of a project, including changes of its members' profiles, newest first, before
   * the entry `before`.
   */
  listAuditEntries(project: string, before?: number): Promise<readonly AuditEntry[]>;
  /** Confirms that all data of a deleted project is erased. */
  confirmErased(project: string): Promise<void>;
  /** When sessions and tokens were last used, by id; accurate to five minutes. */
  getLastUses(): Promise<Readonly<Record<string, number>>>;
  /** Records, after the response, that a session or token was used. Usually does nothing. */
  recordUse(id: string): void;
  /** Records, after the response, that a browser has sent a valid server key: once for each key. */
  recordKeyLeak(leak: LeakedKey): void;
}

/** An action on the desk of a project. */
export interface AuditedAction {
  readonly project: string;
  readonly requiredRole: Role;
  /** True if an upload token of the project may perform it too. */
  readonly isForUploads?: boolean | undefined;
  /** The name of an operation, or method and route. */
  readonly action: string;
  readonly subject?: string | undefined;
  /** The change, after the name of the actor: "archived FVR4-JGF0". */
  readonly details?: string | undefined;
  /** True if `recordOutcome` follows. */
  readonly hasOutcome?: true;
}

/** How an operation ended. */
export interface AuditOutcome {
  /** `done`, `nothing-changed`, or the reason why it was not done. */
  readonly outcome: string;
  /** What was changed, if that became known: digests, apart by spaces. */
  readonly subject?: string | undefined;
}

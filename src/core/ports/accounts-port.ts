/** What is needed of the registry's storage, in the core's own words; `store/registry-client.ts` implements it. */

import type { RegistryChange } from "../accounts/apply-change.ts";
import type { AuditEntry } from "../accounts/audit-entry.ts";
import type { RegistryChangeResult, RegistryFailure } from "../accounts/change-types.ts";
import type { Actor } from "../accounts/permissions.ts";
import type { RegistryState, Role } from "../accounts/registry.ts";
import type { Result } from "../result.ts";

/** The registry, as a request sees it. */
export interface AccountStore {
  /**
   * A copy that is near: at most a minute old, and as it is now for what was changed from this place. Rejects where there is none and
   * the registry is away.
   */
  readCopy(): Promise<RegistryState>;
  /**
   * The registry as it is now, for what a copy does not know because it may be new. What strangers can make up is asked for once in two
   * seconds for all of them; what has a name under a seal (`provedName`) at once, and then once in five. Rejects while the registry is
   * away.
   */
  readFresh(verifiedName?: string): Promise<RegistryState>;
  /** Makes a change, on the rights that the actor has now. Rejects while the registry is away: then nothing was changed, or the answer was lost. */
  applyChange(
    actor: Actor | null,
    change: RegistryChange,
  ): Promise<Result<Omit<RegistryChangeResult, "registry">, RegistryFailure>>;
  /**
   * Lets somebody change something on the desk of a project, on the rights that the actor has now, and notes it in the audit log.
   * Rejects while the registry is away.
   */
  authorizeAction(actor: Actor, action: AuditedAction): Promise<boolean>;
  /** The audit log of a project (with what its people changed of themselves), newest first, before the entry `before`. */
  listAuditEntries(project: string, before?: number): Promise<readonly AuditEntry[]>;
  /** Says that all which a deleted project had is erased. */
  confirmErased(project: string): Promise<void>;
  /** When sessions and tokens were last used, by their ids, to within five minutes. */
  getLastUses(): Promise<Readonly<Record<string, number>>>;
  /** Notes behind the response that a session or a token was used; rarely more than a look at the clock. */
  recordUse(id: string): void;
}

/** What somebody is about to do on the desk of a project. */
export interface AuditedAction {
  readonly project: string;
  readonly requiredRole: Role;
  /** Its method and route. */
  readonly action: string;
  readonly subject?: string | undefined;
}

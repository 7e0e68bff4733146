/** The RPC interface of Registry. Arguments and results are plain data, because they are cloned. */
import type { Actor } from "../../core/accounts/actors.ts";
import type { AuditEntry } from "../../core/accounts/audit-entry.ts";
import type { RegistryChangeResult, RegistryFailure } from "../../core/accounts/define-change.ts";
import type { LeakedKey } from "../../core/accounts/key-leaks.ts";
import type { RegistryState } from "../../core/accounts/registry.ts";
import type { RegistryChange } from "../../core/accounts/registry-changes.ts";
import type { AuditedAction, AuditOutcome } from "../../core/ports/accounts-port.ts";
import type { Result } from "../../core/result.ts";

/** The result of a registry change, or why it was refused. */
export type ChangedRegistry = Result<RegistryChangeResult, RegistryFailure>;

/** The methods of Registry. */
export interface RegistryRpc {
  /** The registry; null if its version is `known`. */
  readIfNewer(known: number): RegistryState | null;
  applyChange(actor: Actor | null, change: RegistryChange): Promise<ChangedRegistry>;
  /**
   * Writes the action to the audit log and returns the sequence of its entry; null if `actor` may
   * not do this now.
   */
  authorizeAction(actor: Actor, action: AuditedAction): number | null;
  /** Adds the outcome of an operation to its entry. */
  recordOutcome(sequence: number, outcome: AuditOutcome): void;
  /** Marks whether a project has uploads or facts of releases. */
  markArtifacts(project: string, hasArtifacts: boolean): Promise<void>;
  /** Removes a deleted project whose data is erased. */
  confirmErased(project: string): Promise<void>;
  /** Entries of the audit log before the number `before`, newest first. */
  listAuditEntries(project: string, before?: number): readonly AuditEntry[];
  /** When each session and token was last used, by id, in milliseconds since 1970. */
  getLastUses(): Readonly<Record<string, number>>;
  /** Records the use of a session or token. */
  recordUse(id: string): void;
  /** Marks a server key as leaked, if it is valid and not marked. Resolves to the registry. */
  recordKeyLeak(leak: LeakedKey): Promise<RegistryState>;
}

export interface RegistryObject extends RegistryRpc, Rpc.DurableObjectBranded {}

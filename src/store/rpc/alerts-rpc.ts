/** The RPC interface of AlertSender, and the facts that it asks of the index. */
import type { NumberedAlert } from "../../core/alerts/due-alert.ts";
import type { IngestionHistory } from "../../core/alerts/judging/ingestion.ts";
import type { AlertRule } from "../../core/alerts/rule.ts";
import type { AlertStore } from "../../core/ports/alerts-port.ts";
import type { Digest } from "../../core/report.ts";

/** The rules of a project. The version increases with every change. */
export interface RuleSet {
  readonly version: number;
  readonly rules: readonly AlertRule[];
}

/** The facts of a project that alerts are about. */
export interface ProjectFacts {
  readonly ingestion: IngestionHistory;
  /** Releases of the last month with a crash-free percentage of their sessions. */
  readonly releases: readonly {
    readonly name: string;
    readonly sessions: number;
    readonly percent: number;
  }[];
  /** Releases that reports name. */
  readonly reportedReleases: readonly string[];
  /** Writes to KV of the day. */
  readonly budgets: readonly {
    readonly name: string;
    readonly used: number;
    readonly perDay: number;
  }[];
}

/** Issues, or a text, that the object erases. */
export type AlertErasure = { readonly digests: readonly Digest[] } | { readonly text: string };

/** The methods of AlertSender. Each rejects while the object cannot read its record from KV. */
export interface AlertSenderRpc extends AlertStore {
  /**
   * Takes alerts of the index, each number once. Resolves when they are durable. The result has the
   * rules if their version is not `rulesVersion`.
   */
  take(alerts: readonly NumberedAlert[], rulesVersion: number): Promise<RuleSet | null>;
  /** Erases all data about an issue or a text. */
  erase(erasure: AlertErasure): Promise<void>;
  /** Deletes everything. Resolves to the KV keys of its record. */
  wipe(): Promise<readonly string[]>;
  /** Resolves when no write to KV and no delivery is in progress. */
  waitUntilIdle(): Promise<void>;
}

export interface AlertSenderObject extends AlertSenderRpc, Rpc.DurableObjectBranded {}

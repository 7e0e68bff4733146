/** An alert as the index hands it to the alert sender: names and numbers, no reported text. */
import type { Digest } from "../report.ts";
import type { Trust } from "../trust/trust.ts";
import type { AlertTriggerKind } from "./rule.ts";

/** A trigger that fired, with the figures of its sentence (`describe-trigger.ts`). */
export interface FiredTrigger {
  readonly kind: AlertTriggerKind;
  /** The count: occurrences, users, a rate per hour, or a percentage. */
  readonly value?: number;
  /** The limit that it passed. */
  readonly limit?: number;
  readonly usual?: number;
  readonly withinMs?: number;
  /** A release, or a sentence about the project. */
  readonly detail?: string;
  /** The ids of the rules that asked for it. */
  readonly rules: readonly string[];
}

/** Why the index held an alert back. */
export type HeldReason = "cool-down" | "state" | "public-limit" | "trusted-only";

/** An alert that is due, or was held back. Stored (version 1): fields may be added. */
export interface DueAlert {
  /** When the report was counted. */
  readonly atMs: number;
  /** Absent for alerts about the project. */
  readonly digest?: Digest;
  readonly trust?: Trust;
  readonly triggers: readonly FiredTrigger[];
  /** Until when the rules stay silent about this issue. */
  readonly quietUntilMs?: number;
  /** Set if no message is sent. */
  readonly held?: HeldReason;
}

/** An alert with its number, which increases. Numbers are never used again. */
export interface NumberedAlert {
  readonly n: number;
  readonly alert: DueAlert;
}

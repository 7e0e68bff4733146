/** An alert as the index hands it to the alert sender: names and numbers, no reported text. */
import type { Digest } from "../report.ts";
import type { Trust } from "../trust/trust.ts";
import type { AlertTriggerKind } from "./rule.ts";

/** A trigger that fired, with the figures of its sentence (`describe-trigger.ts`). */
export interface FiredTrigger {
  readonly kind: AlertTriggerKind;
  /** The count: occurrences, users, a rate per hour, or a percentage. */
  readonly value?: number;
  /**
   * The limit that it passed; the reports for which a returned issue was ignored; the issues of a
   * flood.
   */
  readonly limit?: number;
  /**
   * The usual rate per hour; of `more-public`, the alerts that are not about new issues; the
   * networks of a flood.
   */
  readonly usual?: number;
  readonly withinMs?: number;
  /** A release, or a sentence about the project. */
  readonly detail?: string;
  /** The ids of the rules that asked for it. */
  readonly rules: readonly string[];
}

/**
 * Why an alert was held back: within its cool-down; the issue is muted, ignored or resolved; above
 * the limit of alerts about public reports; folded into a flood; no enabled rule asks for it.
 */
export type HeldReason = "cool-down" | "state" | "public-limit" | "folded" | "no-rule";

/** An alert that is due, or was held back. Stored (version 1): fields may be added. */
export interface DueAlert {
  /** When the report was counted. */
  readonly atMs: number;
  /** Absent for alerts about the project. */
  readonly digest?: Digest;
  readonly trust?: Trust;
  readonly triggers: readonly FiredTrigger[];
  /**
   * Until when these triggers stay silent about this issue, unless it gets ten times worse; absent
   * if none of them can fire again by itself.
   */
  readonly quietUntilMs?: number;
  /** Set if no message is sent. */
  readonly held?: HeldReason;
}

/** An alert with its number, which increases. Numbers are never used again. */
export interface NumberedAlert {
  readonly n: number;
  readonly alert: DueAlert;
}

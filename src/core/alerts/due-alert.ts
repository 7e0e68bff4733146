/**
 * An alert as the index sends it to the alert sender: names and numbers, no reported text. Pure.
 */
import type { Digest } from "../report.ts";
import { assertNever } from "../result.ts";
import type { Trust } from "../trust/trust.ts";
import { HAND_OFF_TEXTS, type HandOffRefusal, type HandOffRequest } from "./hand-off.ts";
import type { Notice } from "./notice.ts";
import type { TrackerNews } from "./tracker-news.ts";
import type { Figures } from "./triggers/trigger.ts";
import type { AlertTriggerKind } from "./triggers/triggers.ts";

/** A trigger that fired, with the figures of its texts. */
export interface FiredTrigger extends Figures {
  readonly kind: AlertTriggerKind;
  /** The ids of the rules that asked for it. */
  readonly rules: readonly string[];
}

/**
 * Why an alert was held back: within its cool-down; the issue is snoozed, archived or resolved; above
 * the limit of alerts about public reports; folded into a flood; explained by a deploy; no enabled
 * rule asks for it.
 */
export type HeldReason =
  | ("cool-down" | "state" | "public-limit" | "folded" | "deploy" | "no-rule")
  | HandOffHeld;

/** The same of a hand-off to an agent. */
type HandOffHeld = `hand-off-${HandOffRefusal}`;

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
  /** Set if it hands the issue to the agent of one destination. */
  readonly handOff?: HandOffRequest;
  /** Set if no message is sent. */
  readonly held?: HeldReason;
  /** Set if it is no alert, but news for the tracker of the issue. It has no triggers. */
  readonly tracker?: TrackerNews;
  /** Set if it tells members personally. Until the sender takes it, it is held and silent. */
  readonly notice?: Notice;
}

/** An alert with its number, which increases. Numbers are never used again. */
export interface NumberedAlert {
  readonly n: number;
  readonly alert: DueAlert;
}

/** True for an alert that closes the incident of a pager. No rule asks for it. */
export function isResolution({ triggers }: Pick<DueAlert, "triggers">): boolean {
  return triggers.some(({ kind }) => kind === "resolved");
}

function isHandOffHeld(reason: HeldReason): reason is HandOffHeld {
  return reason.startsWith("hand-off-");
}

/** Why an alert was held back, as a sentence. `rules` are names. */
export function describeHeld(
  reason: HeldReason,
  rules: readonly string[],
  quietUntilMs: number | undefined,
): string {
  const names = rules.map((name) => `“${name}”`).join(", ");
  if (isHandOffHeld(reason)) {
    const refusal = reason.slice("hand-off-".length) as HandOffRefusal;
    return `${names === "" ? "Hand-off" : names}: ${HAND_OFF_TEXTS[refusal]}`;
  }
  switch (reason) {
    case "cool-down":
      return quietUntilMs === undefined
        ? `${names}: this alert was sent before.`
        : `${names}: the same alert about this issue is not repeated until ${formatTime(quietUntilMs)}.`;
    case "state":
      return `${names}: the issue is snoozed, archived or resolved.`;
    case "public-limit":
      return `${names}: the hourly limit for alerts about public reports is reached.`;
    case "folded":
      return `${names}: the issue is part of a flood from few networks.`;
    case "deploy":
      return `${names}: pages that were open during a deploy of the last ten minutes explain it.`;
    case "no-rule":
      return "No enabled rule asks for this alert any more.";
    default:
      return assertNever(reason, names);
  }
}

/** `14:02 UTC`. */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 16)} UTC`;
}

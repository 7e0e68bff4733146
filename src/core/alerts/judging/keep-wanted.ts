/** Decides, when a message is sent, which of its alerts are still wanted. Pure. */
import { getCurrentState } from "../../issue/decision.ts";
import type { AlertedFacts } from "../alerted-facts.ts";
import type { Destination } from "../destinations/destinations.ts";
import { type DueAlert, type HeldReason, isResolution } from "../due-alert.ts";
import type { AlertRule } from "../rule.ts";

/** The facts that decide when a message is sent. */
interface SendingContext {
  /** The rules of now. */
  readonly rules: readonly AlertRule[];
  readonly destination: Pick<Destination, "id" | "person">;
  /** Undefined for alerts about the project, and if the issue was not read. */
  readonly issue: AlertedFacts | undefined;
  readonly nowMs: number;
}

/**
 * The alert with the triggers and rules that still ask for it, or why it is not sent: a message may
 * have waited for hours.
 */
export function keepWanted(
  alert: DueAlert,
  { rules, destination: { id, person }, issue, nowMs }: SendingContext,
): DueAlert | HeldReason {
  const isAsking = ({ enabled, destinations }: AlertRule) =>
    enabled && (person !== undefined || destinations.length === 0 || destinations.includes(id));
  const asking = new Set(rules.filter(isAsking).map((rule) => rule.id));
  const triggers = alert.triggers.flatMap((trigger) => {
    // No rule asks for the message that a destination was disabled, or that closes an incident.
    if (trigger.rules.length === 0) return [trigger];
    const kept = trigger.rules.filter((rule) => asking.has(rule));
    return kept.length === 0 ? [] : [{ ...trigger, rules: kept }];
  });
  if (triggers.length === 0) return "no-rule";
  // A member was told about the issue, whatever its state.
  if (alert.notice !== undefined) return { ...alert, triggers };
  const state = issue === undefined ? "open" : getCurrentState(issue, nowMs);
  // An issue that has returned since must not be closed.
  if (isResolution(alert))
    return issue === undefined || state !== "open" ? { ...alert, triggers } : "state";
  if (state !== "open") return "state";
  return issue?.isFolded === true && alert.trust === "public" ? "folded" : { ...alert, triggers };
}

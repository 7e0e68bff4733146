/**
 * The message about a flood, which takes the place of those about its issues: one for all floods of
 * a project, and another one when they have ten times as many reports. Pure.
 */
import type { FloodSummary } from "../../issue/issue-list-page.ts";
import { HOUR_MS } from "../../utc-time.ts";
import { alertLimits } from "../alert-limits.ts";
import type { DueAlert } from "../due-alert.ts";
import { WORSE_FACTOR } from "../triggers/detection.ts";
import { getTrigger } from "../triggers/triggers.ts";

/** The floods that go on, and when a message about them was sent, ms. */
export interface FloodState {
  readonly flood?: FloodAlert | undefined;
  readonly floodToldMs?: number;
}

interface FloodAlert {
  /** The rules that asked for alerts about folded issues, and the number of these. */
  readonly rules: readonly string[];
  readonly issues?: number;
  /** When the message is due, or the floods are looked at again. */
  readonly dueMs: number;
  /** The reports that the last message stated. */
  readonly toldReports?: number;
}

/** Counts a new issue that a flood folds, and adds the rules that asked for it. */
export function addFoldedAlert<T extends FloodState>(
  state: T,
  { triggers }: DueAlert,
  nowMs: number,
): T {
  const { flood, floodToldMs: sentMs = 0 } = state;
  const known = flood?.rules ?? [];
  const asking = triggers.filter(({ kind }) => getTrigger(kind).says === "new");
  if (asking.length === 0) return state;
  const rules = new Set([...known, ...asking.flatMap((one) => one.rules)]);
  // Floods that end and begin again cause one message an hour.
  const dueMs = Math.max(nowMs + alertLimits.gatherPublicMs, sentMs + HOUR_MS);
  const issues = (flood?.issues ?? 0) + 1;
  return { ...state, flood: { dueMs, ...flood, rules: [...rules], issues } };
}

/**
 * The state after a look at the floods of now, with the message if it is due. `unsent` is set if
 * they ended before their message.
 */
export function takeFloodAlert<T extends FloodState>(
  state: T,
  floods: readonly FloodSummary[],
  nowMs: number,
): {
  readonly state: T;
  readonly alerts: readonly DueAlert[];
  readonly unsent?: Pick<FloodAlert, "rules" | "issues">;
} {
  const { flood } = state;
  if (flood === undefined || flood.dueMs > nowMs) return { state, alerts: [] };
  if (floods.length === 0) {
    const unsent = flood.toldReports === undefined ? flood : undefined;
    return { state: { ...state, flood: undefined }, alerts: [], unsent };
  }
  const sum = (toNumber: (one: FloodSummary) => number) =>
    floods.reduce((total, one) => total + toNumber(one), 0);
  const value = sum(({ reports }) => reports);
  const { rules, toldReports: statedReports = 0 } = flood;
  const next = { ...flood, dueMs: nowMs + alertLimits.lookAtFloodsMs };
  if (value < WORSE_FACTOR * statedReports) return { state: { ...state, flood: next }, alerts: [] };
  const sinceMs = Math.min(...floods.map((one) => one.sinceMs));
  const withinMs = Math.max(...floods.map(({ lastMs }) => lastMs)) - sinceMs;
  const networks = Math.max(...floods.map((one) => one.networks));
  const issues = sum((one) => one.issues);
  const trigger = {
    kind: "flood",
    value,
    limit: issues,
    usual: networks,
    withinMs,
    rules,
  } as const;
  return {
    state: { ...state, flood: { ...next, toldReports: value }, floodToldMs: nowMs },
    alerts: [{ atMs: nowMs, trust: "public", triggers: [trigger] }],
  };
}

/** The texts for rules and results of alerts. */
import type { QueryCheck } from "../../core/alerts/queries/check-rule-query.ts";
import type { DeliveryAttempt } from "../../core/ports/alerts-port.ts";
import { formatNumber, pluralize } from "../parts/number.tsx";

/** The result of trying a query: `Matches 3 of 41 issues of the last 7 days.` */
export function formatQueryCheck({ matched, total, days, isCapped }: QueryCheck): string {
  const all =
    isCapped === true
      ? `the newest ${formatNumber(total)} issues`
      : `${pluralize(total, "issue")} of the last ${days} days`;
  return `Matches ${formatNumber(matched)} of ${all}.`;
}

/** The cool-downs of the form: `1 h`. */
export const COOL_DOWNS: readonly (readonly [ms: number, label: string])[] = [
  [0, "none"],
  [300_000, "5 min"],
  [1_800_000, "30 min"],
  [3_600_000, "1 h"],
  [10_800_000, "3 h"],
  [43_200_000, "12 h"],
  [86_400_000, "1 day"],
  [604_800_000, "7 days"],
];

/** `1 h`; a cool-down that the form does not have, in minutes. */
export function formatCoolDown(ms: number): string {
  return COOL_DOWNS.find(([value]) => value === ms)?.[1] ?? `${Math.round(ms / 60_000)} min`;
}

export const RESULT_LABELS: Readonly<Record<DeliveryAttempt["result"], string>> = {
  delivered: "delivered",
  retry: "will retry",
  failed: "failed",
  gone: "rejected permanently",
};

/** `09:30` for minutes after midnight. */
export function formatMinutes(minutes: number): string {
  const hours = String(Math.floor(minutes / 60)).padStart(2, "0");
  return `${hours}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Names of the days, Sunday first. */
export const DAY_NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

// The goals of the costs.

import { computeAmounts, computeFreeDay, type Month } from "./amounts.ts";
import type { Constants } from "./constants.ts";
import { formatFigure } from "./format-figure.ts";
import { computeBill, PRICED, PRICES } from "./prices.ts";

export const FREE_ISSUES_PER_MONTH = 1_000;

/** The maximum cost of a month. */
const GOALS: readonly (Month & { maxUsd: number })[] = [
  { pattern: "quiet", reports: 1e6, issues: 1e3, maxUsd: 15 },
  { pattern: "quiet", reports: 1e9, issues: 500, maxUsd: 1_500 },
  { pattern: "storm", reports: 1e9, issues: 500, maxUsd: 1_500 },
];

/** A line for each goal, with its largest parts, and for the free plan. */
export function formatGoals(constants: Constants): string[] {
  const months = GOALS.map(({ maxUsd, ...month }) => {
    const bill = computeBill(computeAmounts(month, constants));
    const parts = PRICED.toSorted((a, b) => bill.parts[b] - bill.parts[a])
      .filter((name) => bill.parts[name] >= 0.005)
      .map((name) => `${PRICES[name].title} $${formatFigure(bill.parts[name])}`);
    const name = `${formatFigure(month.reports)} ${month.pattern} reports, ${month.issues} issues`;
    const result = describeResult(bill.usd <= maxUsd);
    const sum = ["plan $5", ...parts].join(" + ");
    return `${name}: $${formatFigure(bill.usd)} of $${formatFigure(maxUsd)}, ${result}: ${sum}`;
  });
  const shares = computeFreeShares(constants).toSorted((a, b) => b.share - a.share);
  const free = `${formatFigure(constants.freeDay.reports)} quiet reports a day on the free plan`;
  const result = describeResult(shares.every(({ share }) => share <= 1));
  const most = shares.slice(0, 1).map(({ title, share }) => `${title} ${formatShare(share)}`);
  return [...months, `${free}: ${result}: ${most} is the most`];
}

/** The use of each limit of the free plan by a quiet day. */
export function computeFreeShares(constants: Constants) {
  const day = computeFreeDay(FREE_ISSUES_PER_MONTH, constants);
  return PRICED.flatMap((name) => {
    const { title, free } = PRICES[name];
    return free === undefined
      ? []
      : [{ name, title, used: day[name], limit: free, share: day[name] / free }];
  });
}

/** `12 %` */
export function formatShare(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function describeResult(isReached: boolean) {
  return isReached ? "reached" : "not reached";
}

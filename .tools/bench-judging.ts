// The CPU time of judging alerts for an event, without the rest of the transaction that counts it:
//
//     npm run bench:judging

import { alertLimits } from "../src/core/alerts/alert-limits.ts";
import { type JudgeFacts, judgeIssue, parseRule } from "../src/core/alerts/judging/judge-issue.ts";
import { matchesQuery } from "../src/core/alerts/judging/match-query.ts";
import { type AlertRule, DEFAULT_RULE } from "../src/core/alerts/rule.ts";
import type { IssueChange } from "../src/core/alerts/triggers/trigger.ts";
import type { AlertTrigger } from "../src/core/alerts/triggers/triggers.ts";
import { aggregateReport } from "../src/core/issue/aggregate-report.ts";
import type { Issue } from "../src/core/issue/issue.ts";
import type { ReportSummary } from "../src/core/report/report-summary.ts";
import { toFacetValues } from "../src/store/index/tables/facet-values.ts";
import { parseOptions } from "./command/quit.ts";
import { computeMedian } from "./command/statistics.ts";

parseOptions({});

const ROUNDS = 9;
const EVENTS = 50_000;
const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 21, 17, 30);
const TRIGGERS: readonly AlertTrigger[] = [
  ...(["new-issue", "regressed", "escalating", "new-in-release"] as const).map(toTrigger),
  { kind: "occurrences", count: 1_000_000, withinMs: 24 * HOUR_MS },
  { kind: "users", count: 1_000_000 },
  ...(["csp-violation", "user-feedback"] as const).map(toTrigger),
];

function toTrigger<K extends AlertTrigger["kind"]>(kind: K) {
  return { kind } as Extract<AlertTrigger, { kind: K }>;
}

const everyTrigger: AlertRule = { ...DEFAULT_RULE, id: "all", triggers: TRIGGERS };
const CASES: readonly (readonly [name: string, rules: readonly AlertRule[]])[] = [
  ["no rule", []],
  ["the default rule", [DEFAULT_RULE]],
  ["a rule with every trigger about issues", [everyTrigger]],
  [
    "ten rules with every trigger and a query",
    Array.from({ length: 10 }, (_, n) => ({
      ...everyTrigger,
      id: `r${n}`,
      query: "env:production -kind:csp",
      coolDownMs: alertLimits.maxCoolDownMs,
    })),
  ],
];

/** An issue with two reports in each of the last 60 hours. */
const issue = Array.from({ length: 120 }, (_, n) => createSummary(n)).reduce<Issue | undefined>(
  (known, summary) => aggregateReport(known, summary, summary.atMs),
  undefined,
);
if (issue === undefined) throw new Error("no issue");

function createSummary(n: number): ReportSummary {
  const atMs = NOW_MS - 60 * HOUR_MS + n * (HOUR_MS / 2);
  return {
    ...{ id: n.toString(16).padStart(32, "0"), position: `2026112117/0.0000000${n}:0` },
    ...{ atMs, digest: "7F3K-Q2M9", kind: "error", trust: "server", isLinked: false },
    ...{ type: "TypeError", message: "no cart", release: "1.4.0", environment: "production" },
  } as unknown as ReportSummary;
}

/** The CPU time of judging one event, in µs: the median of the rounds. */
function measure(rules: readonly AlertRule[], before: Issue): number {
  const parsed = rules.map((rule) => parseRule(rule, 0));
  const change: IssueChange = {
    before,
    after: { ...before, count: before.count + 1, lastSeenMs: NOW_MS },
    isKnown: false,
    reports: [{ ...createSummary(120), atMs: NOW_MS }],
  };
  const facts: JudgeFacts = {
    nowMs: NOW_MS,
    getAlertHistory: () => undefined,
    getMatchedCounts: () => undefined,
    matches: (query, one) => matchesQuery(query, one, toFacetValues(one), NOW_MS),
    takePublicAlert: () => true,
  };
  const rounds = Array.from({ length: ROUNDS }, () => {
    const began = process.cpuUsage();
    for (let n = 0; n < EVENTS; n++) {
      if (judgeIssue(change, parsed, facts).alerts.length > 0) throw new Error("an alert was due");
    }
    const { user, system } = process.cpuUsage(began);
    return (user + system) / EVENTS;
  });
  return computeMedian(rounds);
}

for (const [name, rules] of CASES)
  console.log(`${name}: ${measure(rules, issue).toFixed(2)} µs of CPU per event`);

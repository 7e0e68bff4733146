/** What needs attention, and how errors developed: the home page. */
import * as v from "valibot";
import { LOCAL_ASSIGNEE } from "../core/accounts/names.ts";
import {
  type ErrorColumns,
  OVERVIEW_PERIODS,
  PERIOD_MS,
  sumColumns,
} from "../core/overview/error-columns.ts";
import {
  formatSentence,
  type SentencePart,
  writeMorningSentence,
} from "../core/overview/morning-sentence.ts";
import type { AttentionList, ProjectOverview, Span } from "../core/overview/project-overview.ts";
import type { DeployMoment } from "../core/ports/source-maps-port.ts";
import { ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { DAY_MS, formatRfc3339 } from "../core/utc-time.ts";
import { flag, issueSummary, number, toIssueListOutput } from "./issue-output.ts";
import { type Caller, defineRead, orNull } from "./operation.ts";
import { byErrata, byMember, reported, reportedByAnyone, time, trustLevel } from "./provenance.ts";

/** The name to which issues of the caller are assigned; undefined for programs. */
export function getOwnAssignee({ actor, name }: Caller): string | undefined {
  if (actor.kind === "local") return LOCAL_ASSIGNEE;
  return actor.kind === "token" ? undefined : name;
}

/** `1764343200000-1764344100000`: from and until, ms. */
const SPAN = /^(\d{10,15})-(\d{10,15})$/;
const MAX_SPAN_MS = 90 * DAY_MS;

const spanText = v.pipe(
  v.string(),
  v.description("the span to be two times in Unix ms, such as 1764343200000-1764344100000"),
  v.rawTransform(({ dataset, addIssue, NEVER }): Span => {
    const [, from, to] = SPAN.exec(dataset.value) ?? [];
    const span = { fromMs: Number(from), toMs: Number(to) };
    if (span.toMs > span.fromMs && span.toMs - span.fromMs <= MAX_SPAN_MS) return span;
    addIssue();
    return NEVER;
  }),
);

/** Why an issue is listed; the other members are facts of the kind. */
const reason = v.strictObject({
  kind: v.picklist([
    "escalating",
    "regressed",
    "new",
    "assigned",
    "snooze-ended",
    "message",
    "most-users",
    "oldest",
    "no-source-map",
    "occurred",
  ]),
  count: v.optional(number),
  isAtLeast: v.optional(v.boolean()),
  usual: v.optional(number),
  users: v.optional(number),
  issues: v.optional(number),
  sinceMs: v.optional(time),
  atMs: v.optional(time),
  by: v.optional(byMember()),
  resolvedAtMs: v.optional(time),
  resolvedInRelease: v.optional(byMember()),
  release: v.optional(reportedByAnyone()),
  text: v.optional(reportedByAnyone("What a visitor wrote")),
});

const rows = list(v.strictObject({ issue: issueSummary, reason }));
const attention = v.strictObject({ total: number, isTotalCapped: v.optional(flag), rows });

export const getOverview = defineRead({
  name: "overview.get",
  summary:
    "Read what needs attention: a sentence, issues with their reasons, and errors over time.",
  role: "viewer",
  rate: "search",
  route: "GET /overview",
  input: v.strictObject({
    period: v.optional(
      v.pipe(v.picklist(OVERVIEW_PERIODS), v.description("the period: 24h, 7d, 14d or 30d")),
      "24h",
    ),
    span: v.optional(spanText),
  }),
  output: v.strictObject({
    sentence: reportedByAnyone("The state of the project in one sentence"),
    attention,
    later: rows,
    selected: v.optional(attention),
    people: number,
    errors: v.strictObject({
      fromMs: time,
      toMs: time,
      stepMs: number,
      server: list(number),
      browser: list(number),
      before: v.optional(list(number)),
    }),
    open: v.strictObject({ total: number, isTotalCapped: v.optional(flag) }),
    releases: list(
      v.strictObject({
        name: reported(),
        trust: trustLevel,
        firstSeenMs: time,
        errors: number,
        newIssueCount: number,
        regressedCount: number,
        sessions: number,
        crashFree: v.optional(number),
        crashFreeBefore: v.optional(number),
      }),
    ),
    deploys: list(
      v.strictObject({ release: byMember(), environment: v.optional(byMember()), atMs: time }),
    ),
    policies: list(
      v.strictObject({
        directive: reportedByAnyone(),
        isReportOnly: v.boolean(),
        sources: number,
        count: number,
      }),
    ),
    team: list(
      v.strictObject({
        by: byMember(),
        action: v.picklist([
          "resolved",
          "assigned",
          "commented",
          "snoozed",
          "archived",
          "opened",
          "merged",
        ]),
        atMs: time,
        digest: byErrata(),
        title: reportedByAnyone(),
        issues: number,
        release: v.optional(byMember()),
        to: v.optional(byMember()),
        text: v.optional(byMember()),
      }),
    ),
  }),
  reasons: [],
  async load({ period, span }, call) {
    const { services, caller } = call;
    const { projectStore, sourceMaps, nowMs } = services;
    const overview = projectStore.readOverview({ period, span, me: getOwnAssignee(caller) });
    const deploys = orNull(services, sourceMaps.listDeploys(nowMs() - PERIOD_MS[period]));
    return ok({ overview, deploys: deploys.then((found) => found ?? []) });
  },
  async toOutput(loaded, _, { services }) {
    const nowMs = services.nowMs();
    const overview = await loaded.overview;
    const deploys: readonly DeployMoment[] = await loaded.deploys;
    const toRows = (listed: AttentionList["rows"]) => {
      const { issues } = toIssueListOutput({ issues: listed.map(({ issue }) => issue) }, nowMs);
      return listed.map((row, n) => ({ ...row, issue: issues[n] ?? row.issue }));
    };
    const toList = (one: AttentionList) => ({ ...one, rows: toRows(one.rows) });
    const { fromMs, toMs, stepMs, series, before } = overview.columns;
    return {
      ...overview,
      sentence: formatSentence(describeMorning(overview, nowMs), formatRfc3339),
      attention: toList(overview.attention),
      later: toRows(overview.later),
      selected: overview.selected && toList(overview.selected),
      errors: { fromMs, toMs, stepMs, ...series, before },
      deploys,
    };
  },
});

/** The first sentence of the page. */
export function describeMorning(overview: ProjectOverview, nowMs: number): readonly SentencePart[] {
  const { attention, needs, surge, lastErrorMs, firstSeenMs = nowMs, issues, columns } = overview;
  const isYoung = nowMs - firstSeenMs < DAY_MS;
  return writeMorningSentence({
    nowMs,
    needs,
    isNeedsCapped: attention.isTotalCapped === true,
    surge,
    lastErrorMs,
    young: isYoung
      ? { lifeMs: nowMs - firstSeenMs, errors: sumErrors(columns), issues }
      : undefined,
  });
}

function sumErrors(columns: ErrorColumns): number {
  return sumColumns(columns).reduce((sum, count) => sum + count, 0);
}

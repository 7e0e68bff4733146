/**
 * One read with what is needed to fix an issue: the issue, one report with its stack in the
 * repository, its releases and deploys, similar issues and the last comments.
 */
import * as v from "valibot";
import { MAX_DIFFERENCES } from "../core/differences/find-differences.ts";
import { formatGrouping } from "../core/grouping/explain-grouping.ts";
import { describeFrame } from "../core/report/frame-place.ts";
import type { Frame, Report, ReportedError } from "../core/report.ts";
import { toCodeFrame } from "../core/repositories/code-frame.ts";
import type { CodeFinder } from "../core/repositories/source-link.ts";
import { fail, ok } from "../core/result.ts";
import { list, tuple, variant } from "../core/schema/stored-object.ts";
import { getResolutions, type Symbolication } from "../core/symbolication/report/original-stack.ts";
import type { FrameResolution } from "../core/symbolication/resolution.ts";
import { DAY_MS } from "../core/utc-time.ts";
import { hasOnlyPublicReports } from "./agent-grounds.ts";
import {
  createFinder,
  findOwner,
  loadCommits,
  NO_CODE,
  suggestedOwner,
  toOwnerOutput,
} from "./code.ts";
import { digestText } from "./inputs.ts";
import {
  findSuspects,
  fixProof,
  fixStatus,
  suspectCommits,
  toFixOutput,
  toSuspectOutput,
} from "./issue-and-release.ts";
import {
  flag,
  issueSummary,
  number,
  reportKind,
  side,
  toIssueSummary,
  toSeenMembers,
} from "./issue-output.ts";
import { findReport } from "./issue-reads.ts";
import { type Call, defineRead, orNull } from "./operation.ts";
import { byErrata, byMember, reported, reportedByAnyone, time, trustLevel } from "./provenance.ts";
import {
  readReactTextsFor,
  sourceRevisions,
  sourceUrl,
  symbolicate,
  toReportOutput,
} from "./report-output.ts";

/** The newest of each. */
const MAX = { breadcrumbs: 20, comments: 10, deploys: 10, releases: 10 } as const;
/** Deploys of this time before the first report may have caused it. */
const BEFORE_FIRST_MS = 7 * DAY_MS;

const inApp = v.boolean();
const sentSourceUrl = v.optional(reported("The line in the repository"));

/** A frame in the repository, or as the sender named it. */
const frame = variant("kind", [
  v.strictObject({
    kind: v.literal("resolved"),
    place: byMember("File and line in the repository: src/cart.tsx:42"),
    sourceUrl,
    function: v.optional(byMember()),
    inApp,
    source: v.optional(byMember("The source line")),
    sourceBefore: v.optional(list(byMember("A line before"))),
    sourceAfter: v.optional(list(byMember("A line after"))),
  }),
  v.strictObject({
    kind: v.literal("sent"),
    place: v.optional(reported("File and line as the sender named them")),
    sourceUrl: sentSourceUrl,
    function: v.optional(reported()),
    inApp,
    source: v.optional(reported("The source line")),
    sourceBefore: v.optional(list(reported("A line before"))),
    sourceAfter: v.optional(list(reported("A line after"))),
  }),
]);

const error = {
  type: reported("The type of the error, or the violated rule"),
  message: reported(),
  frames: list(frame),
};

const report = v.strictObject({
  id: byErrata(),
  trust: trustLevel,
  kind: reportKind,
  side,
  occurredAtMs: time,
  groupedBy: v.optional(reported("Why it belongs to its issue, as a sentence")),
  ...error,
  causes: v.optional(list(v.strictObject(error))),
  decodedErrors: v.optional(
    list(v.strictObject({ code: byErrata("The code of React"), text: reported("Its text") })),
  ),
  symbolication: v.optional(v.picklist(["resolved", "as-sent", "unavailable"])),
  sourceRevisions,
  /** Without frames, the stack as text. */
  stack: v.optional(reported("The stack as it was sent, if it has no frames")),
  componentStack: v.optional(reported("The components of React")),
  request: v.optional(
    v.strictObject({
      method: v.optional(reported()),
      url: v.optional(reported()),
      route: v.optional(reported()),
      userAgent: v.optional(reported()),
    }),
  ),
  response: v.optional(v.strictObject({ status: number })),
  release: v.optional(reported()),
  environment: v.optional(reported()),
  tags: v.optional(list(tuple([reported(), reported()]))),
  breadcrumbs: v.optional(
    list(
      v.strictObject({
        atMs: v.optional(time),
        category: v.optional(reported()),
        message: reported(),
      }),
    ),
  ),
});

const similarIssue = v.strictObject({
  digest: byErrata(),
  trust: trustLevel,
  title: reported("Type and message in one line"),
  state: issueSummary.entries.state,
  count: number,
  lastSeenMs: time,
});

export const investigateIssue = defineRead({
  name: "issues.investigate",
  summary:
    "Read what is needed to fix an issue: one report with its stack in the repository, releases, deploys, similar issues and the last comments.",
  role: "viewer",
  rate: "search",
  route: "GET /issues/{digest}/investigation",
  input: v.strictObject({
    digest: digestText(),
    report: v.optional(
      v.pipe(
        v.string(),
        v.description("the id of a report; without it the newest of the most trusted level"),
      ),
    ),
  }),
  output: v.strictObject({
    issue: v.strictObject({
      ...issueSummary.entries,
      groupedBy: v.optional(reportedByAnyone("Why its reports are together, as a sentence")),
      hasOnlyPublicReports: v.optional(flag),
    }),
    report: v.nullable(report),
    releases: v.strictObject({
      /** The level of the issue: reports of lower ones change no releases of it. */
      trust: trustLevel,
      first: v.optional(reported("The release of the first report")),
      seen: list(
        v.strictObject({
          name: reported(),
          count: number,
          firstSeenMs: time,
          lastSeenMs: time,
        }),
      ),
      deploys: v.nullable(
        list(
          v.strictObject({
            release: byMember(),
            environment: v.optional(byMember()),
            atMs: time,
          }),
        ),
      ),
    }),
    suspectCommits,
    suggestedOwner,
    proof: fixProof,
    fix: v.optional(fixStatus),
    differences: list(
      v.strictObject({
        attribute: reportedByAnyone("What differs from the reports of other issues"),
        value: reportedByAnyone(),
        share: number,
        otherShare: number,
      }),
    ),
    similar: list(similarIssue),
    comments: list(
      v.strictObject({
        id: byErrata(),
        atMs: time,
        by: v.optional(byMember()),
        text: byMember(),
      }),
    ),
  }),
  reasons: ["unknown-digest", "unknown-report"],
  async load({ digest, report: id }, call) {
    const { projectStore, sourceMaps } = call.services;
    const current = await projectStore.getCurrentIssue(digest);
    const { issue } = current;
    if (issue === null) return fail({ reason: "unknown-digest" });
    const sinceMs = issue.firstSeenMs - BEFORE_FIRST_MS;
    const [found, releases] = await Promise.all([
      findReport(projectStore, issue, id),
      orNull(call.services, sourceMaps.readReleases(sinceMs, issue.firstRelease)),
    ]);
    if (found === null && id !== undefined) return fail({ reason: "unknown-report" });
    return ok({ ...current, issue, report: found, ofTools: releases });
  },
  async toOutput({ issue, report: found, ofTools, ...loaded }, _, call) {
    const { similar, annotations, differences = [], proof, fix, code = NO_CODE } = loaded;
    const { firstRelease } = issue;
    const commits = ofTools?.commits ?? [];
    const [[symbolication = null], ofOther] = await Promise.all([
      symbolicate(call, [found]),
      loadCommits(call, found?.release === firstRelease ? [] : [found?.release]),
    ]);
    const commitsOf = (name: string | undefined) =>
      name === firstRelease ? commits : ofOther(name);
    const finder = found === null ? undefined : createFinder(code, found, commitsOf);
    const owner =
      found && finder && toOwnerOutput(findOwner(call, code, found, symbolication, finder), found);
    const nowMs = call.services.nowMs();
    const seen = issue.releases?.values.slice(0, MAX.releases) ?? [];
    return {
      issue: {
        ...toIssueSummary(issue, nowMs),
        groupedBy: issue.grouping && formatGrouping(issue.grouping),
        hasOnlyPublicReports: hasOnlyPublicReports(issue) || undefined,
      },
      report: found && (await toInvestigatedReport(found, symbolication, finder, call)),
      releases: {
        trust: issue.trust,
        first: firstRelease,
        seen: seen.map(([name, count, firstSeenMs, lastSeenMs]) => ({
          name,
          count,
          firstSeenMs,
          lastSeenMs,
        })),
        deploys: ofTools?.deploys.slice(0, MAX.deploys) ?? null,
      },
      suspectCommits: toSuspectOutput(findSuspects(commits, found, symbolication)),
      suggestedOwner: owner ?? undefined,
      proof,
      fix: fix && toFixOutput(fix),
      differences: differences.slice(0, MAX_DIFFERENCES),
      similar: similar.map((one) => ({ ...toIssueSummary(one, nowMs), ...toSeenMembers(one) })),
      comments: annotations.activity
        .filter((entry) => entry.action === "commented")
        .slice(-MAX.comments),
    };
  },
});

async function toInvestigatedReport(
  found: Report,
  symbolication: Symbolication | null,
  finder: CodeFinder | undefined,
  call: Call,
): Promise<v.InferOutput<typeof report>> {
  const reactTexts = await readReactTextsFor(call, [found]);
  const output = toReportOutput(found, symbolication, call.project, reactTexts, finder);
  const [ofError, ...ofCauses] = getResolutions(symbolication);
  const { breadcrumbs, resolvedComponentStack = found.componentStack } = output;
  const toError = (
    { type, message, frames }: ReportedError,
    resolutions: readonly FrameResolution[] = [],
  ) => ({ type, message, frames: frames.map((one, n) => toFrame(one, resolutions[n], finder)) });
  return {
    ...output,
    groupedBy: found.grouping && formatGrouping(found.grouping),
    ...toError(found, ofError),
    causes: found.causes?.map((cause, n) => toError(cause, ofCauses[n])),
    stack: found.frames.length === 0 ? found.stack : undefined,
    componentStack: resolvedComponentStack,
    breadcrumbs: breadcrumbs?.slice(-MAX.breadcrumbs),
  };
}

function toFrame(
  sent: Frame,
  resolution: FrameResolution | undefined,
  finder: CodeFinder | undefined,
): v.InferOutput<typeof frame> {
  const url = finder?.findLink(toCodeFrame(sent, resolution))?.url;
  if (resolution?.kind === "resolved")
    return { ...resolution, place: `${resolution.file}:${resolution.line}`, sourceUrl: url };
  const { place, name } = describeFrame(sent);
  return {
    ...sent,
    kind: "sent",
    place: place === undefined ? undefined : [place, sent.line ?? []].flat().join(":"),
    sourceUrl: url,
    function: name,
  };
}

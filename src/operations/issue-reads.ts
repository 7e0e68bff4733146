/** Lists of issues, one issue, and one report. */
import * as v from "valibot";
import { findProject } from "../core/accounts/registry.ts";
import type { Issue } from "../core/issue/issue.ts";
import { formatCursor, parseCursor } from "../core/issue/issue-list-page.ts";
import {
  DEFAULT_QUERY,
  formatIssueQuery,
  ISSUE_SORTS,
  parseIssueQuery,
  toFilterKey,
} from "../core/issue/issue-query.ts";
import { findLatestReport, selectNewestReports } from "../core/issue/related-reports.ts";
import { limits } from "../core/limits.ts";
import { findPlaceByKey } from "../core/place/stack-counts.ts";
import { withoutAttachmentContents } from "../core/report/attachment.ts";
import { isReportId } from "../core/report/report-id.ts";
import type { Digest, Report, ReportId } from "../core/report.ts";
import { fail, ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import {
  createFinder,
  findOwner,
  loadCodeSettings,
  loadCommits,
  suggestedOwner,
  toOwnerOutput,
} from "./code.ts";
import { digestText, integer, issueQueryText, issueSort } from "./inputs.ts";
import {
  findSuspects,
  fixProof,
  fixStatus,
  loadFix,
  suspectCommits,
  toFixOutput,
  toSuspectOutput,
} from "./issue-and-release.ts";
import {
  annotationMembers,
  flag,
  issueList,
  issueMembers,
  number,
  toIssueListOutput,
  toIssueOutput,
} from "./issue-output.ts";
import { type Call, defineRead, type OperationServices, orNull } from "./operation.ts";
import { parseOwnQuery } from "./own-query.ts";
import { byErrata, byMember, reportedByAnyone, time } from "./provenance.ts";
import { queryProblems, toProblems } from "./query-problem-output.ts";
import { readReactTextsFor, reportOutput, symbolicate, toReportOutput } from "./report-output.ts";

/** What the reads of issues have in common. */
const READ = { role: "viewer", rate: "read" } as const;

/** The floods whose issues a list hides. */
const floods = v.optional(
  list(
    v.strictObject({
      key: byErrata("The id of its ingest key"),
      sinceMs: time,
      lastMs: time,
      reports: number,
      issues: number,
      networks: number,
    }),
  ),
);

export const listIssues = defineRead({
  ...READ,
  name: "issues.list",
  summary: "List the issues that match a query, a page at a time.",
  rate: "search",
  route: "GET /issues",
  input: v.strictObject({
    query: v.optional(issueQueryText(), DEFAULT_QUERY),
    sort: v.optional(issueSort(), "last"),
    from: v.optional(
      v.pipe(
        v.string(),
        v.description("the next or the previous of a page of the list"),
        v.rawTransform(({ dataset, addIssue, NEVER }) => {
          const cursor = parseCursor(dataset.value);
          if (cursor !== undefined) return cursor;
          addIssue();
          return NEVER;
        }),
      ),
    ),
    limit: v.optional(integer(1, limits.listedIssues, "the most issues of one page")),
  }),
  output: v.strictObject({
    query: byMember("The query, as Errata writes it"),
    problems: queryProblems,
    sort: v.picklist(ISSUE_SORTS),
    ...issueList,
    floods,
    asOfMs: time,
    next: v.optional(byErrata("The from of the next page; absent on the last")),
    previous: v.optional(byErrata("The from of the page before; absent on the first")),
  }),
  reasons: [],
  // Pages begin before the list arrives.
  load: async ({ query: text, sort, from, limit }, call) => {
    const query = parseOwnQuery(text, call, sort);
    return ok(call.services.projectStore.listIssues(query, from, limit));
  },
  async toOutput(listed, { query, sort }, { services }) {
    const { next, previous, unknownTags, ...page } = await listed;
    const read = parseIssueQuery(query);
    return {
      query: formatIssueQuery(read),
      problems: toProblems(read, unknownTags),
      sort,
      ...toIssueListOutput(page, services.nowMs()),
      next: next && formatCursor(next),
      previous: previous && formatCursor(previous),
    };
  },
});

export const listIssueValues = defineRead({
  ...READ,
  name: "issues.values",
  summary:
    "List the values of a key that contain a text, with the issues of a query that have them.",
  route: "GET /issue-values",
  input: v.strictObject({
    key: v.pipe(v.string(), v.description("a key of the search syntax, such as release")),
    text: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(limits.maxIssueQueryChars),
        v.description("a text that the values contain"),
      ),
      "",
    ),
    query: v.optional(issueQueryText(), ""),
  }),
  output: v.strictObject({
    values: list(
      v.strictObject({
        value: reportedByAnyone(),
        issues: v.optional(number),
      }),
    ),
    isCut: v.optional(flag),
    sampleSize: v.optional(number),
  }),
  reasons: [],
  async load({ key, text, query }, call) {
    const asked = { key: toFilterKey(key), text, query: parseOwnQuery(query, call) };
    return ok(await call.services.projectStore.listValues(asked));
  },
  toOutput: ({ values, isCut, sampleSize }) => ({
    values: values.map(([value, issues]) => ({ value, issues })),
    isCut,
    sampleSize,
  }),
});

export const listNewestIssues = defineRead({
  ...READ,
  name: "issues.newest",
  summary: "List the newest issues in any state, without noise.",
  route: "GET /newest-issues",
  input: v.strictObject({}),
  output: v.strictObject({ ...issueList, noiseTotal: v.optional(number), asOfMs: time }),
  reasons: [],
  load: async (_, { services }) => ok(services.projectStore.listNewestIssues()),
  toOutput: async (newest, _, { services }) => toIssueListOutput(await newest, services.nowMs()),
});

const asSent = v.optional(
  v.pipe(v.boolean(), v.description("asSent to be true, for stacks without source maps")),
);

/** Maximum of reports with bodies in one output; the others are listed. */
const REPORTS_OF_ISSUE = 10;

export const getIssue = defineRead({
  ...READ,
  name: "issues.get",
  summary: "Read an issue with its newest reports, trusted ones first, and what the team did.",
  route: "GET /issues/{digest}",
  input: v.strictObject({
    digest: digestText(),
    place: v.optional(
      v.pipe(v.string(), v.description("the key of a place of the issue, for its reports only")),
    ),
    asSent,
  }),
  output: v.strictObject({
    ...issueMembers,
    splitByStack: v.optional(flag),
    annotations: v.nullable(
      v.strictObject({
        ...annotationMembers,
        alerts: v.optional(
          list(
            v.strictObject({
              atMs: time,
              message: byErrata(),
              to: list(byMember()),
            }),
          ),
        ),
      }),
    ),
    reports: list(reportOutput),
    suspectCommits,
    suggestedOwner,
    proof: fixProof,
    fix: v.optional(fixStatus),
  }),
  reasons: ["unknown-digest"],
  async load({ digest }, { services }) {
    const issue = await services.projectStore.getFreshIssue(digest);
    return issue === null ? fail({ reason: "unknown-digest" }) : ok(issue);
  },
  async toOutput(issue, { place, asSent: isAsSent }, call) {
    const { project, services } = call;
    const { projectStore, nowMs } = services;
    const ofPlace = listReportsOfPlace(issue, place);
    const [annotations, bodies] = await Promise.all([
      orNull(services, projectStore.getAnnotations(issue.digest)),
      ofPlace === undefined
        ? projectStore.readReports(selectNewestReports(issue.latestReports, REPORTS_OF_ISSUE))
        : Promise.all(ofPlace.map((id) => findReport(projectStore, issue, id))),
    ]);
    const reports = bodies.filter((report) => report !== null).map(withoutAttachmentContents);
    const [first] = reports;
    const releases = first === undefined ? [] : [issue.firstRelease, ...reports.map(getRelease)];
    const [symbolications, reactTexts, settings, commitsOf] = await Promise.all([
      symbolicate(call, reports, isAsSent),
      readReactTextsFor(call, reports),
      loadCodeSettings(call),
      loadCommits(call, releases),
    ]);
    const [ofFirst = null] = symbolications;
    const finders = reports.map((report) => createFinder(settings, report, commitsOf));
    const owner = first && finders[0] && findOwner(call, settings, first, ofFirst, finders[0]);
    const fix = await loadFix(call, issue, annotations);
    return {
      ...toIssueOutput(issue, nowMs()),
      suspectCommits: toSuspectOutput(
        findSuspects(commitsOf(issue.firstRelease), first ?? null, ofFirst),
      ),
      suggestedOwner: first && toOwnerOutput(owner, first),
      proof: fix.proof,
      fix: toFixOutput(fix),
      splitByStack: listSplitDigests(call).includes(issue.digest) || undefined,
      annotations,
      reports: reports.map((report, n) =>
        toReportOutput(report, symbolications[n] ?? null, project, reactTexts, finders[n]),
      ),
    };
  },
});

function getRelease({ release }: Report): string | undefined {
  return release;
}

/** The stored reports of a place, newest first; undefined without a key. */
export function listReportsOfPlace(
  { stacks }: Issue,
  key: string | undefined,
): readonly ReportId[] | undefined {
  if (key === undefined) return undefined;
  return findPlaceByKey(stacks, key)?.reports.map(([id]) => id) ?? [];
}

/** The digests that the project splits by stack, in the copy that authentication read. */
export function listSplitDigests({
  project,
  services,
}: Pick<Call, "project" | "services">): readonly Digest[] {
  const known = services.registry.getLastCopy();
  return (known && findProject(known, project)?.splitDigests) ?? [];
}

export const getReport = defineRead({
  ...READ,
  name: "reports.get",
  summary: "Read a report of an issue.",
  route: "GET /issues/{digest}/reports/{report}",
  input: v.strictObject({
    digest: digestText(),
    report: v.pipe(v.string(), v.description("the id of a report")),
    asSent,
  }),
  output: reportOutput,
  reasons: ["unknown-digest", "unknown-report"],
  async load({ digest, report: id }, { services: { projectStore } }) {
    const issue = await projectStore.getFreshIssue(digest);
    if (issue === null) return fail({ reason: "unknown-digest" });
    const report = await findReport(projectStore, issue, id);
    return report === null ? fail({ reason: "unknown-report" }) : ok(report);
  },
  async toOutput(report, { asSent: isAsSent }, call) {
    const [[symbolication = null], reactTexts, settings, commitsOf] = await Promise.all([
      symbolicate(call, [report], isAsSent),
      readReactTextsFor(call, [report]),
      loadCodeSettings(call),
      loadCommits(call, [report.release]),
    ]);
    const finder = createFinder(settings, report, commitsOf);
    return toReportOutput(report, symbolication, call.project, reactTexts, finder);
  },
});

/** The report with this id, else the newest occurrence, else the newest report. */
export async function findReport(
  projectStore: OperationServices["projectStore"],
  issue: Issue,
  id: string | undefined,
): Promise<Report | null> {
  const named =
    id === undefined ? undefined : issue.latestReports.find((summary) => summary.id === id);
  if (named === undefined && id !== undefined) {
    const location = isReportId(id) ? await projectStore.locateReport(id) : null;
    return location?.digest === issue.digest
      ? projectStore.readReport({ position: location.position })
      : null;
  }
  const summary = named ?? findLatestReport(issue.latestReports);
  return summary === undefined ? null : projectStore.readReport(summary);
}

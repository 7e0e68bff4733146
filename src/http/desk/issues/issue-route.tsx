/**
 * `/d/<digest>`: an issue with its newest reports, and one report in full; as a page, JSON or
 * Markdown.
 */

import { findProject } from "../../../core/accounts/registry.ts";
import { parseDigest } from "../../../core/grouping/parse-digest.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { issueToMarkdown } from "../../../core/issue/issue-to-markdown.ts";
import { findCounterpart, selectNewestReports } from "../../../core/issue/related-reports.ts";
import { findPlaceByKey } from "../../../core/place/stack-counts.ts";
import { withoutAttachmentContents } from "../../../core/report/attachment.ts";
import { formatTitle } from "../../../core/report/title.ts";
import type { Digest, ReportId } from "../../../core/report.ts";
import {
  getResolutions,
  toOriginalReport,
} from "../../../core/symbolication/report/original-stack.ts";
import { noteArrival } from "../../../ui/failure/note-arrival.ts";
import { IssuePage } from "../../../ui/issue/issue-page.tsx";
import { DefaultListLink, ListPosition } from "../../../ui/issues/list-position.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import { parseListName } from "../../../ui/urls/issue-list-urls.ts";
import { toIssueUrl, toReportUrl } from "../../../ui/urls/issue-urls.ts";
import { toLookupUrl } from "../../../ui/urls/lookup-urls.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse, UNKNOWN_DIGEST_DETAIL } from "../../failure-response.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import { toIssueJson, toOtherProjectsJson } from "../../issue-json.ts";
import { toProjectUrl } from "../../project-url.ts";
import { toReportJson } from "../../report-json.ts";
import { ignoreRejection, wantsJson } from "../../send-page.tsx";
import { symbolicate, symbolicateAll } from "../../symbolicate.ts";
import { awaitOrNull, respondOrUnavailable } from "../../unavailable.ts";
import { findInOtherProjects } from "../lookup/find-in-other-projects.ts";
import { listLikelyDigests, lookUp } from "../lookup/look-up.ts";
import { sendUnknownCodePage } from "../lookup/unknown-code.tsx";
import { findReport, type LoadedIssue, loadIssue } from "./load-issue.ts";

const ROUTE = "/d/:digest";
/** The longest time that the chart of an issue shows. */
const CHARTED_MS = 31 * 86_400_000;
const PLACE_PARAM = "place";
/** Maximum of reports with bodies in one response; the others are listed with their positions. */
const REPORTS_IN_JSON = 10;

type ResponseFormat = "page" | "json" | "markdown";

/**
 * Serves the issue, or 404 with the reason. Other codes and the digests of merged issues are looked
 * up as aliases; another spelling of a digest redirects to the canonical one. `.json` works like
 * `Accept: application/json`, `.md` like `Accept: text/markdown`. `?report=<id>` selects a report,
 * `?place=<file:line function>` the reports that fail there. `?raw=1` shows stacks as they were
 * sent, `?open=1` the source of all frames. Programs get 503 while the index is unavailable.
 */
export function serveIssue(c: AppContext): Promise<Response> {
  const rawCode = c.req.param("digest") ?? "";
  const format = getFormat(c, rawCode);
  const answer = () => respondWithIssue(format, c, rawCode);
  return format === "page" ? answer() : respondOrUnavailable(c, answer);
}

async function respondWithIssue(
  format: ResponseFormat,
  c: AppContext,
  rawCode: string,
): Promise<Response> {
  const { projectStore } = c.get("services");
  const code = rawCode.replace(/\.(?:json|md)$/, "");
  const parsedDigest = parseDigest(code);
  if (parsedDigest.ok) {
    if (format === "page") {
      if (parsedDigest.value !== code) return c.redirect(toIssueUrl(parsedDigest.value), 302);
      const loaded = await loadIssue(c, parsedDigest.value);
      if (loaded !== null) return sendIssuePage(c, loaded);
    } else {
      const knownIssue = await projectStore.getFreshIssue(parsedDigest.value);
      if (knownIssue !== null) return respondInFormat(format, c, knownIssue);
    }
  }
  return resolveOtherCode(c, code, {
    format,
    knownMissing: parsedDigest.ok ? parsedDigest.value : undefined,
  });
}

function getFormat(c: AppContext, rawCode: string): ResponseFormat {
  if (rawCode.endsWith(".json") || wantsJson(c)) return "json";
  const accept = c.req.header("accept") ?? "";
  const isMarkdown = accept.includes("text/markdown") && !accept.includes("text/html");
  return rawCode.endsWith(".md") || isMarkdown ? "markdown" : "page";
}

function respondInFormat(
  format: "json" | "markdown",
  c: AppContext,
  knownIssue: Issue,
): Promise<Response> {
  return format === "json" ? respondWithJson(c, knownIssue) : respondWithMarkdown(c, knownIssue);
}

/** Serves a code that is not the digest of an issue: the issues that it leads to, or none. */
async function resolveOtherCode(
  c: AppContext,
  code: string,
  { format, knownMissing }: { format: ResponseFormat; knownMissing: Digest | undefined },
): Promise<Response> {
  const result = await lookUp(c.get("services").projectStore, code, knownMissing);
  const [match, ...others] = result.matches;
  if (format !== "page") {
    if (match !== undefined && others.length === 0) return respondInFormat(format, c, match.issue);
    const hits = result.matches.map(({ issue: { digest }, path }) => ({
      digest,
      url: toProjectUrl(c, path),
    }));
    const likely = listLikelyDigests(result);
    const detail = likely
      ? "The check character does not match, so at least one character is wrong."
      : UNKNOWN_DIGEST_DETAIL;
    const elsewhere = likely || hits.length > 0 ? [] : await findInOtherProjects(c, result);
    return c.json(
      {
        ...{ reason: "unknown-digest", detail, hits },
        ...(likely && { likely }),
        ...(elsewhere.length > 0 && { otherProjects: toOtherProjectsJson(elsewhere) }),
      },
      404,
    );
  }
  if (match === undefined)
    return sendUnknownCodePage(c, { query: code, lookup: result, route: ROUTE });
  if (others.length > 0) return c.redirect(toLookupUrl(code), 302);
  const reportId = c.req.query("report");
  const isAsked = reportId !== undefined && !match.path.includes("?");
  return c.redirect(isAsked ? toReportUrl(match.issue.digest, reportId) : match.path, 302);
}

/**
 * The issue with its newest reports, trusted ones first, and annotations; with `?report=<id>`, only
 * that report.
 */
async function respondWithJson(c: AppContext, knownIssue: Issue): Promise<Response> {
  const { projectStore } = c.get("services");
  const project = c.get("project");
  const reportId = c.req.query("report");
  if (reportId !== undefined) {
    const report = await findReport(projectStore, knownIssue, reportId);
    if (report !== null) return c.json(toReportJson(report, await symbolicate(c, report), project));
    return toFailureResponse({ reason: "unknown-report" });
  }
  const ofPlace = listReportsOfPlace(c, knownIssue);
  const [annotations, bodies] = await Promise.all([
    awaitOrNull(c, projectStore.getAnnotations(knownIssue.digest)),
    ofPlace === undefined
      ? projectStore.readReports(selectNewestReports(knownIssue.latestReports, REPORTS_IN_JSON))
      : Promise.all(ofPlace.map((id) => findReport(projectStore, knownIssue, id))),
  ]);
  const reports = bodies.filter((report) => report !== null).map(withoutAttachmentContents);
  const symbolications = await symbolicateAll(c, reports);
  return c.json({
    ...toIssueJson(c, knownIssue),
    ...(listSplitDigests(c).includes(knownIssue.digest) && { splitByStack: true }),
    annotations,
    reports: reports.map((report, n) => toReportJson(report, symbolications[n] ?? null, project)),
  });
}

/** The issue with its newest report, or the one selected by `?report=<id>`, as Markdown. */
async function respondWithMarkdown(c: AppContext, knownIssue: Issue): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  const reportId = c.req.query("report") ?? listReportsOfPlace(c, knownIssue)?.[0];
  const report = await findReport(projectStore, knownIssue, reportId);
  if (report === null && reportId !== undefined)
    return toFailureResponse({ reason: "unknown-report" });
  const url = new URL(toProjectUrl(c, toIssueUrl(knownIssue.digest)), c.req.url).href;
  const symbolication = await symbolicate(c, report);
  const project = c.get("project");
  const options = { issue: knownIssue, report, symbolication, project, url, nowMs: nowMs() };
  return c.body(issueToMarkdown(options), 200, { "Content-Type": "text/markdown; charset=utf-8" });
}

/** The digests that the page's project splits by stack, in the copy that authentication read. */
function listSplitDigests(c: AppContext): readonly Digest[] {
  const known = c.get("services").registry.getLastCopy();
  return (known && findProject(known, c.get("project"))?.splitDigests) ?? [];
}

/** The stored reports of the place in `?place=`, newest first; undefined without the parameter. */
function listReportsOfPlace(c: AppContext, issue: Issue): readonly ReportId[] | undefined {
  const key = c.req.query(PLACE_PARAM);
  if (key === undefined) return undefined;
  return findPlaceByKey(issue.stacks, key)?.reports.map(([id]) => id) ?? [];
}

async function sendIssuePage(c: AppContext, loaded: LoadedIssue): Promise<Response> {
  const { projectStore, sourceMaps, nowMs } = c.get("services");
  const { issue: knownIssue, freshIssue } = loaded;
  const { digest } = knownIssue;
  const reportId = c.req.query("report") ?? listReportsOfPlace(c, knownIssue)?.[0];
  const listName = c.req.query("list");
  const list = listName === undefined ? undefined : parseListName(listName, c.req.query("sort"));
  const report = noteArrival(
    freshIssue.then((exact) => exact && findReport(projectStore, exact, reportId)),
  );
  const other = noteArrival(
    freshIssue.then(async (exact) => {
      const summary = exact === null ? undefined : findCounterpart(exact, reportId);
      const body = summary === undefined ? null : await projectStore.readReport(summary);
      return body && toOriginalReport(body, getResolutions(await symbolicate(c, body)));
    }),
  );
  const symbolication = noteArrival(report.then((body) => symbolicate(c, body)));
  const deploys = noteArrival(awaitOrNull(c, sourceMaps.listDeploys(nowMs() - CHARTED_MS)));
  // A page that is rendered in one piece costs a third less, and begins no later.
  const all = ignoreRejection(Promise.all([symbolication, other, deploys]));
  await Promise.race([all, loaded.snapshotRead]).catch(() => undefined);
  return sendPageWithFlash(c, (flash) => ({
    title: formatTitle(knownIssue),
    route: ROUTE,
    content: (
      <Layout current="issues" isSignedIn flash={flash}>
        <IssuePage
          digest={digest}
          snapshot={knownIssue}
          freshIssue={freshIssue}
          report={report}
          symbolication={symbolication}
          counterpart={other}
          annotations={loaded.annotations}
          deploys={deploys}
          similar={loaded.similar}
          splitDigests={listSplitDigests(c)}
          reportId={reportId}
          placeKey={c.req.query(PLACE_PARAM)}
          isAllOpen={c.req.query("open") === "1"}
          nowMs={nowMs()}
          listPosition={
            list === undefined ? (
              <DefaultListLink />
            ) : (
              <ListPosition
                digest={digest}
                list={list}
                neighbors={awaitOrNull(c, projectStore.findNeighbors(list, digest))}
              />
            )
          }
        />
      </Layout>
    ),
  }));
}

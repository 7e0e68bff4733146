/**
 * `/d/<digest>`: an issue with its newest reports, and one report in full; as a page, JSON or
 * Markdown.
 */

import type { Issue } from "../../../core/issue/issue.ts";
import { issueToMarkdown } from "../../../core/issue/issue-to-markdown.ts";
import { findCounterpart, findLatestReport } from "../../../core/issue/related-reports.ts";
import type { IssueReleases } from "../../../core/ports/source-maps-port.ts";
import { formatTitle } from "../../../core/report/title.ts";
import type { Digest, Report } from "../../../core/report.ts";
import type { CodeSettings } from "../../../core/repositories/repository.ts";
import { ISSUE_PERIOD } from "../../../core/scope.ts";
import {
  getResolutions,
  type Symbolication,
  toOriginalReport,
} from "../../../core/symbolication/report/original-stack.ts";
import {
  createFinder,
  findOwner,
  loadCodeSettings,
  loadCommits,
} from "../../../operations/code.ts";
import { findErasure } from "../../../operations/find-erasure.ts";
import { findSuspects } from "../../../operations/issue-and-release.ts";
import {
  findReport,
  getIssue,
  getReport,
  listReportsOfPlace,
  listSplitDigests,
} from "../../../operations/issue-reads.ts";
import { lookUpIssues } from "../../../operations/lookup.ts";
import type { Call } from "../../../operations/operation.ts";
import { toOwnQuery } from "../../../operations/own-query.ts";
import { readReactTextsFor, symbolicate } from "../../../operations/report-output.ts";
import { noteArrival } from "../../../ui/failure/note-arrival.ts";
import { IssuePage } from "../../../ui/issue/issue-page.tsx";
import type { ReportCode } from "../../../ui/issue/selected-report.tsx";
import { DefaultListLink, ListPosition } from "../../../ui/issues/list-position.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import { parseListName } from "../../../ui/urls/issue-list-urls.ts";
import { toIssueUrl } from "../../../ui/urls/issue-urls.ts";
import { toLookupUrl } from "../../../ui/urls/lookup-urls.ts";
import type { AppContext } from "../../context.ts";
import { readEditorCookie } from "../../editor-cookie.ts";
import { toFailureResponse, UNKNOWN_DIGEST_DETAIL } from "../../failure-response.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import { addIssueUrls, addLookupUrls, toFoundPath } from "../../issue-urls.ts";
import { toCall, toReadFailureResponse } from "../../operation-call.ts";
import { toProjectUrl } from "../../project-url.ts";
import { readScope } from "../../scope-cookie.ts";
import { ignoreRejection, wantsJson } from "../../send-page.tsx";
import { awaitOrNull, respondOrUnavailable } from "../../unavailable.ts";
import { sendUnknownCodePage } from "../lookup/unknown-code.tsx";
import { type LoadedIssue, loadIssue } from "./load-issue.ts";

const ROUTE = "/d/:digest";
/** The longest time that the chart of an issue shows. */
const CHARTED_MS = 31 * 86_400_000;
const PLACE_PARAM = "place";
/** `?raw=1` shows stacks as they were sent. */
const RAW_PARAM = "raw";

type ResponseFormat = "page" | "json" | "markdown";

/** A code that is not the digest of an issue; `missing` if it is one. */
interface OtherCode {
  readonly text: string;
  readonly missing: Digest | undefined;
}

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
  const answer = () => serveIssueAs(format, c, rawCode);
  return format === "page" ? answer() : respondOrUnavailable(c, answer);
}

async function serveIssueAs(
  format: ResponseFormat,
  c: AppContext,
  rawCode: string,
): Promise<Response> {
  const code = rawCode.replace(/\.(?:json|md)$/, "");
  const admitted = getIssue.admit({ digest: code }, toCall(c));
  const digest = admitted.ok ? admitted.value.digest : undefined;
  if (digest !== undefined) {
    if (format !== "page") {
      const response = await respondInFormat(format, c, digest);
      if (response !== null) return response;
    } else {
      if (digest !== code) return c.redirect(toIssueUrl(digest), 302);
      const loaded = await loadIssue(c, digest);
      if (loaded !== null) return sendIssuePage(c, loaded);
    }
  }
  const input = { text: code, missing: digest };
  return format === "page" ? openOtherCode(c, input) : respondWithOtherCode(format, c, input);
}

function getFormat(c: AppContext, rawCode: string): ResponseFormat {
  if (rawCode.endsWith(".json") || wantsJson(c)) return "json";
  const accept = c.req.header("accept") ?? "";
  const isMarkdown = accept.includes("text/markdown") && !accept.includes("text/html");
  return rawCode.endsWith(".md") || isMarkdown ? "markdown" : "page";
}

/** Serves the issue of a digest; null if there is none. */
async function respondInFormat(
  format: "json" | "markdown",
  c: AppContext,
  digest: Digest,
): Promise<Response | null> {
  const [report, place] = [c.req.query("report"), c.req.query(PLACE_PARAM)];
  if (format === "markdown") return respondWithMarkdown(c, digest, { report, place });
  const call = toCall(c);
  const done =
    report === undefined
      ? await getIssue.perform({ digest, place, asSent: isAsSent(c) }, call)
      : await getReport.perform({ digest, report, asSent: isAsSent(c) }, call);
  if (!done.ok) return done.reason === "unknown-digest" ? null : toReadFailureResponse(done);
  return c.json(report === undefined ? addIssueUrls(c, done.value) : done.value);
}

/** The issue with its newest report, or the selected one, as Markdown. */
async function respondWithMarkdown(
  c: AppContext,
  digest: Digest,
  selected: { readonly report: string | undefined; readonly place: string | undefined },
): Promise<Response | null> {
  const call = toCall(c);
  const { project, services } = call;
  const loaded = await getIssue.load({ digest }, call);
  if (!loaded.ok) return null;
  const issue = loaded.value;
  const reportId = selected.report ?? listReportsOfPlace(issue, selected.place)?.[0];
  const report = await findReport(services.projectStore, issue, reportId);
  if (report === null && reportId !== undefined)
    return toFailureResponse({ reason: "unknown-report" });
  const url = new URL(toProjectUrl(c, toIssueUrl(digest)), c.req.url).href;
  const [[symbolication = null], reactTexts, settings, commitsOf] = await Promise.all([
    symbolicate(call, [report], isAsSent(c)),
    readReactTextsFor(call, [report]),
    loadCodeSettings(call),
    loadCommits(call, [report?.release]),
  ]);
  const finder = report === null ? undefined : createFinder(settings, report, commitsOf);
  const nowMs = services.nowMs();
  const options = { issue, report, symbolication, reactTexts, finder, project, url, nowMs };
  return c.body(issueToMarkdown(options), 200, { "Content-Type": "text/markdown; charset=utf-8" });
}

/** True if stacks are wanted as they were sent. */
function isAsSent(c: AppContext): boolean {
  return c.req.query(RAW_PARAM) === "1";
}

/** Redirects from a code that is no digest of an issue to the page that it leads to. */
async function openOtherCode(c: AppContext, input: OtherCode): Promise<Response> {
  const loaded = await lookUpIssues.load(input, toCall(c));
  if (!loaded.ok) return toReadFailureResponse(loaded);
  const [match, ...others] = loaded.value.matches;
  if (match === undefined)
    return sendUnknownCodePage(c, { query: input.text, lookup: loaded.value, route: ROUTE });
  if (others.length > 0) return c.redirect(toLookupUrl(input.text), 302);
  const report = match.report ?? c.req.query("report");
  return c.redirect(toFoundPath({ issue: match.issue, report }), 302);
}

/** Serves the only issue that such a code leads to, otherwise 404 with what it may mean. */
async function respondWithOtherCode(
  format: "json" | "markdown",
  c: AppContext,
  input: OtherCode,
): Promise<Response> {
  const done = await lookUpIssues.perform(input, toCall(c));
  if (!done.ok) return toReadFailureResponse(done);
  const [hit, ...others] = done.value.hits;
  const response =
    hit === undefined || others.length > 0 ? null : await respondInFormat(format, c, hit.digest);
  if (response !== null) return response;
  const { hits, likely, otherProjects } = addLookupUrls(c, done.value);
  const detail = likely
    ? "The check character does not match, so at least one character is wrong."
    : UNKNOWN_DIGEST_DETAIL;
  return c.json({ reason: "unknown-digest", detail, hits, likely, otherProjects }, 404);
}

async function sendIssuePage(c: AppContext, loaded: LoadedIssue): Promise<Response> {
  const { projectStore, sourceMaps, alerts, config, nowMs, waitUntil, logProblem } =
    c.get("services");
  const refreshTracker = async (exact: Issue | null) => {
    const { tracker, item } = exact?.tracker ?? {};
    if (exact === null || tracker === undefined || item === undefined) return;
    await alerts.refreshTracker({ digest: exact.digest, tracker, item });
  };
  const call = toCall(c);
  const resolve = async (one: Report | null) => {
    const [symbolication = null] = await symbolicate(call, [one], isAsSent(c));
    return symbolication;
  };
  const { issue: knownIssue, freshIssue } = loaded;
  const { digest } = knownIssue;
  // No webhook may have said that it was closed in its tracker. The page does not wait.
  waitUntil(freshIssue.then(refreshTracker).catch(logProblem));
  const placeKey = c.req.query(PLACE_PARAM);
  const reportId = c.req.query("report") ?? listReportsOfPlace(knownIssue, placeKey)?.[0];
  const listName = c.req.query("list");
  const list = listName === undefined ? undefined : parseListName(listName, c.req.query("sort"));
  const report = noteArrival(
    freshIssue.then((exact) => exact && findReport(projectStore, exact, reportId)),
  );
  const erasure = noteArrival(
    Promise.all([freshIssue, report]).then(async ([exact, one]) => {
      if (exact === null || one !== null) return null;
      const id = reportId ?? findLatestReport(exact.latestReports)?.id;
      const receivedMs = exact.latestReports.find((listed) => listed.id === id)?.atMs;
      const { registry } = c.get("services");
      const entries = await awaitOrNull(c, registry.listAuditEntries(call.project));
      return findErasure(entries ?? [], digest, { id, receivedMs });
    }),
  );
  const other = noteArrival(
    freshIssue.then(async (exact) => {
      const summary = exact === null ? undefined : findCounterpart(exact, reportId);
      const body = summary === undefined ? null : await projectStore.readReport(summary);
      return body && toOriginalReport(body, getResolutions(await resolve(body)));
    }),
  );
  const symbolication = noteArrival(report.then(resolve));
  const trace = noteArrival(
    awaitOrNull(
      c,
      report.then((one) => (one?.traceId ? projectStore.listTrace(one.traceId) : [])),
    ),
  );
  const reactTexts = noteArrival(report.then((one) => readReactTextsFor(call, [one])));
  const releases = awaitOrNull(
    c,
    sourceMaps.readReleases(nowMs() - CHARTED_MS, knownIssue.firstRelease),
  );
  const deploys = noteArrival(releases.then((known) => known?.deploys ?? null));
  const suspects = noteArrival(
    Promise.all([releases, report, symbolication]).then(([known, one, resolved]) =>
      findSuspects(known?.commits ?? [], one, resolved),
    ),
  );
  const code = noteArrival(
    Promise.all([loaded.code, report, symbolication, releases]).then(
      ([settings, one, resolved, known]) =>
        one && findCode(call, settings, one, resolved, [knownIssue.firstRelease, known]),
    ),
  );
  // A page that is rendered in one piece costs a third less, and begins no later.
  const all = ignoreRejection(Promise.all([suspects, reactTexts, other, trace, deploys, code]));
  await Promise.race([all, loaded.snapshotRead]).catch(() => undefined);
  return sendPageWithFlash(c, (flash) => ({
    title: formatTitle(knownIssue),
    route: ROUTE,
    scope: readScope(c, ISSUE_PERIOD),
    content: (
      <Layout current="issues" isSignedIn flash={flash} scoped="issue">
        <IssuePage
          digest={digest}
          snapshot={knownIssue}
          freshIssue={freshIssue}
          report={report}
          erasure={erasure}
          retentionDays={config.retentionDays}
          symbolication={symbolication}
          reactTexts={reactTexts}
          counterpart={other}
          trace={trace}
          annotations={loaded.annotations}
          deploys={deploys}
          suspects={suspects}
          code={code}
          similar={loaded.similar}
          comparison={loaded.comparison}
          fix={loaded.fix}
          splitDigests={listSplitDigests(call)}
          reportId={reportId}
          placeKey={placeKey}
          isAllOpen={c.req.query("open") === "1"}
          editor={readEditorCookie(c, call.project)}
          nowMs={nowMs()}
          listPosition={
            list === undefined ? (
              <DefaultListLink />
            ) : (
              <ListPosition
                digest={digest}
                list={list}
                neighbors={awaitOrNull(
                  c,
                  projectStore.findNeighbors(toOwnQuery(list, call), digest),
                )}
              />
            )
          }
        />
      </Layout>
    ),
  }));
}

/** Where the code of a report is, and who owns it. `known` has the commits of the first release. */
async function findCode(
  call: Call,
  settings: CodeSettings,
  report: Report,
  symbolication: Symbolication | null,
  [firstRelease, known]: readonly [release: string | undefined, known: IssueReleases | null],
): Promise<ReportCode> {
  const isFirst = report.release === firstRelease;
  const commitsOf = isFirst
    ? () => known?.commits ?? []
    : await loadCommits(call, [report.release]);
  const finder = createFinder(settings, report, commitsOf);
  return { finder, owner: findOwner(call, settings, report, symbolication, finder) };
}

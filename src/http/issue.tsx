/** `/d/<digest>`: an issue, its newest reports, and one of them in full; as a page, as JSON and as Markdown. */

import { withoutFiles } from "../core/attachment.ts";
import { readDigest } from "../core/digest.ts";
import type { Issue } from "../core/issue.ts";
import { issueMarkdown } from "../core/issue-markdown.ts";
import { otherSideOf } from "../core/open-report.ts";
import type { Digest } from "../core/report.ts";
import { titleOf } from "../core/title.ts";
import { issueUrl, reportUrl } from "../ui/issue/issue-url.ts";
import { Layout } from "../ui/layout.tsx";
import { lookupUrl } from "../ui/lookup-url.ts";
import { IssuePage } from "../ui/pages/issue-page.tsx";
import { sendPageAfter } from "./done.ts";
import { failureResponse, UNKNOWN_DIGEST } from "./failures.ts";
import { find, likelyDigests, reportFor } from "./find.ts";
import { here } from "./here.ts";
import { issueFields } from "./issue-json.ts";
import { optional, wantsJson } from "./page.tsx";
import type { AppContext } from "./services.ts";
import { sendUnknown } from "./unknown.tsx";
import { answerOrUnavailable, unlessAway } from "./unless-away.ts";

const ROUTE = "/d/:digest";
/** Bodies in one answer: the newest few say what is going on, the others are named with their places. */
const REPORTS_IN_JSON = 10;

type Form = "page" | "json" | "markdown";

/**
 * The issue's page: 200, or 404 with the reason. A code that is no digest of ours is looked up as an alias, and so is the digest of
 * an issue that was merged; a digest in another spelling leads to its canonical address. `.json` behind the digest gives what
 * `Accept: application/json` does, `.md` what `Accept: text/markdown` does. `?report=<id>` says which of its reports is meant.
 * Programs get 503 while the index is away.
 */
export function issue(c: AppContext): Promise<Response> {
  const asked = c.req.param("digest") ?? "";
  const form = formOf(c, asked);
  const answer = () => issueIn(form, c, asked);
  return form === "page" ? answer() : answerOrUnavailable(c, answer);
}

async function issueIn(form: Form, c: AppContext, asked: string): Promise<Response> {
  const { desk } = c.get("services");
  const code = asked.replace(/\.(?:json|md)$/, "");
  const reading = readDigest(code);
  if (reading.ok) {
    if (form === "page") {
      if (reading.value !== code) return c.redirect(issueUrl(reading.value), 302);
      const known = await desk.issue(reading.value);
      if (known !== null) return issuePage(c, known);
    } else {
      const known = await desk.issueNow(reading.value);
      if (known !== null) return issueAs(form, c, known);
    }
  }
  return elsewhere(c, code, { form, missing: reading.ok ? reading.value : undefined });
}

function formOf(c: AppContext, asked: string): Form {
  if (asked.endsWith(".json") || wantsJson(c)) return "json";
  const accept = c.req.header("accept") ?? "";
  const isMarkdown = accept.includes("text/markdown") && !accept.includes("text/html");
  return asked.endsWith(".md") || isMarkdown ? "markdown" : "page";
}

function issueAs(form: "json" | "markdown", c: AppContext, known: Issue): Promise<Response> {
  return form === "json" ? issueJson(c, known) : issueText(c, known);
}

/** A code that names no issue by itself: one or several issues that it leads to, or none. */
async function elsewhere(
  c: AppContext,
  code: string,
  { form, missing }: { readonly form: Form; readonly missing: Digest | undefined },
): Promise<Response> {
  const found = await find(c.get("services").desk, code, missing);
  const [only, ...others] = found.hits;
  if (form !== "page") {
    if (only !== undefined && others.length === 0) return issueAs(form, c, only.issue);
    const hits = found.hits.map(({ issue: { digest }, url }) => ({ digest, url: here(c, url) }));
    const likely = likelyDigests(found);
    const detail = likely
      ? "The check character does not fit: one character was misread."
      : UNKNOWN_DIGEST;
    return c.json({ reason: "unknown-digest", detail, hits, ...(likely && { likely }) }, 404);
  }
  if (only === undefined) return sendUnknown(c, { query: code, found, route: ROUTE });
  if (others.length > 0) return c.redirect(lookupUrl(code), 302);
  const reportId = c.req.query("report");
  const isAsked = reportId !== undefined && !only.url.includes("?");
  return c.redirect(isAsked ? reportUrl(only.issue.digest, reportId) : only.url, 302);
}

/** The issue with its newest reports and what people added to it; with `?report=<id>` that one report alone. */
async function issueJson(c: AppContext, known: Issue): Promise<Response> {
  const { desk } = c.get("services");
  const reportId = c.req.query("report");
  if (reportId !== undefined) {
    const report = await reportFor(desk, known, reportId);
    if (report !== null) return c.json(report);
    return failureResponse({ reason: "unknown-report" });
  }
  const [notes, reports] = await Promise.all([
    unlessAway(c, desk.notes(known.digest)),
    desk.reports(known.latest.slice(0, REPORTS_IN_JSON)),
  ]);
  return c.json({
    ...issueFields(c, known),
    notes,
    reports: reports.filter((report) => report !== null).map(withoutFiles),
  });
}

/** The issue with its newest report, or the one that `?report=<id>` names, as Markdown. */
async function issueText(c: AppContext, known: Issue): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const reportId = c.req.query("report");
  const report = await reportFor(desk, known, reportId);
  if (report === null && reportId !== undefined)
    return failureResponse({ reason: "unknown-report" });
  const url = absoluteUrl(c, known.digest);
  return c.body(issueMarkdown({ issue: known, report, url, nowMs: nowMs() }), 200, {
    "Content-Type": "text/markdown; charset=utf-8",
  });
}

function issuePage(c: AppContext, known: Issue): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const { digest } = known;
  const reportId = c.req.query("report");
  const now = optional(desk.issueNow(digest));
  const report = optional(now.then((exact) => exact && reportFor(desk, exact, reportId)));
  const other = optional(
    now.then((exact) => {
      const mark = exact === null ? undefined : otherSideOf(exact, reportId);
      return mark === undefined ? null : desk.report(mark);
    }),
  );
  return sendPageAfter(c, (done) => ({
    title: titleOf(known),
    route: ROUTE,
    content: (
      <Layout current="issues" deskOpen done={done}>
        <IssuePage
          digest={digest}
          url={absoluteUrl(c, digest)}
          issue={known}
          now={now}
          report={report}
          other={other}
          notes={unlessAway(c, desk.notes(digest))}
          similar={unlessAway(c, desk.similar(digest))}
          reportId={reportId}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  }));
}

/** The page's address with the origin at which it was asked for. */
function absoluteUrl(c: AppContext, digest: Digest): string {
  return new URL(here(c, issueUrl(digest)), c.req.url).href;
}

/** `/d/<digest>`: an issue, its newest reports, and one of them in full; as a page and as JSON. */

import { withoutFiles } from "../core/attachment.ts";
import { stateOf } from "../core/decision.ts";
import { readDigest } from "../core/digest.ts";
import type { Issue } from "../core/issue.ts";
import { titleOf } from "../core/title.ts";
import { countVisitors } from "../core/visitors.ts";
import { Layout } from "../ui/layout.tsx";
import { IssuePage } from "../ui/pages/issue-page.tsx";
import { failureResponse } from "./failures.ts";
import { find, issueUrl, likelyDigests, reportFor } from "./find.ts";
import { optional, sendPage, wantsJson } from "./page.tsx";
import type { AppContext } from "./services.ts";
import { sendUnknown } from "./unknown.tsx";

const ROUTE = "/d/:digest";
/** Bodies in one answer: the newest few say what is going on, the others are named with their places. */
const REPORTS_IN_JSON = 10;

/**
 * The issue's page: 200, or 404 with the reason. A code that is no digest of ours is looked up as an alias; a digest in
 * another spelling leads to its canonical address. `.json` behind the digest gives what `Accept: application/json` does.
 */
export async function issue(c: AppContext): Promise<Response> {
  const { desk } = c.get("services");
  const asked = c.req.param("digest") ?? "";
  const json = asked.endsWith(".json") || wantsJson(c);
  const code = asked.replace(/\.json$/, "");
  const reading = readDigest(code);
  if (reading.ok) {
    if (reading.value !== code && !json) return c.redirect(issueUrl(reading.value), 302);
    const known = await (json ? desk.issueNow(reading.value) : desk.issue(reading.value));
    if (known !== null && json) return issueJson(c, known);
    if (known !== null) return issuePage(c, known);
  }
  return elsewhere(c, code, json);
}

/** A code that names no issue by itself: one or several issues that it leads to, or none. */
async function elsewhere(c: AppContext, code: string, json: boolean): Promise<Response> {
  const found = await find(c.get("services").desk, code);
  const [only, ...others] = found.hits;
  if (json) {
    if (only !== undefined && others.length === 0) return issueJson(c, only.issue);
    const hits = found.hits.map(({ issue: { digest }, url }) => ({ digest, url }));
    const likely = likelyDigests(found);
    const detail = likely
      ? "The check character does not fit: one character was misread."
      : "No issue has this digest. It may be on its way, or forgotten.";
    return c.json({ reason: "unknown-digest", detail, hits, ...(likely && { likely }) }, 404);
  }
  if (only === undefined) return sendUnknown(c, { query: code, found, route: ROUTE });
  if (others.length > 0) return c.redirect(`/lookup?q=${encodeURIComponent(code)}`, 302);
  const reportId = c.req.query("report");
  const isAsked = reportId !== undefined && !only.url.includes("?");
  return c.redirect(isAsked ? `${only.url}?report=${encodeURIComponent(reportId)}` : only.url, 302);
}

/** The issue with its newest reports; with `?report=<id>` that one report alone. */
async function issueJson(c: AppContext, known: Issue): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const reportId = c.req.query("report");
  if (reportId !== undefined) {
    const report = await reportFor(desk, known, reportId);
    if (report !== null) return c.json(report);
    return failureResponse({ reason: "unknown-report" });
  }
  const reports = await Promise.all(
    known.latest.slice(0, REPORTS_IN_JSON).map((m) => desk.report(m)),
  );
  return c.json({
    ...issueFields(known, nowMs()),
    reports: reports.filter((report) => report !== null).map(withoutFiles),
  });
}

/** What JSON says of an issue itself; its state as it stands at `nowMs`, and in `decision` what people decided. */
export function issueFields({ visitors, upTo: _, ...known }: Issue, nowMs: number) {
  return {
    title: titleOf(known),
    url: issueUrl(known.digest),
    firstSeen: new Date(known.firstSeenMs).toISOString(),
    lastSeen: new Date(known.lastSeenMs).toISOString(),
    ...known,
    state: stateOf(known, nowMs),
    ...(visitors !== undefined && { people: countVisitors(visitors) }),
  };
}

function issuePage(c: AppContext, known: Issue): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const reportId = c.req.query("report");
  const now = optional(desk.issueNow(known.digest));
  const report = optional(now.then((exact) => exact && reportFor(desk, exact, reportId)));
  return sendPage(c, {
    title: titleOf(known),
    route: ROUTE,
    content: (
      <Layout deskOpen>
        <IssuePage
          digest={known.digest}
          issue={known}
          now={now}
          report={report}
          reportId={reportId}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
}

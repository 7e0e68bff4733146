/** Atom feeds of saved views: `/feeds/<token>.atom`, public, and the form for their addresses. */
import { FIRST_PROJECT_ID } from "../../../core/accounts/project-path.ts";
import { findProject } from "../../../core/accounts/registry.ts";
import type { AlertedIssue } from "../../../core/alerts/alert-message.ts";
import { formatAtomFeed } from "../../../core/alerts/formats/atom-feed.ts";
import { toHex } from "../../../core/hex.ts";
import type { IssueSummary } from "../../../core/issue/issue.ts";
import { parseIssueQuery } from "../../../core/issue/issue-query.ts";
import { formatCulprit } from "../../../core/place/issue-place.ts";
import { ok } from "../../../core/result.ts";
import { createFeed, revokeFeed } from "../../../operations/alert-changes.ts";
import { ALERT_SETTINGS_URL, toFeedUrl } from "../../../ui/urls/alert-urls.ts";
import { toIssueListUrl } from "../../../ui/urls/issue-list-urls.ts";
import { toIssueUrl } from "../../../ui/urls/issue-urls.ts";
import { toReceiptUrl } from "../../../ui/urls/receipt-urls.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failure-response.ts";
import { expected, type FormFields, type Parsed, readForm } from "../../forms/form-body.ts";
import { rerenderFormOnError } from "../../forms/form-error-page.ts";
import { respondWithSecret } from "../../forms/respond.ts";
import { admitVisitor } from "../../ingest/admission.ts";
import { perform } from "../../operation-call.ts";
import { toProjectUrl } from "../../project-url.ts";
import { awaitOrNull } from "../../unavailable.ts";
import { sendAlertSettingsPage } from "./alert-settings.tsx";

const MAX_ENTRIES = 50;
const MAX_RETURNS = 20;
const MAX_TAG_CHARS = 500;

/**
 * Serves the feed of a view: its newest issues, and those that returned last. It has a tag, so that
 * readers that have it get 304. 404 for an unknown address, 429 over the rate
 * limit of receipts, 503 while the index is unavailable.
 */
export async function serveFeed(c: AppContext): Promise<Response> {
  const { projectStore, registry, sha256, nowMs } = c.get("services");
  const admission = await admitVisitor(c.get("services"), c.req.raw);
  if (!admission.ok) return toFailureResponse(admission);
  const [, token] = /^([0-9a-f]{32})(?:\.atom)?$/.exec(c.req.param("token") ?? "") ?? [];
  if (token === undefined) return toFailureResponse({ reason: "not-found", what: "feed" });
  const feedHash = toHex(sha256(token));
  const views = await awaitOrNull(c, projectStore.listViews());
  if (views === null) return toFailureResponse({ reason: "index-unavailable" });
  const view = views.find((one) => one.feedHash === feedHash);
  if (view === undefined) return toFailureResponse({ reason: "not-found", what: "feed" });
  const query = parseIssueQuery(view.query, "first");
  const returned = { ...parseIssueQuery(view.query, "last"), isRegressed: true };
  const pages = await awaitOrNull(
    c,
    Promise.all([
      projectStore.listIssues(query, undefined, MAX_ENTRIES),
      projectStore.listIssues(returned, undefined, MAX_RETURNS),
    ]),
  );
  if (pages === null) return toFailureResponse({ reason: "index-unavailable" });
  const id = c.get("project") ?? FIRST_PROJECT_ID;
  const { name = "" } = findProject(await registry.readCopy(), id) ?? {};
  const toUrl = (path: string) => new URL(toProjectUrl(c, path), c.req.url).href;
  const xml = formatAtomFeed({
    title: view.name,
    project: { id, name, url: toUrl("/") },
    url: toUrl(toIssueListUrl({ query: parseIssueQuery(view.query, view.sort) })),
    selfUrl: toUrl(toFeedUrl(token)),
    issues: listEntries(pages.map(({ issues }) => issues)).map((issue) => toEntry(issue, toUrl)),
    nowMs: nowMs(),
  });
  const tag = `"${toHex(sha256(xml)).slice(0, 32)}"`;
  const headers = { ETag: tag, "Cache-Control": "private, no-cache" };
  const known = (c.req.header("If-None-Match") ?? "").slice(0, MAX_TAG_CHARS).split(/\s*,\s*/);
  if (known.some((one) => one === "*" || one.replace(/^W\//, "") === tag))
    return new Response(null, { status: 304, headers });
  return new Response(xml, {
    headers: { ...headers, "Content-Type": "application/atom+xml; charset=utf-8" },
  });
}

/** The issues of both pages, each once. */
function listEntries(pages: readonly (readonly IssueSummary[])[]): readonly IssueSummary[] {
  const issues = pages.flat();
  return [...new Map(issues.map((issue) => [issue.digest, issue])).values()];
}

function toEntry(issue: IssueSummary, toUrl: (path: string) => string): AlertedIssue {
  const { digest, kind, type, message, route, release, environment, trust } = issue;
  const { count, userCount, firstSeenMs, lastSeenMs, decision } = issue;
  return {
    digest,
    kind,
    type,
    message,
    trust,
    count,
    firstSeenMs,
    lastSeenMs,
    place: formatCulprit(issue),
    route,
    release,
    environment,
    userCount,
    returnedMs: decision?.regressedAtMs,
    links: { issue: toUrl(toIssueUrl(digest)), receipt: toUrl(toReceiptUrl(digest)) },
  };
}

/**
 * `POST /settings/alerts/feeds`: `do` is `create`, which replaces the address of the view's feed
 * and shows it once, or `revoke`. 404 for an unknown view.
 */
export async function updateFeed(c: AppContext): Promise<Response> {
  const act = async () => {
    const form = await readForm(c.req.raw, "bad-alert", parseFeedForm);
    if (!form.ok) return form;
    const { do: action, view } = form.value;
    const changed =
      action === "create"
        ? await perform(c, createFeed, { view }, "bad-alert")
        : await perform(c, revokeFeed, { view }, "bad-alert");
    if (!changed.ok) return changed;
    const secrets = "secrets" in changed.value ? changed.value.secrets : [];
    return ok({ secrets, redirectTo: `${ALERT_SETTINGS_URL}#feeds` });
  };
  const show = ([text = ""]: readonly string[]) =>
    sendAlertSettingsPage(c, { issued: { kind: "feed", text } });
  const response = await respondWithSecret(c, act, show, "index");
  return rerenderFormOnError(c, response, (rejected) => sendAlertSettingsPage(c, { rejected }));
}

function parseFeedForm(
  fields: FormFields,
): Parsed<{ readonly do: "create" | "revoke"; readonly view: string }> {
  const action = fields.get("do");
  const view = fields.get("view");
  if (action !== "create" && action !== "revoke") return expected("do to be create or revoke");
  return typeof view === "string" ? ok({ do: action, view }) : expected("the name of a view");
}

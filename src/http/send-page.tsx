/**
 * Sends pages: the only way from a handler to `renderPage`. Decides about streaming, headers and
 * error reporting for every page.
 */

import { getCookie } from "hono/cookie";
import type { ReactNode } from "react";
import type { SignedPage } from "../auth/page-tokens.ts";
import { LOCAL_ASSIGNEE, listMemberNames } from "../core/accounts/names.ts";
import { hasSignInMethod } from "../core/accounts/profile-changes.ts";
import { FIRST_PROJECT_ID, getProjectBasePath } from "../core/accounts/project-path.ts";
import { findInboxPerson } from "../core/ports/inbox-reader.ts";
import { createPageTraceId } from "../core/request/page-trace.ts";
import type { Scope } from "../core/scope.ts";
import { toPolicyHash } from "../core/trust/page-token-format.ts";
import type { Visitor } from "../core/visitors/languages/visitor-texts.ts";
import { findVisitor } from "../core/visitors/visitor-language.ts";
import { type RenderOptions, renderPage } from "../render/render-page.tsx";
import { SettingsLinks } from "../ui/layout/settings-frame.tsx";
import { type DeskInfo, DeskProvider, NO_DESK } from "../ui/parts/desk-context.tsx";
import { ScopeContext } from "../ui/parts/scope-switch.tsx";
import { OPENSEARCH_PATH } from "../ui/urls/lookup-urls.ts";
import { getAlertMarks } from "./alert-marks.ts";
import type { AppContext, Principal } from "./context.ts";
import { setPageTrace } from "./page-trace-cookie.ts";
import { createFailureReporter } from "./report-own-failures.ts";
import { readScope } from "./scope-cookie.ts";
import { createPageHeaders, createPolicy, createReportingUrl } from "./security-headers.ts";
import { formatSetCookieHeader } from "./set-cookie.ts";
import { readThemeCookie } from "./theme-cookie.ts";

/** `?streaming=off` turns streaming off; a cookie keeps it off for the next pages. */
const STREAMING_PARAM = "streaming";
const STREAMING_OFF = "off";
const NON_STREAMING_COOKIE = "errata-no-streaming";
const NON_STREAMING_COOKIE_SECONDS = 86_400;

const PRODUCT = "Errata";

/** The text of link previews and search results of a page without its own. */
const DESCRIPTION = "Find the error behind a code.";

/** A page. `route` is its pattern, such as `/d/:digest`. */
export interface PageOptions {
  readonly title: string;
  readonly route: string;
  readonly status?: number | undefined;
  /** One sentence for link previews. */
  readonly description?: string;
  /** True if the visitor is signed in, on pages that do not require it. */
  readonly isSignedIn?: boolean;
  /** What the page shows, if its URL says so; that of the browser by default. */
  readonly scope?: Scope;
  /** The visitor in whose language the page is; absent for pages in English. */
  readonly visitor?: Visitor | undefined;
  readonly content: ReactNode;
  readonly deadlineMs?: number;
  readonly script?: RenderOptions["script"];
  readonly failurePage?: RenderOptions["failurePage"];
}

/** Streams a page, or sends it complete to browsers without scripts. */
export async function sendPage(c: AppContext, page: PageOptions): Promise<Response> {
  const services = c.get("services");
  const { config } = services;
  const url = new URL(c.req.url);
  const nonce = services.newNonce();
  const traceId = createPageTraceId(services.newId());
  const policyHash = toPolicyHash(
    createPolicy(url, nonce, createReportingUrl(undefined)),
    services.sha256,
  );
  const reportingUrl = createReportingUrl(await signPageToken(c, { traceId, policyHash }));
  const headers = createPageHeaders(url, nonce, reportingUrl);
  // Search engines must not list what anonymous clients can open: sign-in, receipts and error
  // pages. A receipt in search results would tell everyone that a site has an error, with an old
  // state. All other pages need no header, because a crawler never signs in.
  const isSignedIn = page.isSignedIn ?? c.get("principal") !== undefined;
  if (!isSignedIn) headers.set("X-Robots-Tag", "noindex");
  setPageTrace(headers, traceId, url);
  if (url.searchParams.get(STREAMING_PARAM) === STREAMING_OFF)
    headers.append("Set-Cookie", createNonStreamingCookie(url));
  const desk = getDeskInfo(c);
  const content = (
    <DeskProvider desk={desk}>
      <ScopeContext value={page.scope ?? readScope(c)}>
        <SettingsLinks value={c.get("settingsLinks")}>{page.content}</SettingsLinks>
      </ScopeContext>
    </DeskProvider>
  );
  const { visitor } = page;
  if (visitor !== undefined) headers.append("Vary", "Accept-Language");
  return renderPage(content, {
    title: formatTitle(page.title, desk),
    openSearchUrl: c.get("principal") && `${desk.base}${OPENSEARCH_PATH}`,
    language: visitor?.language,
    direction: visitor?.direction === "rtl" ? "rtl" : undefined,
    noticeVisitor: findVisitor(c.req.header("accept-language")),
    description: page.description ?? DESCRIPTION,
    nonce,
    reportingUrl,
    headers,
    route: page.route,
    environment: config.environment,
    release: config.release,
    theme: readThemeCookie(c),
    path: url.pathname + url.search,
    nonStreamingUrl: wantsNonStreaming(c) ? undefined : toNonStreamingUrl(url),
    deadlineMs: page.deadlineMs ?? config.renderDeadlineMs,
    reporter: createFailureReporter(services, c.req.raw, { route: page.route, traceId }),
    status: page.status,
    script: page.script,
    failurePage: page.failurePage,
  });
}

/** `Issues · Web shop · Errata`: tabs and bookmarks of several projects differ. */
function formatTitle(title: string, { projects }: DeskInfo): string {
  const project = projects.find(({ isCurrent }) => isCurrent)?.name;
  const parts = [title, project, PRODUCT].filter((part) => part !== undefined);
  return [...new Set(parts)].join(" · ");
}

/**
 * The token of the page. It raises the trust of reports only if a member of the first project,
 * which receives the reports of Errata's own pages, opened the page. Others could fetch pages in a
 * loop and send invented reports with each token.
 */
async function signPageToken(
  c: AppContext,
  page: Pick<SignedPage, "traceId" | "policyHash">,
): Promise<string | undefined> {
  const isMember = c
    .get("principal")
    ?.projects.some(({ project }) => project.id === FIRST_PROJECT_ID);
  const { origin } = new URL(c.req.url);
  return c.get("services").pageTokens.sign({ ...page, origin, isForVisitor: isMember !== true });
}

/** Project and principal for the page; none without authorization. */
function getDeskInfo(c: AppContext): DeskInfo {
  const principal = c.get("principal");
  const currentProject = c.get("project") ?? FIRST_PROJECT_ID;
  // Authentication has read it already.
  const known = c.get("services").registry.getLastCopy();
  if (principal === undefined) return { ...NO_DESK, base: getProjectBasePath(currentProject) };
  const members = known === null ? [] : listMemberNames(known, currentProject);
  const isLocal = principal.actor.kind === "local";
  return {
    base: getProjectBasePath(currentProject),
    ...getMarks(c),
    role: principal.projects.find(({ project }) => project.id === currentProject)?.role ?? null,
    name: principal.name,
    needsPasskey: needsPasskey(principal),
    members,
    ownAssignee: isLocal ? LOCAL_ASSIGNEE : members.find((one) => one === principal.name),
    projects: principal.projects.map(({ project: { id, name } }) => ({
      id,
      name,
      url: `${getProjectBasePath(id)}/`,
      isCurrent: id === currentProject,
    })),
  };
}

/** True for a person who signed in with a code, and could not sign in again. */
function needsPasskey({ actor, person }: Principal): boolean {
  return actor.kind === "session" && person !== undefined && !hasSignInMethod(person);
}

/** The marks of alerts for a member of the page's project, as far as this isolate knows. */
function getMarks(c: AppContext): Pick<DeskInfo, "unreadAlerts" | "hasFailingAlerts"> {
  const { registry, nowMs } = c.get("services");
  const { actor } = c.get("principal");
  const reader = findInboxPerson(registry.getLastCopy(), actor, c.get("project"), nowMs());
  if (reader === null) return { unreadAlerts: 0 };
  const { unread, unreadNotices, isFailing } = getAlertMarks(c, reader);
  return { unreadAlerts: unread + unreadNotices, hasFailingAlerts: isFailing };
}

/** True if the script of the current page fetches the page, to show it in place. */
export function isSwap(c: AppContext): boolean {
  return c.req.header("errata-navigation") !== undefined;
}

/** True if the browser gets complete pages, which should not wait for slow data. */
export function wantsNonStreaming(c: AppContext): boolean {
  return (
    isSwap(c) ||
    c.req.query(STREAMING_PARAM) === STREAMING_OFF ||
    getCookie(c, NON_STREAMING_COOKIE) !== undefined
  );
}

/** True if the client asks for JSON rather than a page. */
export function wantsJson(c: AppContext): boolean {
  if (c.req.path.endsWith(".json")) return true;
  const accept = c.req.header("accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

/**
 * Returns the promise, marked as handled: if the shell fails, React never reads it, and its
 * rejection must not be reported as unhandled.
 */
export function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * The URL with streaming off. It is relative, because a path that starts with two slashes would
 * lead to another host.
 */
function toNonStreamingUrl(url: URL): string {
  const query = new URLSearchParams(url.search);
  query.set(STREAMING_PARAM, STREAMING_OFF);
  return `?${query}`;
}

/** The page's script deletes this cookie: a browser that runs it can stream. */
function createNonStreamingCookie(url: URL): string {
  return formatSetCookieHeader(NON_STREAMING_COOKIE, "1", {
    url,
    maxAgeSeconds: NON_STREAMING_COOKIE_SECONDS,
    isReadableByScripts: true,
  });
}

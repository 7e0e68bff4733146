/**
 * `/e/<digest>`: the receipt, a public page for the person who was shown a digest. It shows only
 * whether the error is known, since when, how often this week, and whether it is fixed, in any
 * project. Lookups are rate-limited.
 */
import type { MiddlewareHandler } from "hono";
import {
  FIRST_PROJECT_ID,
  getProjectBasePath,
  toProjectPath,
} from "../../core/accounts/project-path.ts";
import { findProject } from "../../core/accounts/registry.ts";
import { parseDigest } from "../../core/grouping/parse-digest.ts";
import { countLastSevenDays } from "../../core/issue/aggregate-report.ts";
import { getFixProgress, needsReleases } from "../../core/issue/fix-progress.ts";
import { normalizeAlias } from "../../core/lookup/alias.ts";
import { wasSeen } from "../../core/release/release-summary.ts";
import type { Digest } from "../../core/report.ts";
import { truncateText } from "../../core/truncate.ts";
import { findVisitor } from "../../core/visitors/visitor-language.ts";
import type { ProjectStore } from "../../store/client/project-store.ts";
import { Layout } from "../../ui/layout/layout.tsx";
import type { ReceiptCommentState } from "../../ui/receipt/comment-form.tsx";
import { ReceiptPage, type ReceiptStatus } from "../../ui/receipt/receipt-page.tsx";
import type { ReceiptTellState } from "../../ui/receipt/tell-form.tsx";
import { toIssueUrl } from "../../ui/urls/issue-urls.ts";
import { toReceiptUrl } from "../../ui/urls/receipt-urls.ts";
import { authenticate } from "../auth/authenticate.ts";
import type { AppContext, AppEnv } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import { admitVisitor } from "../ingest/admission.ts";
import { toProjectUrl } from "../project-url.ts";
import { ignoreRejection, sendPage, wantsJson } from "../send-page.tsx";
import { respondOrUnavailable } from "../unavailable.ts";
import { findReceiptDigest, findReceiptIssue } from "./find-receipt-issue.ts";

/** URLs may be long; a digest has nine characters. */
const MAX_CODE_CHARS = 40;

/**
 * Selects the project in the URL. An unknown project behaves like one without issues, with the same
 * response time.
 */
export const selectReceiptProject: MiddlewareHandler<AppEnv> = async (c, next) => {
  const project = c.req.param("project");
  if (project !== undefined) {
    if (!/^[1-9]\d{0,8}$/.test(project)) return c.notFound();
    const services = c.get("services");
    const registryCopy = await services.registry.readCopy().catch(() => null);
    const projectExists = registryCopy !== null && findProject(registryCopy, project) !== undefined;
    c.set(
      "services",
      projectExists
        ? services.forProject(project)
        : { ...services, projectStore: createEmptyStore(services.projectStore) },
    );
    c.set("project", project);
  }
  await next();
};

function createEmptyStore(projectStore: ProjectStore): ProjectStore {
  return Object.assign(Object.create(projectStore) as ProjectStore, {
    getIssue: async () => null,
    getFreshIssue: async () => null,
    findIssuesByAlias: async () => [],
  });
}

/**
 * Serves the receipt with status 200 whether the digest is known or not; 429 over the rate limit.
 * JSON, by `Accept` or `.json`: `{"isKnown":true,"firstSeenMs","weekCount","fixProgress"}`,
 * `{"isKnown":false}`, or 503 while the index is unavailable.
 */
export function serveReceipt(c: AppContext): Promise<Response> {
  return wantsJson(c)
    ? respondOrUnavailable(c, () => respondWithReceipt(c))
    : respondWithReceipt(c);
}

/** `/R/<digest>`, the address in a QR code: redirects to the receipt. */
export function redirectToReceipt(c: AppContext): Response {
  const project = c.req.param("project");
  const base = project === undefined ? "" : getProjectBasePath(project);
  return c.redirect(toProjectPath(base, toReceiptUrl(c.req.param("digest") ?? "")), 302);
}

async function respondWithReceipt(c: AppContext): Promise<Response> {
  const services = c.get("services");
  const rawCode = (c.req.param("digest") ?? "").replace(/\.json$/, "");
  const parsedDigest = parseDigest(rawCode);
  const isJson = wantsJson(c);
  if (!isJson && parsedDigest.ok && parsedDigest.value !== rawCode)
    return c.redirect(toProjectUrl(c, toReceiptUrl(parsedDigest.value)), 302);
  const comment = { isSent: c.req.query("sent") !== undefined };
  const tell = { isAsked: c.req.query("asked") !== undefined };
  const admission = await admitVisitor(services, c.req.raw);
  if (!admission.ok) {
    const refused = toFailureResponse(admission);
    return isJson
      ? refused
      : sendReceiptPage(c, rawCode, { failureResponse: refused, comment, tell });
  }
  if (isJson) {
    const status = await loadReceiptStatus(c, rawCode);
    return c.json({ isKnown: status !== null, ...status });
  }
  const alias = parsedDigest.ok ? null : normalizeAlias(rawCode);
  const resolvedDigest = alias === null ? undefined : await findReceiptDigest(c, alias);
  if (resolvedDigest === undefined) return sendReceiptPage(c, rawCode, { comment, tell });
  return c.redirect(toProjectUrl(c, toReceiptUrl(resolvedDigest)), 302);
}

/**
 * Sends the page of a code. `failureResponse` is the JSON response of a rejected form or lookup;
 * over the rate limit of networks, nothing is looked up.
 */
export async function sendReceiptPage(
  c: AppContext,
  rawCode: string,
  {
    failureResponse,
    isLookedUp = failureResponse?.status !== 429,
    comment = { isSent: false },
    tell = { isAsked: false },
  }: {
    readonly failureResponse?: Response;
    readonly isLookedUp?: boolean;
    readonly comment?: ReceiptCommentState;
    readonly tell?: ReceiptTellState;
  },
): Promise<Response> {
  const { nowMs, config } = c.get("services");
  const parsedDigest = parseDigest(rawCode);
  const principal = await authenticate(c).catch(() => null);
  const projectIds = principal?.projects.map(({ project }) => project.id) ?? [];
  const current = c.get("project") ?? FIRST_PROJECT_ID;
  // The page of an issue also finds the codes of the person's other projects.
  const memberOf = projectIds.includes(current) ? current : projectIds[0];
  const visitor = findVisitor(c.req.header("accept-language"));
  const response = await sendPage(c, {
    title: visitor.language === "en" ? "Receipt" : visitor.texts.receipt,
    visitor,
    route: "/e/:digest",
    description: "Whether this error is known or fixed.",
    isSignedIn: principal !== null,
    status: failureResponse?.status ?? 200,
    content: (
      <Layout isSignedIn={false}>
        <ReceiptPage
          digest={truncateText(rawCode, MAX_CODE_CHARS)}
          status={isLookedUp ? ignoreRejection(loadReceiptStatus(c, rawCode)) : undefined}
          comment={comment}
          tell={config.hasMail ? tell : undefined}
          issueUrl={
            parsedDigest.ok && memberOf !== undefined
              ? toProjectPath(getProjectBasePath(memberOf), toIssueUrl(parsedDigest.value))
              : undefined
          }
          visitor={visitor}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
  const retryAfter = failureResponse?.headers.get("Retry-After");
  if (retryAfter) response.headers.set("Retry-After", retryAfter);
  return response;
}

/** The status of a code; null if it is not a digest or has no reports. */
async function loadReceiptStatus(c: AppContext, rawCode: string): Promise<ReceiptStatus | null> {
  const parsedDigest = parseDigest(rawCode);
  return parsedDigest.ok ? createReceiptStatus(c, parsedDigest.value) : null;
}

async function createReceiptStatus(c: AppContext, digest: Digest): Promise<ReceiptStatus | null> {
  const found = await findReceiptIssue(c, digest);
  if (found === null) return null;
  const { issue } = found;
  const { projectStore, nowMs: getNowMs } = found.services;
  const nowMs = getNowMs();
  // While the index is unavailable, releases are unknown and a fix counts as pending.
  const releases = needsReleases(issue) ? await projectStore.listReleases().catch(() => []) : [];
  return {
    firstSeenMs: issue.firstSeenMs,
    weekCount: countLastSevenDays(issue, nowMs),
    fixProgress: getFixProgress(issue, releases.filter(wasSeen), nowMs),
  };
}

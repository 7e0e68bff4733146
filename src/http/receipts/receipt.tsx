/**
 * `/e/<digest>`: the receipt, a public page for the person who was shown a digest. It shows only
 * whether the error is known, since when, how often this week, and whether it is fixed. Lookups are
 * rate-limited.
 */
import type { MiddlewareHandler } from "hono";
import { FIRST_PROJECT_ID } from "../../core/accounts/registry.ts";
import { parseDigest } from "../../core/grouping/digest.ts";
import { countLastSevenDays } from "../../core/issue/aggregate-report.ts";
import { getFixProgress, needsReleases } from "../../core/issue/fix-progress.ts";
import type { Issue } from "../../core/issue/issue.ts";
import { normalizeAlias } from "../../core/lookup/alias.ts";
import type { ProjectStore } from "../../core/ports/storage-ports.ts";
import { wasSeen } from "../../core/release/release-summary.ts";
import type { Digest } from "../../core/report.ts";
import { truncateText } from "../../core/truncate.ts";
import { Layout } from "../../ui/layout/layout.tsx";
import type { ReceiptCommentState } from "../../ui/receipt/comment-form.tsx";
import { ReceiptPage, type ReceiptStatus } from "../../ui/receipt/receipt-page.tsx";
import { toIssueUrl } from "../../ui/urls/issue-urls.ts";
import { toReceiptUrl } from "../../ui/urls/receipt-urls.ts";
import { authenticate } from "../auth/authenticate.ts";
import type { AppContext, AppEnv } from "../context.ts";
import { toFailureResponse } from "../failures.ts";
import { admitVisitor } from "../ingest/admission.ts";
import { toProjectUrl } from "../project-url.ts";
import { ignoreRejection, sendPage, wantsJson } from "../send-page.tsx";
import { respondOrUnavailable } from "../unavailable.ts";

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
    const projectExists = registryCopy?.projects.some(({ id }) => id === project) === true;
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
  return {
    ...projectStore,
    getIssue: async () => null,
    getFreshIssue: async () => null,
    findIssuesByAlias: async () => [],
  };
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

async function respondWithReceipt(c: AppContext): Promise<Response> {
  const services = c.get("services");
  const { projectStore } = services;
  const rawCode = (c.req.param("digest") ?? "").replace(/\.json$/, "");
  const parsedDigest = parseDigest(rawCode);
  const isJson = wantsJson(c);
  if (!isJson && parsedDigest.ok && parsedDigest.value !== rawCode)
    return c.redirect(toProjectUrl(c, toReceiptUrl(parsedDigest.value)), 302);
  const comment = { isSent: c.req.query("sent") !== undefined };
  const admission = await admitVisitor(services, c.req.raw);
  if (!admission.ok) {
    const refused = toFailureResponse(admission);
    return isJson ? refused : sendReceiptPage(c, rawCode, { failureResponse: refused, comment });
  }
  if (isJson) {
    const status = await loadReceiptStatus(c, rawCode);
    return c.json({ isKnown: status !== null, ...status });
  }
  const resolvedDigest = parsedDigest.ok ? undefined : await resolveAlias(projectStore, rawCode);
  if (resolvedDigest === undefined) return sendReceiptPage(c, rawCode, { comment });
  return c.redirect(toProjectUrl(c, toReceiptUrl(resolvedDigest)), 302);
}

/**
 * Sends the page of a code. `failureResponse` is the JSON response of a rejected comment or lookup;
 * over the rate limit, nothing is looked up.
 */
export async function sendReceiptPage(
  c: AppContext,
  rawCode: string,
  {
    failureResponse,
    comment,
  }: { readonly failureResponse?: Response; readonly comment: ReceiptCommentState },
): Promise<Response> {
  const { nowMs } = c.get("services");
  const parsedDigest = parseDigest(rawCode);
  const principal = await authenticate(c).catch(() => null);
  const projectId = c.get("project") ?? FIRST_PROJECT_ID;
  const isMember = principal?.projects.some(({ project }) => project.id === projectId) === true;
  const response = await sendPage(c, {
    title: "Receipt",
    route: "/e/:digest",
    status: failureResponse?.status ?? 200,
    content: (
      <Layout isSignedIn={false}>
        <ReceiptPage
          digest={truncateText(rawCode, MAX_CODE_CHARS)}
          status={
            failureResponse?.status === 429
              ? undefined
              : ignoreRejection(loadReceiptStatus(c, rawCode))
          }
          comment={comment}
          issueUrl={
            parsedDigest.ok && isMember
              ? toProjectUrl(c, toIssueUrl(parsedDigest.value))
              : undefined
          }
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
  const { projectStore, nowMs } = c.get("services");
  const parsedDigest = parseDigest(rawCode);
  return parsedDigest.ok ? createReceiptStatus(projectStore, parsedDigest.value, nowMs()) : null;
}

/** True if a server reported an occurrence. Strangers and browsers can name any digest. */
function hasServerOccurrences({ count, trust }: Issue): boolean {
  return count > 0 && trust === "server";
}

/**
 * The issue of a digest, or the one it was merged into; null if there is none, or if no server
 * reported it.
 */
export async function findReceiptIssue(
  projectStore: ProjectStore,
  digest: Digest,
): Promise<Issue | null> {
  // A snapshot may be older than the last decision, or than the server's first report.
  const issue = await projectStore.getFreshIssue(digest);
  if (issue !== null) return hasServerOccurrences(issue) ? issue : null;
  const [issueDigest, ...others] = await projectStore.findIssuesByAlias(digest);
  const resolvedDigest =
    issueDigest === undefined || others.length > 0
      ? null
      : await projectStore.getFreshIssue(issueDigest);
  const isMerged = resolvedDigest?.mergedDigests?.includes(digest) === true;
  return isMerged && hasServerOccurrences(resolvedDigest) ? resolvedDigest : null;
}

/**
 * Resolves another code, such as a Next.js digest, to an issue with a receipt; undefined if it
 * leads to none or to several.
 */
async function resolveAlias(projectStore: ProjectStore, code: string): Promise<Digest | undefined> {
  const alias = normalizeAlias(code);
  const [issueDigest, ...others] =
    alias === null ? [] : await projectStore.findIssuesByAlias(alias);
  if (issueDigest === undefined || others.length > 0) return undefined;
  return (await findReceiptIssue(projectStore, issueDigest)) === null ? undefined : issueDigest;
}

async function createReceiptStatus(
  projectStore: ProjectStore,
  digest: Digest,
  nowMs: number,
): Promise<ReceiptStatus | null> {
  const issue = await findReceiptIssue(projectStore, digest);
  if (issue === null) return null;
  // While the index is unavailable, releases are unknown and a fix counts as pending.
  const releases = needsReleases(issue) ? await projectStore.listReleases().catch(() => []) : [];
  return {
    firstSeenMs: issue.firstSeenMs,
    weekCount: countLastSevenDays(issue, nowMs),
    fixProgress: getFixProgress(issue, releases.filter(wasSeen), nowMs),
  };
}

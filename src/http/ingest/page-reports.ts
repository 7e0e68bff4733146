/**
 * Decides which reports of a request a page token raises to trust `page`: reports of browsers about
 * a page of the origin that the token was signed for, up to a rate. An invalid token is ignored.
 */
import { limits } from "../../core/limits.ts";
import type { ParsedReport } from "../../core/report.ts";
import { toUrlOrigin } from "../../ingest/decode/urls.ts";
import type { IngestContext } from "../../ingest/ingest-context.ts";
import type { Services } from "../context.ts";

/** Verifies tokens for the reports of one request to a project. */
export function createPageReportFinder(
  { pageTokens, limiters, logProblem }: Services,
  headers: Headers,
  project: string,
): NonNullable<IngestContext["findPageReports"]> {
  return async function findPageReports(token, reports) {
    const browserReports = reports.filter(({ side }) => side === "browser");
    const origin = readOrigin(headers) ?? browserReports.map(getPageOrigin).find(Boolean);
    if (origin === undefined || origin.length > limits.maxOriginChars) return new Set();
    try {
      const pageId = await pageTokens.verify(token, { project, origin });
      if (!pageId.ok) return new Set();
      const candidates = browserReports
        .filter((report) => (getPageOrigin(report) ?? origin) === origin)
        .slice(0, limits.maxPageTokenReports);
      const granted = await Promise.all(candidates.map(() => limiters.pageToken(pageId.value)));
      return new Set(candidates.filter((_, index) => granted[index]));
    } catch (cause) {
      logProblem(cause);
      return new Set();
    }
  };
}

/**
 * The `Origin` header. Not every browser sends it with CSP reports, and pages whose referrer policy
 * is `no-referrer` send `null`; then the URL in the report names the origin.
 */
function readOrigin(headers: Headers): string | undefined {
  const origin = headers.get("origin");
  return origin === null || origin === "null" ? undefined : origin;
}

/** The origin of the page that a report names; undefined if it names none. */
function getPageOrigin({ request }: ParsedReport): string | undefined {
  const url = request?.url;
  return url !== undefined && /^https?:/i.test(url) ? toUrlOrigin(url) : undefined;
}

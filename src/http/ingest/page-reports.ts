/**
 * Finds the reports of a request that a page token raises to trust `page`, up to a rate, and those
 * about a page of Errata itself. A token counts only for reports of browsers, and only for pages of
 * the origin that it was signed for. An invalid token is ignored.
 */
import { toClientNetwork } from "../../core/client-network.ts";
import { limits } from "../../core/limits.ts";
import type { ParsedReport } from "../../core/report.ts";
import { toUrlOrigin } from "../../ingest/decode/urls.ts";
import { type IngestContext, NO_PAGE_REPORTS } from "../../ingest/ingest-context.ts";
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
    if (origin === undefined || origin.length > limits.maxOriginChars) return NO_PAGE_REPORTS;
    try {
      const verified = await pageTokens.verify(token, { project, origin });
      if (!verified.ok) return NO_PAGE_REPORTS;
      const { pageId, isOwn, raisesTrust } = verified.value;
      const candidates = browserReports
        .filter((report) => (getPageOrigin(report) ?? origin) === origin)
        .slice(0, limits.maxPageTokenReports);
      const granted = await Promise.all(
        candidates.map(() => raisesTrust && limiters.pageToken(toLimitKey(pageId, headers))),
      );
      return {
        raised: new Set(candidates.filter((_, index) => granted[index])),
        own: new Set(isOwn ? candidates : []),
      };
    } catch (cause) {
      logProblem(cause);
      return NO_PAGE_REPORTS;
    }
  };
}

/**
 * The limit counts per network too: all visitors of a cached page get the same token, and one of
 * them must not use it up for the others. All reports with page tokens together have another limit.
 */
function toLimitKey(pageId: string, headers: Headers): string {
  const address = headers.get("cf-connecting-ip");
  return address === null ? pageId : `${pageId} ${toClientNetwork(address)}`;
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

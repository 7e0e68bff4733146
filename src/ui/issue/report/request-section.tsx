/** The HTTP request in which the error happened, and its response. */

import type { Report } from "../../../core/report.ts";
import { parseBrowserName } from "../../../core/request/browser-name.ts";
import { FactList } from "../../parts/fact-list.tsx";
import { PairTable } from "../../parts/pair-table.tsx";
import { safeHref } from "../../parts/safe-href.ts";

/** Method, URL, details and headers; nothing if the report has no request. */
export function RequestDetails({ report }: { report: Report }) {
  const { request, response } = report;
  if (request === undefined && response === undefined) return null;
  const headers = request?.headers ?? [];
  return (
    <section>
      <h3>Request</h3>
      {request?.url !== undefined && (
        <p className="request-line">
          {request.method !== undefined && <b>{request.method} </b>}
          <ReportedUrl url={request.url} />
        </p>
      )}
      <FactList
        variant="list"
        facts={[
          ["Method", request?.url === undefined ? request?.method : undefined],
          ["Query", request?.query && <bdi>{request.query}</bdi>],
          ["Route", request?.route && <bdi>{request.route}</bdi>],
          ["Response", response && formatResponse(response)],
          [
            "Browser",
            request?.userAgent && (
              <bdi>{parseBrowserName(request.userAgent) ?? request.userAgent}</bdi>
            ),
          ],
        ]}
      />
      {headers.length > 0 && <PairTable caption="Headers" pairs={headers} />}
    </section>
  );
}

function formatResponse({ status, isSilent200 }: { status: number; isSilent200: boolean }): string {
  return isSilent200 ? `${status}, sent before the failure (silent)` : String(status);
}

/** The URL as reported, linked if `safeHref` permits it, without a referrer. */
function ReportedUrl({ url }: { url: string }) {
  const href = safeHref(url);
  if (href === undefined) return <bdi>{url}</bdi>;
  return (
    <a href={href} rel="noreferrer noopener nofollow ugc">
      <bdi>{url}</bdi>
    </a>
  );
}

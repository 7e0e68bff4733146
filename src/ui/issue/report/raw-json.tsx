/** The stored report as JSON, collapsed. Large reports are complete only at their `.json` URL. */

import { withoutAttachmentContents } from "../../../core/report/attachment.ts";
import type { Digest, Report } from "../../../core/report.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { formatNumber } from "../../parts/number.tsx";
import { toReportJsonUrl } from "../../urls/issue-urls.ts";

/** How much of the JSON the page shows at most. */
const SHOWN_CHARS = 40_000;

/** The JSON and a link to it. `digest` is the issue's; a linked report has none. */
export function RawJson({ report, digest }: { report: Report; digest: Digest }) {
  const json = JSON.stringify(withoutAttachmentContents(report), null, 2);
  const isComplete = json.length <= SHOWN_CHARS;
  return (
    <section className="raw">
      <h3>Raw data</h3>
      <details>
        <summary>JSON</summary>
        <pre className="text">{isComplete ? json : `${json.slice(0, SHOWN_CHARS)}\n…`}</pre>
      </details>
      <p>
        <DeskLink href={toReportJsonUrl(digest, report.id)}>Open as JSON</DeskLink>
        {!isComplete && ` (${formatNumber(json.length)} characters)`}
      </p>
    </section>
  );
}

/** The report as it is stored, for those who want it: folded, copied from its own address when it is large. */

import { withoutAttachmentContents } from "../../../core/report/attachment.ts";
import type { Digest, Report } from "../../../core/report.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { formatNumber } from "../../parts/number.tsx";
import { toReportJsonUrl } from "../../urls/issue-urls.ts";

/** More than this is only at the `.json` address: the page stays a page. */
const SHOWN_CHARS = 40_000;

/** The JSON of one report, and the address that has it whole. `digest` is the issue's, which a linked report has not. */
export function RawJson({ report, digest }: { readonly report: Report; readonly digest: Digest }) {
  const json = JSON.stringify(withoutAttachmentContents(report), null, 2);
  const isComplete = json.length <= SHOWN_CHARS;
  return (
    <section className="raw">
      <h3>Raw</h3>
      <details>
        <summary>This report as JSON</summary>
        <pre className="text">{isComplete ? json : `${json.slice(0, SHOWN_CHARS)}\n…`}</pre>
      </details>
      <p>
        <DeskLink href={toReportJsonUrl(digest, report.id)}>
          This report at its own address
        </DeskLink>
        {!isComplete && ` (this report has ${formatNumber(json.length)} characters)`}
      </p>
    </section>
  );
}

/** The report as it is stored, for those who want it: folded, copied from its own address when it is large. */
import type { Report } from "../../core/report.ts";

/** More than this is only at the `.json` address: the page stays a page. */
const SHOWN_CHARS = 40_000;

/** The JSON of one report, and the way to the issue's. */
export function RawJson({ report }: { readonly report: Report }) {
  const json = JSON.stringify(report, null, 2);
  const isWhole = json.length <= SHOWN_CHARS;
  return (
    <section className="raw">
      <h3>Raw</h3>
      <details>
        <summary>This report as JSON</summary>
        <pre className="text">{isWhole ? json : `${json.slice(0, SHOWN_CHARS)}\n…`}</pre>
      </details>
      <p>
        <a href={`/d/${report.digest}.json`}>The issue with its reports as JSON</a>
        {!isWhole && ` (this report has ${json.length.toLocaleString("en")} characters)`}
      </p>
    </section>
  );
}

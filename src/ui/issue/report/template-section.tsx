/** The template of a log message, and the parameters that were inserted. */
import { listParams } from "../../../core/report/contexts.ts";
import type { Report } from "../../../core/report.ts";
import { PairTable } from "../../parts/pair-table.tsx";

/** The template with a table of its parameters; nothing if the message has none. */
export function Template({ report: { template } }: { report: Report }) {
  if (template === undefined) return null;
  const params = listParams(template);
  return (
    <section className="template">
      <h3>Template</h3>
      <pre className="text" dir="auto">
        {template.text}
      </pre>
      {params.length > 0 && <PairTable caption="Parameters" pairs={params} />}
    </section>
  );
}

/**
 * The user and contexts of a report as tables. Contexts that SDKs send for every machine are
 * collapsed.
 */

import { type ContextGroup, listContexts } from "../../../core/report/contexts.ts";
import type { Report } from "../../../core/report.ts";
import { PairTable } from "../../parts/pair-table.tsx";

/** One table per group; nothing if the report has none. */
export function Contexts({ report }: { report: Report }) {
  const groups = listContexts(report);
  const appContexts = groups.filter(({ isSystem }) => !isSystem);
  const systemContexts = groups.filter(({ isSystem }) => isSystem);
  if (groups.length === 0) return null;
  return (
    <section className="context">
      <h3>Context</h3>
      <ContextTables groups={appContexts} />
      {systemContexts.length > 0 && (
        <details>
          <summary>{systemContexts.map(({ name }) => name).join(", ")}</summary>
          <ContextTables groups={systemContexts} />
        </details>
      )}
    </section>
  );
}

function ContextTables({ groups }: { groups: readonly ContextGroup[] }) {
  return groups.map(({ name, pairs }, index) => (
    <PairTable key={index} caption={name} pairs={pairs} />
  ));
}

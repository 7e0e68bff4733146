/** Whom it happened to, and what the application said of the moment. What SDKs say of every machine waits behind a summary. */
import type { Report } from "../../core/report.ts";
import { type ContextGroup, contextOf } from "../../core/report-context.ts";
import { PairTable } from "./pair-table.tsx";

/** A table for each group; nothing where the sender said nothing of the kind. */
export function ContextSection({ report }: { readonly report: Report }) {
  const groups = contextOf(report);
  const own = groups.filter(({ isOfSystem }) => !isOfSystem);
  const ofSystem = groups.filter(({ isOfSystem }) => isOfSystem);
  if (groups.length === 0) return null;
  return (
    <section className="context">
      <h3>Context</h3>
      <Tables groups={own} />
      {ofSystem.length > 0 && (
        <details>
          <summary>{ofSystem.map(({ name }) => name).join(", ")}</summary>
          <Tables groups={ofSystem} />
        </details>
      )}
    </section>
  );
}

function Tables({ groups }: { readonly groups: readonly ContextGroup[] }) {
  return groups.map(({ name, pairs }, index) => (
    <PairTable key={index} caption={name} pairs={pairs} />
  ));
}

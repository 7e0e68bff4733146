/** Beside a report: the others of its issue, the other codes that lead here, and what the visitor saw. */
import type { Issue } from "../../core/issue.ts";
import { Notice } from "../notice.tsx";
import { Said } from "./feedback.tsx";
import { ReportList } from "./report-list.tsx";
import { newestReport } from "./report-stepper.tsx";
import { TopList } from "./top-list.tsx";

/** What the side column is made of. `current` is the id of the report that was asked for. */
export interface IssueSideProps {
  readonly issue: Issue;
  readonly current?: string | undefined;
  readonly nowMs: number;
}

/** Occurrences, the browsers that were shown the digest, aliases, the notice: what of them there is. */
export function IssueSide({ issue, current, nowMs }: IssueSideProps) {
  const open = current ?? newestReport(issue.latest)?.id;
  const occurrences = issue.latest.filter(({ linked }) => !linked);
  const linked = issue.latest.filter((mark) => mark.linked && mark.kind !== "feedback");
  const written = issue.latest.filter((mark) => mark.linked && mark.kind === "feedback");
  return (
    <>
      {written.length > 0 && (
        <section>
          <h2>What people wrote</h2>
          <ReportList marks={written} current={open} nowMs={nowMs} say={Said} />
        </section>
      )}
      <TopList heading="Releases" tops={issue.releases} />
      <TopList heading="Environments" tops={issue.environments} />
      <TopList heading="Browsers" tops={issue.browsers} />
      <TopList heading="Pages" tops={issue.pages} />
      {occurrences.length > 0 && (
        <section>
          <h2>Last reports</h2>
          <ReportList marks={occurrences} current={open} nowMs={nowMs} />
        </section>
      )}
      {linked.length > 0 && (
        <section>
          <h2>Linked reports</h2>
          <ReportList marks={linked} current={open} nowMs={nowMs} />
        </section>
      )}
      {issue.aliases.length > 0 && (
        <section>
          <h2>Also known as</h2>
          <ul className="aliases">
            {issue.aliases.map((alias) => (
              <li key={alias}>
                <code>{alias}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
      {issue.latest.some(({ linked, kind }) => linked && kind === "notice") && (
        <AsSeen digest={issue.digest} />
      )}
    </>
  );
}

/** The notice as it was shown, where a browser has said that it was. */
function AsSeen({ digest }: { readonly digest: string }) {
  return (
    <section>
      <h2>As the visitor saw it</h2>
      <Notice digest={digest} compact exhibit />
    </section>
  );
}

/** Beside a report: what people wrote, what its issue's reports have in common, the others of them, and the codes that lead here. */
import type { ReactNode } from "react";
import type { Issue } from "../../core/issue.ts";
import type { FilterKey } from "../../core/issue-query.ts";
import { newestReport } from "../../core/open-report.ts";
import type { Tops } from "../../core/tops.ts";
import { counted } from "../figure.tsx";
import { Said } from "./feedback.tsx";
import { MergedList } from "./merged-list.tsx";
import { ReportList } from "./report-list.tsx";
import { TagTops } from "./tag-tops.tsx";
import { hasSeveral, TopList } from "./top-list.tsx";

/** Where the codes that lead here stand. */
export const CODES_ID = "codes";

/** What the side column is made of. `current` is the id of the report that was asked for. */
export interface IssueSideProps {
  readonly issue: Issue;
  readonly current?: string | undefined;
  readonly nowMs: number;
}

/** Occurrences, the browsers that were shown the digest, what they have in common, aliases: what of them there is. */
export function IssueSide({ issue, current, nowMs }: IssueSideProps) {
  const open = current ?? newestReport(issue.latest)?.id;
  const occurrences = issue.latest.filter(({ linked }) => !linked);
  const linked = issue.latest.filter((mark) => mark.linked && mark.kind !== "feedback");
  const written = issue.latest.filter((mark) => mark.linked && mark.kind === "feedback");
  return (
    <>
      {written.length > 0 && (
        <Section heading="What people wrote">
          <ReportList marks={written} current={open} nowMs={nowMs} say={Said} />
        </Section>
      )}
      {occurrences.length > 0 && (
        <Section heading="Kept reports">
          <ReportList marks={occurrences} current={open} nowMs={nowMs} />
          {isOfStorm(issue, occurrences) && (
            <p className="aside">
              {counted(issue.count, "time")} in all: of a storm only some bodies are kept.
            </p>
          )}
        </Section>
      )}
      {linked.length > 0 && (
        <Section heading="Linked reports">
          <ReportList marks={linked} current={open} nowMs={nowMs} />
        </Section>
      )}
      <Common heading="Releases" tops={issue.releases} filter="release" />
      <Common heading="Environments" tops={issue.environments} filter="env" />
      <Common heading="Browsers" tops={issue.browsers} filter="browser" />
      <Common heading="Pages" tops={issue.pages} filter="url" />
      <TagTops tags={issue.tags} />
      {issue.aliases.length > 0 && (
        <Section heading="Also known as" id={CODES_ID}>
          <ul className="aliases">
            {issue.aliases.map((alias) => (
              <li key={alias}>
                <code dir="ltr">{alias}</code>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <MergedList issue={issue} />
    </>
  );
}

/** There are newer ones than are kept. */
function isOfStorm({ count, lastSeenMs }: Issue, kept: Issue["latest"]): boolean {
  return count > kept.length && (kept[0]?.atMs ?? 0) < lastSeenMs;
}

function Section({ heading, id, children }: { heading: string; id?: string; children: ReactNode }) {
  return (
    <section id={id}>
      <h2>{heading}</h2>
      {children}
    </section>
  );
}

/** Nothing where there is but one value, which the facts have said already. */
function Common({
  heading,
  tops,
  filter,
}: {
  heading: string;
  tops: Tops | undefined;
  filter: FilterKey;
}) {
  if (!hasSeveral(tops)) return null;
  return (
    <Section heading={heading}>
      <TopList tops={tops} filter={filter} />
    </Section>
  );
}

/** The side column of an issue: feedback, its reports, common values, aliases and merged issues. */
import type { ReactNode } from "react";
import { countLevels } from "../../../core/issue/describe-issue.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { FilterKey } from "../../../core/issue/issue-query.ts";
import { isExpressible } from "../../../core/issue/issue-query.ts";
import { findLatestReport, sortByTrust } from "../../../core/issue/related-reports.ts";
import type { TopValues } from "../../../core/issue/top-values.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { pluralize } from "../../parts/number.tsx";
import { FeedbackLine } from "../report/feedback-text.tsx";
import { MergedIssues } from "./merged-issues.tsx";
import { ReportList } from "./report-list.tsx";
import { hasSeveralValues, TopValueList } from "./top-value-list.tsx";

export const ALIASES_ID = "aliases";

/** The data of the side column. `currentId` is the report from `?report=`. */
interface IssueSidebarProps {
  readonly issue: Issue;
  readonly currentId?: string | undefined;
  readonly nowMs: number;
}

/** The sections; empty ones are omitted. */
export function IssueSidebar({ issue, currentId: requestedId, nowMs }: IssueSidebarProps) {
  const currentId = requestedId ?? findLatestReport(issue.latestReports)?.id;
  // Sorted by trust: by time, strangers could move trusted reports into the collapsed part.
  const reports = sortByTrust(issue.latestReports);
  const occurrences = reports.filter(({ isLinked }) => !isLinked);
  const linked = reports.filter((summary) => summary.isLinked && summary.kind !== "feedback");
  const feedback = issue.latestReports.filter(
    (summary) => summary.isLinked && summary.kind === "feedback",
  );
  return (
    <>
      {feedback.length > 0 && (
        <SidebarSection heading="User feedback">
          <ReportList
            summaries={feedback}
            currentId={currentId}
            nowMs={nowMs}
            renderSummary={FeedbackLine}
          />
        </SidebarSection>
      )}
      {occurrences.length > 0 && (
        <SidebarSection heading="Stored reports">
          <ReportList summaries={occurrences} currentId={currentId} nowMs={nowMs} />
          {isSampled(issue, occurrences) && (
            <p className="muted">
              {pluralize(issue.count, "time")} in total. At high rates, only a sample is stored.
            </p>
          )}
        </SidebarSection>
      )}
      {linked.length > 0 && (
        <SidebarSection heading="Linked reports">
          <ReportList summaries={linked} currentId={currentId} nowMs={nowMs} />
        </SidebarSection>
      )}
      <CommonValues heading="Releases" values={issue.releases} filter="release" />
      <CommonValues heading="Environments" values={issue.environments} filter="env" />
      <CommonValues heading="Browsers" values={issue.browsers} filter="browser" />
      <CommonValues heading="Pages" values={issue.pages} filter="url" />
      <CommonValues heading="Levels" values={countLevels(issue)} filter="level" />
      <TagDistribution tags={issue.tags} />
      {issue.aliases.length > 0 && (
        <SidebarSection heading="Also known as" id={ALIASES_ID}>
          <ul className="aliases">
            {issue.aliases.map((alias) => (
              <li key={alias}>
                <code dir="ltr">{alias}</code>
              </li>
            ))}
          </ul>
        </SidebarSection>
      )}
      <MergedIssues issue={issue} />
    </>
  );
}

/** True if the newest occurrences were counted but not stored. */
function isSampled({ count, lastSeenMs }: Issue, storedReports: Issue["latestReports"]): boolean {
  return count > storedReports.length && (storedReports[0]?.atMs ?? 0) < lastSeenMs;
}

function SidebarSection({
  heading,
  id,
  children,
}: {
  heading: string;
  id?: string;
  children: ReactNode;
}) {
  return (
    <section id={id}>
      <h2>{heading}</h2>
      {children}
    </section>
  );
}

/** Nothing if there is only one value, which the stats already show. */
function CommonValues({
  heading,
  values,
  filter,
}: {
  heading: string;
  values: TopValues | undefined;
  filter: FilterKey;
}) {
  if (!hasSeveralValues(values)) return null;
  return (
    <SidebarSection heading={heading}>
      <TopValueList topValues={values} filter={filter} />
    </SidebarSection>
  );
}

/** An issue's tags and how its occurrences are distributed over their values. */
const KEY_CHARS = 40;
const MAX_SHOWN_VALUES = 4;
/** Further keys are collapsed. */
const MAX_SHOWN_KEYS = 4;

/** A list of values per key. Keys with several values come first. */
function TagDistribution({ tags }: { tags: Issue["tags"] }) {
  const all = Object.entries(tags ?? {});
  if (all.length === 0) return null;
  const sorted = [
    ...all.filter(([, topValues]) => hasSeveralValues(topValues)),
    ...all.filter(([, topValues]) => !hasSeveralValues(topValues)),
  ];
  const hiddenKeys = sorted.slice(MAX_SHOWN_KEYS);
  return (
    <section className="tag-distribution">
      <h2>Tags</h2>
      <TagKeys tags={sorted.slice(0, MAX_SHOWN_KEYS)} />
      {hiddenKeys.length > 0 && (
        <details>
          <summary>{hiddenKeys.length} more</summary>
          <TagKeys tags={hiddenKeys} />
        </details>
      )}
    </section>
  );
}

function TagKeys({ tags }: { tags: readonly (readonly [key: string, topValues: TopValues])[] }) {
  return tags.map(([key, topValues]) => {
    const filter = `tag.${key}` as const;
    return (
      <div key={key} className="tag-values">
        <h3>
          <bdi>{abbreviate(key, KEY_CHARS)}</bdi>
        </h3>
        <TopValueList
          topValues={topValues}
          filter={isExpressible(filter) ? filter : undefined}
          limit={MAX_SHOWN_VALUES}
        />
      </div>
    );
  });
}

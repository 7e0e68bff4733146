/** The overview on the home page: whether it is worse than yesterday, and what is new. */
import { type ReactNode, use } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { createErrorTrend } from "../../core/overview/error-trend.ts";
import type { ProjectOverview } from "../../core/overview/project-overview.ts";
import type { DeployMoment } from "../../core/ports/source-maps-port.ts";
import { formatTitle } from "../../core/report/title.ts";
import { PublicMark } from "../issues/trust-text.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { pluralize, pluralizeTotal } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toSearchUrl } from "../urls/issue-list-urls.ts";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { ErrorChart } from "./error-chart.tsx";
import { OverviewFigures } from "./overview-figures.tsx";

/** The data of the overview, with the counters of the last `OVERVIEW_DAYS` days. */
export interface OverviewData extends ProjectOverview {
  /** Deploys of the same days, as build tools have sent them. */
  readonly deploys: readonly DeployMoment[];
}

/** Days of counters that the overview needs. */
export const OVERVIEW_DAYS = 4;
/** Issues in each list. */
export const OVERVIEW_ISSUES = 4;

const HOURS = 72;
const TITLE_CHARS = 90;

/** The overview; nothing before the first error and while the index is unavailable. */
export function Overview({ data, nowMs }: { data: Promise<OverviewData | null>; nowMs: number }) {
  const loaded = use(data);
  if (loaded === null || loaded.counters.length === 0) return null;
  const { newIssues, regressedIssues } = loaded;
  const trend = createErrorTrend(loaded.counters, nowMs, HOURS);
  return (
    <section className="overview" aria-labelledby="overview">
      <h2 id="overview">Last three days</h2>
      <OverviewFigures data={loaded} trend={trend} nowMs={nowMs} />
      <ErrorChart trend={trend} releases={loaded.releases} deploys={loaded.deploys} nowMs={nowMs} />
      <div className="overview-lists">
        <ShortList name="New" query="is:new" issues={newIssues.issues} nowMs={nowMs}>
          {pluralizeTotal(newIssues, "issue")}
        </ShortList>
        <ShortList
          name="Regressed"
          query="is:regressed"
          issues={regressedIssues.issues}
          nowMs={nowMs}
        >
          {pluralizeTotal(regressedIssues, "issue")}
        </ShortList>
      </div>
    </section>
  );
}

function ShortList({
  name,
  query,
  issues,
  nowMs,
  children,
}: {
  readonly name: string;
  readonly query: string;
  readonly issues: readonly IssueSummary[];
  readonly nowMs: number;
  /** The number. */
  readonly children: ReactNode;
}) {
  if (issues.length === 0) return null;
  return (
    <section>
      <h3>
        {name} <DeskLink href={toSearchUrl(query)}>{children}</DeskLink>
      </h3>
      <ul>
        {issues.map((issue) => (
          <li key={issue.digest}>
            <DeskLink href={toIssueUrl(issue.digest)} dir="auto">
              {abbreviate(formatTitle(issue), TITLE_CHARS)}
            </DeskLink>
            <span className="muted">
              <PublicMark trust={issue.trust} /> {pluralize(issue.count, "time")}
              {issue.userCount !== undefined && `, ${pluralize(issue.userCount, "user")}`},{" "}
              <RelativeTime atMs={issue.lastSeenMs} nowMs={nowMs} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

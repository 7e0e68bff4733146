/** The account for the operator: every item that came in and what became of it, sessions by release, what never came. */
import { Boundary } from "../failure/boundary.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { JobProgress } from "./job-progress.tsx";
import { OutcomeTables } from "./outcome-tables.tsx";
import { ProjectData } from "./project-data.tsx";
import { StatusSummary, type StatusSummaryProps } from "./status-summary.tsx";
import { StorageTables } from "./storage-tables.tsx";

/** What the page is made of. */
export interface StatusPageProps extends StatusSummaryProps {
  /** What somebody has just begun from this page. */
  readonly startedJob?: string | undefined;
}

/** The page at `/status`. */
export function StatusPage({ stats, health, selfReportCount, startedJob }: StatusPageProps) {
  return (
    <div className="status-page">
      <header className="page-header">
        <h1>Status</h1>
        <p>
          Every item that is taken ends in one of these ways, and is counted once. A request that is
          refused before its body is looked at (a wrong key, too many of them) is answered and not
          counted. See also <a href="/docs/limits-and-costs">limits and costs</a>.
        </p>
      </header>
      <div role="status">
        <Boundary name="work" loading={null}>
          <JobProgress health={health} startedJob={startedJob} />
        </Boundary>
      </div>
      <Boundary name="summary" loading={<Skeleton shape="receipt" label="the figures" />}>
        <StatusSummary stats={stats} health={health} selfReportCount={selfReportCount} />
      </Boundary>
      <Boundary name="status" loading={<Skeleton shape="rows" label="the account" />}>
        <OutcomeTables stats={stats} />
      </Boundary>
      <section aria-labelledby="storage">
        <h2 id="storage">Copies in KV</h2>
        <Boundary name="store" loading={<Skeleton shape="rows" label="the copies" />}>
          <StorageTables health={health} />
        </Boundary>
      </section>
      <ProjectData />
    </div>
  );
}

/** The page at `/status`: received items by outcome, sessions, storage and project data. */
import { Boundary } from "../failure/boundary.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { JobProgress } from "./job-progress.tsx";
import { OutcomeTables } from "./outcome-tables.tsx";
import { ProjectData } from "./project-data.tsx";
import { StatusSummary, type StatusSummaryProps } from "./status-summary.tsx";
import { StorageTables } from "./storage-tables.tsx";

/** Props of the page. */
interface StatusPageProps extends StatusSummaryProps {
  /** The job that was just started from this page. */
  readonly startedJob?: string | undefined;
}

/** The page at `/status`. */
export function StatusPage({ stats, health, selfReportCount, startedJob }: StatusPageProps) {
  return (
    <div className="status-page">
      <header className="page-header">
        <h1>Status</h1>
        <p>
          Each accepted item is counted once by outcome. Requests rejected before parsing (invalid
          key, rate limit) are not counted. See also{" "}
          <a href="/docs/limits-and-costs">limits and costs</a>.
        </p>
      </header>
      <div role="status">
        <Boundary name="job-progress" loading={null}>
          <JobProgress health={health} startedJob={startedJob} />
        </Boundary>
      </div>
      <Boundary name="summary" loading={<Skeleton shape="text" label="statistics" />}>
        <StatusSummary stats={stats} health={health} selfReportCount={selfReportCount} />
      </Boundary>
      <Boundary name="status" loading={<Skeleton shape="rows" label="outcomes" />}>
        <OutcomeTables stats={stats} />
      </Boundary>
      <section aria-labelledby="storage">
        <h2 id="storage">Storage</h2>
        <Boundary name="store" loading={<Skeleton shape="rows" label="storage" />}>
          <StorageTables health={health} />
        </Boundary>
      </section>
      <ProjectData />
    </div>
  );
}

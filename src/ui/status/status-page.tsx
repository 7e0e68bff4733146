/** The page at `/status`: received items by outcome, sessions, storage and project data. */
import { use } from "react";
import type { AlertSettings } from "../../core/ports/alerts-port.ts";
import type { SourceMapBacklog } from "../../core/ports/source-maps-port.ts";
import type { NamedVersion } from "../../core/stats/object-version.ts";
import type { ProjectBackup } from "../../core/stats/store-health.ts";
import { AlertStatus } from "../alerts/alert-health.tsx";
import { Boundary } from "../failure/boundary.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { UnusedUploadsNote } from "../source-maps/unused-uploads-note.tsx";
import { DataVersions } from "./data-versions.tsx";
import { JobProgress } from "./job-progress.tsx";
import { OutcomeTables } from "./outcome-tables.tsx";
import { StatusSummary, type StatusSummaryProps } from "./status-summary.tsx";
import { StorageTables } from "./storage-tables.tsx";

interface StatusPageProps extends StatusSummaryProps {
  /** The job that was just started from this page. */
  readonly startedJob?: string | undefined;
  /** When the first source maps were uploaded, if no stack has used any (`findUnusedUploads`). */
  readonly unusedUploadsMs: Promise<number | undefined>;
  /** Null while the object of alerts is unavailable. */
  readonly alertSettings: Promise<AlertSettings | null>;
  readonly sourceMapBacklog: Promise<SourceMapBacklog | undefined>;
  readonly versions: Promise<readonly NamedVersion[]>;
  /** Undefined without a bucket. */
  readonly backup: Promise<ProjectBackup | undefined>;
  readonly nowMs: number;
}

export function StatusPage({
  stats,
  health,
  selfReportCount,
  startedJob,
  unusedUploadsMs,
  alertSettings,
  sourceMapBacklog,
  versions,
  backup,
  nowMs,
}: StatusPageProps) {
  return (
    <div className="status-page">
      <div role="status">
        <Boundary name="job-progress" loading={null}>
          <JobProgress health={health} startedJob={startedJob} />
        </Boundary>
      </div>
      <Boundary name="unused-uploads" loading={null}>
        <UnusedUploads unusedUploadsMs={unusedUploadsMs} nowMs={nowMs} />
      </Boundary>
      <Boundary name="summary" loading={<Skeleton shape="figures" label="statistics" />}>
        <StatusSummary stats={stats} health={health} selfReportCount={selfReportCount} />
      </Boundary>
      <Boundary name="status" loading={<Skeleton shape="table" label="outcomes" />}>
        <OutcomeTables stats={stats} />
      </Boundary>
      <Boundary name="store" loading={null}>
        <Storage
          health={stats.then(() => health)}
          backlog={sourceMapBacklog}
          versions={versions}
          backup={backup}
        />
      </Boundary>
      <Boundary name="alert-status" loading={null}>
        <AlertStatus settings={stats.then(() => health).then(() => alertSettings)} />
      </Boundary>
    </div>
  );
}

/** Shown after the content above it, or the heading would move. */
function Storage({
  health,
  backlog,
  versions,
  backup,
}: Pick<StatusPageProps, "health" | "versions" | "backup"> & {
  backlog: StatusPageProps["sourceMapBacklog"];
}) {
  use(health);
  return (
    <section aria-labelledby="storage">
      <h2 id="storage">Storage</h2>
      <StorageTables health={health} />
      <Boundary name="source-map-backlog" loading={null}>
        <SourceMapBacklogNote backlog={backlog} />
      </Boundary>
      <Boundary name="data-versions" loading={null}>
        <DataVersions versions={versions} />
      </Boundary>
      <Boundary name="backup" loading={null}>
        <BackupNote backup={backup} />
      </Boundary>
    </section>
  );
}

function UnusedUploads({
  unusedUploadsMs,
  nowMs,
}: Pick<StatusPageProps, "unusedUploadsMs" | "nowMs">) {
  const sinceMs = use(unusedUploadsMs);
  return sinceMs === undefined ? null : <UnusedUploadsNote sinceMs={sinceMs} nowMs={nowMs} />;
}

/** The days in R2, and why there are no more; nothing without a bucket. */
function BackupNote({ backup }: Pick<StatusPageProps, "backup">) {
  const found = use(backup);
  if (found === undefined) return null;
  const { nextDay, problem } = found;
  return (
    <p className={problem && "warning"}>
      Backup: {nextDay === undefined ? "no days yet" : `all days before ${nextDay}`}
      {problem && `. It failed, and will be tried again: ${problem}`}.
    </p>
  );
}

/** A sentence with the KV writes; nothing for a project without uploads. */
function SourceMapBacklogNote({ backlog }: { backlog: Promise<SourceMapBacklog | undefined> }) {
  const found = use(backlog);
  if (found === undefined) return null;
  const { converting, unsaved, waitMs, failedWrites, usedToday, perDay } = found;
  return (
    <>
      {failedWrites > 0 && (
        <p className="warning">
          <b>KV refused {pluralize(failedWrites, "write")} of source maps.</b> Errata will try
          again. Until then, the uploads are in the Durable Object only.
        </p>
      )}
      <p>
        Source maps: {pluralize(converting, "upload")} to convert, {pluralize(unsaved, "upload")} to
        copy to KV
        {waitMs > 0 && ` (resumes in ${pluralize(Math.ceil(waitMs / 60_000), "minute")})`}. KV
        writes today: {formatNumber(usedToday)} of {formatNumber(perDay)}.
      </p>
    </>
  );
}

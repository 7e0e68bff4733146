/** Uploaded source maps: uploads by release, a check of one script, and failures of uploads. */
import { use } from "react";
import { findUnusedUploads } from "../../core/artifacts/unused-uploads.ts";
import type { SourceMapSummary } from "../../core/ports/source-maps-port.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskLink, RequireRole } from "../parts/desk-context.tsx";
import { formatByteSize } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { CheckForm, type CheckFormProps } from "./check-form.tsx";
import { CheckResult, type FileCheck } from "./check-result.tsx";
import { UnusedUploadsNote } from "./unused-uploads-note.tsx";
import { UploadFailures } from "./upload-failures.tsx";
import { UploadList } from "./upload-list.tsx";

interface SourceMapsPageProps {
  /** Null while the object with the maps is unavailable. */
  readonly summary: Promise<SourceMapSummary | null>;
  /** The fields of the form as they were sent. */
  readonly fields: CheckFormProps;
  /** Absent without a request. */
  readonly check?: Promise<FileCheck | null> | undefined;
  readonly nowMs: number;
}

/** The page at `/source-maps`. */
export function SourceMapsPage({ summary, fields, check, nowMs }: SourceMapsPageProps) {
  return (
    <div className="source-maps-page">
      <section aria-labelledby="check">
        <h2 id="check">Check a script</h2>
        <CheckForm {...fields} />
        {check !== undefined && (
          <Boundary name="check" loading={<Skeleton shape="text" label="the answer" />}>
            <CheckResult check={check} />
          </Boundary>
        )}
      </section>
      <section aria-labelledby="uploads">
        <h2 id="uploads">Uploads</h2>
        <Boundary name="uploads" loading={<Skeleton shape="rows" label="the uploads" />}>
          <LoadedUploads summary={summary} nowMs={nowMs} />
        </Boundary>
      </section>
    </div>
  );
}

function LoadedUploads({ summary, nowMs }: Pick<SourceMapsPageProps, "summary" | "nowMs">) {
  const loaded = use(summary);
  if (loaded === null) {
    return (
      <p className="warning">
        <b>Source maps are temporarily unavailable.</b> Accepted uploads are kept.
      </p>
    );
  }
  const { uploads, failures, storedBytes, maxStoredBytes } = loaded;
  const unusedSinceMs = findUnusedUploads(loaded, nowMs);
  return (
    <>
      {failures.length > 0 && <UploadFailures failures={failures} nowMs={nowMs} />}
      {unusedSinceMs !== undefined && <UnusedUploadsNote sinceMs={unusedSinceMs} nowMs={nowMs} />}
      {uploads.length === 0 ? (
        <NoUploadsYet />
      ) : (
        <>
          <p className="muted spaced">
            {formatByteSize(storedBytes)} of {formatByteSize(maxStoredBytes)} stored. Errata deletes
            uploads that no stack has used for a long time, unless their release is live.
          </p>
          <UploadList uploads={uploads} nowMs={nowMs} />
        </>
      )}
    </>
  );
}

/** The empty state of the uploads, with links to the commands and to a token. */
function NoUploadsYet() {
  return (
    <div className="empty-state">
      <p className="empty-heading">No source maps yet.</p>
      <p>
        Upload the maps of a build with sentry-cli, a bundler plugin or curl. Inject debug ids
        before you deploy.
      </p>
      <p className="empty-actions">
        <DeskLink className="button" href="/connect#source-maps">
          Set up uploads
        </DeskLink>
        <RequireRole requiredRole="owner">
          <DeskLink href="/settings#tokens">Create an upload token</DeskLink>
        </RequireRole>
      </p>
    </div>
  );
}

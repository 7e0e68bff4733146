/** Uploaded source maps: uploads by release, a check of one script, and failures of uploads. */
import { type ReactNode, use } from "react";
import { findUnusedUploads } from "../../core/artifacts/unused-uploads.ts";
import { limits } from "../../core/limits.ts";
import type { ArtifactUpload, SourceMapSummary } from "../../core/ports/source-maps-port.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskForm, DeskLink, RequireRole } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatByteSize, pluralize } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { toReleaseUrl } from "../urls/release-urls.ts";
import { SOURCE_MAPS_URL, toUploadDeletionUrl, toUploadUrl } from "../urls/source-map-urls.ts";
import { CheckResult, type FileCheck } from "./check-result.tsx";
import { UnusedUploadsNote } from "./unused-uploads-note.tsx";

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

/** The fields as they were sent. */
interface CheckFormProps {
  readonly script?: string | undefined;
  readonly release?: string | undefined;
  readonly debugId?: string | undefined;
  /** True if `script` names no script. */
  readonly isRefused?: boolean;
}

/** The check of a script: which upload would map it? A GET form, so that the answer has a URL. */
function CheckForm({ script, release, debugId, isRefused = false }: CheckFormProps) {
  return (
    <DeskForm className="check-form form-row-inline" action={SOURCE_MAPS_URL} method="get">
      <CheckField
        name="script"
        label="Script URL from a stack trace, with or without line and column"
        value={script}
        placeholder="https://shop.example/assets/index-Cepvnn19.js:3:868"
        isRequired
        isRefused={isRefused}
      />
      <CheckField name="release" label="Release" value={release} placeholder="1.4.0" />
      <CheckField name="debugId" label="Debug id" value={debugId} placeholder="optional" />
      <button type="submit">Check</button>
      {isRefused && (
        <p className="field-error" id="script-problem" role="alert">
          Enter the URL of one script, without spaces.
        </p>
      )}
    </DeskForm>
  );
}

function CheckField({
  name,
  label,
  value,
  placeholder,
  isRequired = false,
  isRefused = false,
}: {
  name: string;
  label: string;
  value: string | undefined;
  placeholder: string;
  isRequired?: boolean;
  isRefused?: boolean;
}) {
  return (
    <label data-field={name}>
      <span>{label}</span>
      <input
        name={name}
        type="text"
        required={isRequired}
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? "script-problem" : undefined}
        maxLength={limits.maxStringChars}
        defaultValue={value}
        placeholder={placeholder}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
      />
    </label>
  );
}

// Failures of uploads. Plugins of bundlers hide them: the build succeeds.

const DETAIL_CHARS = 400;
const MAX_SHOWN_FAILURES = 5;

/** The newest failures; the older ones are folded. `failures` is not empty. */
function UploadFailures({
  failures,
  nowMs,
}: {
  failures: SourceMapSummary["failures"];
  nowMs: number;
}) {
  const older = failures.slice(MAX_SHOWN_FAILURES);
  return (
    <div className="upload-failures">
      <h3>
        {failures.length === 1
          ? "An upload failed"
          : `${pluralize(failures.length, "upload")} failed`}
      </h3>
      <p className="muted">Most upload tools do not show the reason, and the build succeeds.</p>
      <FailureList failures={failures.slice(0, MAX_SHOWN_FAILURES)} nowMs={nowMs} />
      {older.length > 0 && (
        <details>
          <summary>{pluralize(older.length, "older failure")}</summary>
          <FailureList failures={older} nowMs={nowMs} />
        </details>
      )}
    </div>
  );
}

function FailureList({
  failures,
  nowMs,
}: {
  failures: SourceMapSummary["failures"];
  nowMs: number;
}) {
  return (
    <ul>
      {failures.map(({ atMs, detail }, n) => (
        <li key={n}>
          <RelativeTime atMs={atMs} nowMs={nowMs} /> <bdi>{abbreviate(detail, DETAIL_CHARS)}</bdi>
        </li>
      ))}
    </ul>
  );
}

// Uploads by release, newest first.

const NAME_CHARS = 80;
const PROBLEM_CHARS = 400;

/** The list. Releases are in the order of their newest upload. */
function UploadList({ uploads, nowMs }: { uploads: readonly ArtifactUpload[]; nowMs: number }) {
  return [...Map.groupBy(uploads, ({ release }) => release)].map(([release, group]) => (
    <section key={release ?? ""} className="upload-group">
      <h3>
        {release === undefined ? (
          "Without a release"
        ) : (
          <DeskLink href={toReleaseUrl(release)}>
            <bdi>{abbreviate(release, NAME_CHARS)}</bdi>
          </DeskLink>
        )}
      </h3>
      <ul className="entries">
        {group.map((upload) => (
          <UploadEntry key={upload.id} upload={upload} nowMs={nowMs} />
        ))}
      </ul>
    </section>
  ));
}

function UploadEntry({ upload, nowMs }: { upload: ArtifactUpload; nowMs: number }) {
  const { id, uploadedMs, problem, scriptsWithoutMap } = upload;
  return (
    <SettingsEntry
      heading="h4"
      name={
        <DeskLink href={toUploadUrl(id)}>
          <span className="visually-hidden">Upload </span>
          <code>{id.slice(0, 8)}</code>
        </DeskLink>
      }
      badge={<UploadStateBadge state={upload.state} />}
      facts={[
        <RelativeTime key="at" atMs={uploadedMs} nowMs={nowMs} />,
        ...listUploadFacts(upload),
        <LastUse key="use" upload={upload} nowMs={nowMs} />,
      ]}
    >
      <DeskForm
        requiredRole="owner"
        method="post"
        action={toUploadDeletionUrl(id)}
        className="entry-actions"
      >
        <button type="submit" className="danger" aria-label={`Delete upload ${id.slice(0, 8)}`}>
          Delete
        </button>
      </DeskForm>
      {upload.state === "failed" && (
        <p className="upload-problem">
          <bdi>{abbreviate(problem ?? "The upload cannot be read.", PROBLEM_CHARS)}</bdi>
        </p>
      )}
      {scriptsWithoutMap > 0 && (
        <p className="upload-warning">
          {pluralize(scriptsWithoutMap, "script")} without a map.{" "}
          <DeskLink href={toUploadUrl(id)}>Files</DeskLink>
        </p>
      )}
    </SettingsEntry>
  );
}

/** The state in words; nothing for an upload that is ready. */
function UploadStateBadge({ state }: Pick<ArtifactUpload, "state">) {
  if (state === "ready") return null;
  return (
    <span className="badge" data-state={state}>
      {state === "failed" ? "failed" : "processing"}
    </span>
  );
}

/** Tool, dist, files and size. */
function listUploadFacts(upload: ArtifactUpload): readonly ReactNode[] {
  const { tool, dist, files, maps, storedBytes } = upload;
  return [
    tool !== undefined && <bdi key="tool">{abbreviate(tool, NAME_CHARS)}</bdi>,
    dist !== undefined && (
      <span key="dist">
        dist <bdi>{abbreviate(dist, NAME_CHARS)}</bdi>
      </span>
    ),
    `${pluralize(files, "file")}, ${pluralize(maps, "map")}`,
    // Files of an earlier upload are stored there.
    storedBytes > 0 ? formatByteSize(storedBytes) : maps > 0 && "all maps already stored",
  ];
}

function LastUse({ upload: { lastUsedMs }, nowMs }: { upload: ArtifactUpload; nowMs: number }) {
  if (lastUsedMs === undefined) return "not used yet";
  return (
    <>
      used <RelativeTime atMs={lastUsedMs} nowMs={nowMs} />
    </>
  );
}

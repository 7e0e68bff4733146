/** Uploads by release, newest first. */
import type { ReactNode } from "react";
import type { ArtifactUpload } from "../../core/ports/source-maps-port.ts";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatByteSize, pluralize } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { toReleaseUrl } from "../urls/release-urls.ts";
import { toUploadDeletionUrl, toUploadUrl } from "../urls/source-map-urls.ts";

const NAME_CHARS = 80;
const PROBLEM_CHARS = 400;

/** The list. Releases are in the order of their newest upload. */
export function UploadList({
  uploads,
  nowMs,
}: {
  uploads: readonly ArtifactUpload[];
  nowMs: number;
}) {
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

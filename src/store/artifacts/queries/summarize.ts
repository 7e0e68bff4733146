/** Summaries of uploads for the desk. */
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import type {
  ArtifactFile,
  ArtifactUpload,
  ReleaseScript,
  ScriptCoverage,
  SourceMapSummary,
} from "../../../core/ports/source-maps-port.ts";
import type { ArtifactTables } from "../tables/artifact-tables.ts";
import type { StoredFile } from "../tables/stored-file.ts";
import type { StoredUpload } from "../tables/upload-table.ts";
import { findMap } from "./find-map.ts";

/** The newest uploads, what they take, and what failed. */
export function summarizeUploads(tables: ArtifactTables): SourceMapSummary {
  return {
    uploads: tables.uploads
      .list(artifactLimits.listedUploads)
      .map((upload) => summarizeUpload(tables, upload)),
    storedBytes: tables.maps.countBytes(),
    maxStoredBytes: artifactLimits.maxStoredBytes,
    failures: tables.failures.list(),
  };
}

function summarizeUpload({ files }: ArtifactTables, upload: StoredUpload): ArtifactUpload {
  const { id, uploadedMs, release, dist, tool, problem, usedMs, n } = upload;
  const isFailed = upload.state === "failed" || problem !== undefined;
  const isReady = upload.state === "ready";
  return {
    id,
    uploadedMs,
    state: isFailed ? "failed" : isReady ? "ready" : "converting",
    ...files.summarize(n),
    release,
    dist,
    tool,
    problem,
    lastUsedMs: usedMs,
  };
}

/** A file as its upload lists it. */
export function toArtifactFile(file: StoredFile): ArtifactFile {
  const { url, kind, debugId, bytes, sources, sourcesWithText, problems } = file;
  return { url, kind, bytes, problems, debugId, sources, sourcesWithText };
}

/** Which of these scripts of a release have a map. */
export function findCoverage(
  tables: ArtifactTables,
  release: string,
  scripts: readonly ReleaseScript[],
): readonly ScriptCoverage[] {
  return scripts.map(({ file, debugIds = [] }) => ({
    file,
    hasMap: findMap(tables, { file, debugIds, release }).kind === "match",
  }));
}

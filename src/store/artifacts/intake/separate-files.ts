/**
 * Pairs a script with its map if each was uploaded alone, in either order. The bytes of such a file
 * stay for a day, so that the map gets the functions of the script.
 */
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import type { ByteRange } from "../../../core/symbolication/codec.ts";
import { listMapUrls, removeQuery } from "../../../core/symbolication/file-candidates.ts";
import type { ArtifactTables } from "../tables/artifact-tables.ts";
import type { StoredFile, WaitingFile } from "../tables/stored-file.ts";
import { openChunks } from "./chunk-range.ts";

/** A file of another upload. */
export interface SeparateFile {
  readonly file: WaitingFile;
  /** The bytes of its upload, if they are still here. */
  readonly range?: ByteRange;
}

/** The beginning of the problem of a script without a map. */
export const NO_MAP_PROBLEM = "No source map was uploaded for it";

/** True for a script or a map that is alone in its upload and lacks the other one. */
export function isUnpairedFile(
  { files }: ArtifactTables,
  uploaded: readonly StoredFile[],
): boolean {
  const [file, ...others] = uploaded;
  if (file === undefined || others.length > 0 || file.refusal !== undefined) return false;
  if (file.kind === "script") return file.mapHash === undefined;
  return file.mapHash !== undefined && !files.hasScriptOf(file.mapHash);
}

/**
 * Scripts without a map that fit a map, newest first: all with its debug id. By URL, only those of
 * the newest upload, because earlier ones are of earlier builds.
 */
export function findScripts(
  tables: ArtifactTables,
  map: WaitingFile,
  debugId: string | undefined,
): readonly SeparateFile[] {
  const { release, dist, uploadedMs = 0 } = tables.uploads.get(map.upload) ?? {};
  const scripts = tables.readyFiles.listScriptsWithoutMap(release, debugId);
  const byId = scripts.filter((script) => debugId !== undefined && script.debugId === debugId);
  const byUrl = scripts.filter((script) => {
    if (script.debugId !== undefined && debugId !== undefined) return false;
    if (script.release !== release || script.dist !== dist) return false;
    if (Math.abs(script.uploadedMs - uploadedMs) > artifactLimits.maxPairMs) return false;
    return listMapUrls(script.url, script.mapUrl).some((url) => isSameUrl(url, map.url));
  });
  const newest = byUrl.filter(({ upload }) => upload === byUrl[0]?.upload);
  return [...byId, ...newest].map((script) => toSeparateFile(tables, script));
}

function isSameUrl(a: string, b: string): boolean {
  return removeQuery(a) === removeQuery(b);
}

/** Gives scripts the map that was converted with one of them. Their record becomes outdated. */
export function linkScripts(
  { files, uploads }: ArtifactTables,
  scripts: readonly SeparateFile[],
  mapHash: string,
): void {
  for (const { file } of scripts) {
    const problems = file.problems.filter((problem) => !problem.startsWith(NO_MAP_PROBLEM));
    files.setMap({ ...file, problems }, mapHash);
    uploads.setSaved(file.upload, false);
  }
}

/** Gives a map file the map that was converted again, with its script. */
export function linkMap(
  { files, uploads }: ArtifactTables,
  map: StoredFile,
  mapHash: string,
): void {
  files.setMap(map, mapHash);
  uploads.setSaved(map.upload, false);
}

/** The newest map of a script in another upload. */
export function findSeparateMap(
  tables: ArtifactTables,
  script: WaitingFile,
): SeparateFile | undefined {
  const { release, dist, uploadedMs = 0 } = tables.uploads.get(script.upload) ?? {};
  const { url, mapUrl, debugId } = script;
  const separate = { url, mapUrl, debugId, release, dist, uploadedMs };
  const byId = debugId === undefined ? [] : tables.readyFiles.listByDebugId(debugId);
  const map = [...byId, ...tables.readyFiles.listSeparateMaps(separate)].find(
    ({ kind, mapHash }) => kind === "map" && mapHash !== undefined,
  );
  const file = map && tables.files.listMaps(map.upload).find(({ n }) => n === map.n);
  if (file !== undefined) return toSeparateFile(tables, file);
  // A map that was restored from KV is stored only in its converted form.
  return map && { file: { ...map, entry: { in: "upload" }, isDone: true, attempts: 0 } };
}

function toSeparateFile({ uploads, chunks }: ArtifactTables, file: WaitingFile): SeparateFile {
  const { chunks: sha1s = [] } = uploads.get(file.upload) ?? {};
  const isHere = sha1s.length > 0 && sha1s.every((sha1) => chunks.getSize(sha1) !== undefined);
  return isHere ? { file, range: openChunks(chunks, sha1s) } : { file };
}

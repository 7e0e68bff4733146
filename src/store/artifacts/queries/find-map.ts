/**
 * Finds the map of a frame's file among the uploads of a project, in this order: by the debug id
 * that the sender named, by release and URL, by the id in an uploaded script of this URL, by the
 * file's name. States why there is none.
 */
import { omitUndefined } from "../../../core/omit-undefined.ts";
import { canHaveMap } from "../../../core/symbolication/can-have-map.ts";
import {
  countCommonTail,
  getFileName,
  listMapUrls,
  listUrlCandidates,
} from "../../../core/symbolication/file-candidates.ts";
import type {
  MatchMethod,
  UnmappedFrame,
  UnmappedReason,
} from "../../../core/symbolication/resolution.ts";
import type { ArtifactTables } from "../tables/artifact-tables.ts";
import type { PlacedFile } from "../tables/ready-files.ts";

/** The facts of a report about the file of a frame. */
export interface MapQuery {
  readonly file: string;
  readonly debugId?: string;
  readonly release?: string;
  readonly dist?: string;
}

/** A converted map, and how it was found. */
export interface MapMatch {
  readonly kind: "match";
  readonly hash: string;
  readonly upload: number;
  readonly matchedBy: MatchMethod;
  readonly otherDist?: string;
}

/** A name with a hash of its contents, or a long generated name. */
const UNIQUE_NAME = /(?:[-._~][\w~-]*\d[\w~-]*|^[\da-f~_-]{8,}|[\w~-]{12,})\.[cm]?js$/i;

/** The map of a file, or why it has none. */
export function findMap(tables: ArtifactTables, question: MapQuery): MapMatch | UnmappedFrame {
  const { file, debugId } = question;
  const byId = debugId === undefined ? [] : tables.readyFiles.listByDebugId(debugId);
  const found =
    selectMap(tables, byId, "debug-id") ??
    findByUrl(tables, question) ??
    findByScript(tables, question) ??
    findByName(tables, question);
  if (found !== undefined) return found;
  if (debugId === undefined && !canHaveMap(file)) return unmapped({ reason: "not-expected" });
  return explain(tables, question, byId);
}

/** Files of the event's release at one of the URLs of the frame. */
function findByUrl(
  tables: ArtifactTables,
  { file, debugId, release, dist }: MapQuery,
): MapMatch | UnmappedFrame | undefined {
  if (release === undefined) return undefined;
  for (const url of listUrlCandidates(file)) {
    const all = tables.readyFiles.listByUrl(url, release).filter(createKindFilter(file));
    const scripts = all.length > 0 ? all : listScriptlessMaps(tables, url, release);
    const [first] = scripts;
    if (first === undefined) continue;
    const ofDist = scripts.filter((one) => one.dist === dist);
    const dists = new Set(scripts.map((one) => one.dist));
    if (ofDist.length === 0 && dists.size > 1) continue;
    const own = ofDist.length > 0 ? ofDist : scripts;
    const isOther = (one: PlacedFile) =>
      debugId !== undefined && one.debugId !== undefined && one.debugId !== debugId;
    const same = own.filter((one) => !isOther(one));
    const [other] = own;
    if (same.length === 0 && other?.debugId !== undefined && debugId !== undefined)
      return unmapped({ reason: "other-debug-id", debugId, uploadedId: other.debugId });
    const otherDist = ofDist.length > 0 ? undefined : first.dist;
    const found = selectMap(tables, same, "release", release);
    if (found !== undefined) return { ...found, ...omitUndefined({ otherDist }) };
  }
  return undefined;
}

/**
 * Returns a filter for files at the same URL: only scripts match, unless `file` itself is a map.
 */
function createKindFilter(file: string): (one: PlacedFile) => boolean {
  return ({ kind }) => kind === "script" || /\.map$/i.test(file);
}

/** Maps at the URL of the script with `.map`, without the script. */
function listScriptlessMaps(
  { readyFiles }: ArtifactTables,
  url: string,
  release: string,
): readonly PlacedFile[] {
  return readyFiles.listByUrl(`${url}.map`, release).filter(({ kind }) => kind === "map");
}

/** A script at this URL, of any release, if all scripts of this URL have the same id. */
function findByScript(tables: ArtifactTables, { file, debugId }: MapQuery): MapMatch | undefined {
  if (debugId !== undefined) return undefined;
  for (const url of listUrlCandidates(file)) {
    const scripts = tables.readyFiles.listByUrl(url).filter(({ kind }) => kind === "script");
    const ids = new Set(scripts.map((script) => script.debugId));
    const [id] = ids;
    if (ids.size !== 1 || id === undefined || !isDistinctive(file)) continue;
    const found = selectMap(tables, tables.readyFiles.listByDebugId(id), "script");
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The file with the longest common tail of path segments, if only one upload fits. */
function findByName(tables: ArtifactTables, question: MapQuery): MapMatch | undefined {
  const { file, debugId, release } = question;
  if (debugId !== undefined || !canHaveMap(file)) return undefined;
  const ofRelease = release === undefined ? [] : listNamesakes(tables, file, release);
  const candidates = ofRelease.length > 0 ? ofRelease : listNamesakes(tables, file);
  const best = selectLongestTail(file, candidates);
  // `index.js` of another release can be a different file.
  if (ofRelease.length === 0 && !isDistinctive(file)) return undefined;
  const hashes = new Set(best.map(({ mapHash }) => mapHash ?? ""));
  return hashes.size === 1 ? selectMap(tables, best, "name", release) : undefined;
}

function isDistinctive(file: string): boolean {
  return UNIQUE_NAME.test(getFileName(file));
}

function listNamesakes({ readyFiles }: ArtifactTables, file: string, release?: string) {
  const name = getFileName(file);
  if (name === "") return [];
  const scripts = readyFiles.listByName(name, release).filter(({ kind }) => kind === "script");
  return scripts.length > 0
    ? scripts
    : readyFiles.listByName(`${name}.map`, release).filter(({ kind }) => kind === "map");
}

function selectLongestTail(file: string, candidates: readonly PlacedFile[]): readonly PlacedFile[] {
  const tails = candidates.map((one) => countCommonTail(file, one.url.replace(/\.map$/i, "")));
  const longest = Math.max(0, ...tails);
  return candidates.filter((_, n) => tails[n] === longest);
}

/** The newest of these files that has a map. */
function selectMap(
  tables: ArtifactTables,
  files: readonly PlacedFile[],
  matchedBy: MatchMethod,
  release?: string,
): MapMatch | undefined {
  for (const file of files) {
    const hash = file.mapHash ?? findSeparateMap(tables, file, release);
    if (hash !== undefined) return { kind: "match", hash, upload: file.upload, matchedBy };
  }
  return undefined;
}

/** The map of a script that was uploaded without it: in another upload of the release. */
function findSeparateMap(
  { readyFiles }: ArtifactTables,
  script: PlacedFile,
  release: string | undefined,
): string | undefined {
  if (script.kind !== "script" || script.refusal !== undefined) return undefined;
  if (release === undefined || script.release !== release) return undefined;
  for (const url of listMapUrls(script.url, script.mapUrl)) {
    const map = readyFiles
      .listByUrl(url, release)
      .find((one) => one.kind === "map" && one.dist === script.dist && one.mapHash !== undefined);
    if (map !== undefined) return map.mapHash;
  }
  return undefined;
}

/** Explains why a file has no map, by the most similar uploads. */
function explain(
  tables: ArtifactTables,
  { file, debugId, release }: MapQuery,
  byId: readonly PlacedFile[],
): UnmappedFrame {
  const isUnfinished = tables.uploads
    .listUnfinished()
    .some((upload) => upload.release === release || upload.release === undefined || debugId);
  if (isUnfinished) return unmapped({ reason: "converting" });
  const ofRelease = release === undefined ? [] : listNamesakes(tables, file, release);
  const namesakes = ofRelease.length > 0 ? ofRelease : listNamesakes(tables, file);
  const atUrl =
    release === undefined
      ? []
      : listUrlCandidates(file).flatMap((url) => [
          ...tables.readyFiles.listByUrl(url, release),
          ...listScriptlessMaps(tables, url, release),
        ]);
  const own = [...byId, ...atUrl];
  const refused = own.find(({ refusal }) => refusal !== undefined);
  if (refused?.refusal !== undefined)
    return unmapped({ reason: "map-refused", problem: refused.refusal });
  const script = own.find(({ kind }) => kind === "script");
  if (script !== undefined)
    return unmapped({ reason: "map-missing", ...omitUndefined({ mapUrl: script.mapUrl }) });
  const other = namesakes.find((one) => one.debugId !== undefined && one.debugId !== debugId);
  if (debugId !== undefined && other?.debugId !== undefined)
    return unmapped({ reason: "other-debug-id", debugId, uploadedId: other.debugId });
  const isKnown = release !== undefined && tables.uploads.hasRelease(release);
  if (!isKnown && debugId === undefined && release === undefined && namesakes.length > 0) {
    const uploads = new Set(namesakes.map(({ upload }) => upload)).size;
    return unmapped({ reason: "ambiguous", uploads });
  }
  if (!isKnown) return unmapped({ reason: "nothing-uploaded", ...omitUndefined({ debugId }) });
  const uploadedUrl = ofRelease[0]?.url;
  return unmapped({ reason: "other-url", ...omitUndefined({ uploadedUrl }) });
}

function unmapped(reason: UnmappedReason): UnmappedFrame {
  return { kind: "unmapped", ...reason };
}

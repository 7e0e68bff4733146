/**
 * Finds the map of a frame's file among the uploads of a project: by a debug id that the sender
 * named, else by the rules in `core/symbolication/select-upload.ts`. States why there is none.
 */
import { canHaveMap } from "../../../core/scripts/can-have-map.ts";
import { parseScriptAddress } from "../../../core/scripts/script-address.ts";
import { getFileName } from "../../../core/symbolication/file-candidates.ts";
import type {
  MatchMarks,
  UnmappedFrame,
  UnmappedReason,
} from "../../../core/symbolication/resolution.ts";
import {
  type MapQuestion,
  type Selection,
  selectByName,
  selectByUrl,
  selectPlaced,
} from "../../../core/symbolication/select-upload.ts";
import type { ArtifactTables } from "../tables/artifact-tables.ts";
import type { PlacedFile } from "../tables/ready-files.ts";

/** A converted map, and how it was found. */
export interface MapMatch {
  readonly kind: "match";
  readonly hash: string;
  /** The number of the upload. */
  readonly upload: number;
  readonly marks: MatchMarks;
}

/** The files that an answer is selected from. */
interface Candidates {
  /** Those with a debug id of the script. */
  readonly byId: readonly PlacedFile[];
  /** Those with its name in the report's release; without a release, in uploads without one. */
  readonly ofRelease: readonly PlacedFile[];
  /** Those with its name in all releases. A project may have thousands: read only if needed. */
  readonly listNamesakes: () => readonly PlacedFile[];
}

/** The map of a file, or why it has none. */
export function findMap(tables: ArtifactTables, asked: MapQuestion): MapMatch | UnmappedFrame {
  const { file, debugIds } = asked;
  const query = { ...asked, pageHost: asked.pageHost ?? guessPageHost(tables, file) };
  const byId = debugIds.flatMap((id) => tables.readyFiles.listByDebugId(id));
  const found = selectMap(tables, byId, { matchedBy: "debug-id" });
  if (found !== undefined) return found;
  const candidates = listCandidates(tables, query, byId);
  const selected = select(tables, query, candidates);
  if (selected !== undefined && "reason" in selected) return unmapped(selected);
  const match = selected && selectMap(tables, selected.files, selected.marks);
  if (match !== undefined) return match;
  if (debugIds.length === 0 && !canHaveMap(file)) return unmapped({ reason: "not-expected" });
  return explain(tables, query, candidates);
}

function listCandidates(
  { readyFiles }: ArtifactTables,
  { file, release }: MapQuestion,
  byId: readonly PlacedFile[],
): Candidates {
  const name = getFileName(file);
  const list = (of?: string | null) => (name === "" ? [] : readyFiles.listScripts(name, of));
  return { byId, ofRelease: list(release ?? null), listNamesakes: () => list() };
}

/** A debug id that an upload has must not lead to another build. */
function select(
  tables: ArtifactTables,
  query: MapQuestion,
  { byId, ofRelease, listNamesakes }: Candidates,
): Selection<PlacedFile> {
  if (byId.length > 0) return undefined;
  const { release, file, debugIds } = query;
  const isUploadHost = (host: string) => tables.readyFiles.hasHost(host);
  const byUrl = release === undefined ? undefined : selectByUrl(query, ofRelease, isUploadHost);
  if (byUrl !== undefined || debugIds.length > 0 || !canHaveMap(file)) return byUrl;
  return selectByName(query, ofRelease, listNamesakes, (host) => isOwnHost(tables, host));
}

/**
 * For a report that names no page: the script's host if pages of the project have it, a host that
 * no script has if only others are known, and undefined if none is known.
 */
function guessPageHost({ pageHosts }: ArtifactTables, file: string): string | undefined {
  const { host } = parseScriptAddress(file);
  if (host === undefined || pageHosts.isEmpty()) return undefined;
  return pageHosts.has(host) ? host : "";
}

/** True for a host of pages that reported, and for one that an upload names. */
function isOwnHost({ pageHosts, readyFiles }: ArtifactTables, host: string): boolean {
  return pageHosts.has(host) || readyFiles.hasHost(host);
}

/** The newest of these files that has a map. */
function selectMap(
  tables: ArtifactTables,
  files: readonly PlacedFile[],
  marks: MatchMarks,
): MapMatch | undefined {
  for (const file of files) {
    const hash = file.mapHash ?? findSeparateMap(tables, file);
    if (hash !== undefined) return { kind: "match", hash, upload: file.upload, marks };
  }
  return undefined;
}

/** The map of a script that was uploaded without it: in another upload of the release. */
function findSeparateMap({ readyFiles }: ArtifactTables, script: PlacedFile): string | undefined {
  const { kind, refusal, release } = script;
  if (kind !== "script" || refusal !== undefined || release === undefined) return undefined;
  return readyFiles.listSeparateMaps(script)[0]?.mapHash;
}

/** Explains why a file has no map, by the most similar uploads. */
function explain(
  tables: ArtifactTables,
  query: MapQuestion,
  { byId, ofRelease, listNamesakes }: Candidates,
): UnmappedFrame {
  const { file, debugIds, release, pageHost } = query;
  const [debugId] = debugIds;
  const isUnfinished = tables.uploads
    .listUnfinished()
    .some((upload) => upload.release === release || upload.release === undefined || debugId);
  if (isUnfinished) return unmapped({ reason: "converting" });
  const own = [
    ...byId,
    ...(release === undefined
      ? []
      : selectPlaced(query, ofRelease, (host) => tables.readyFiles.hasHost(host)).files),
  ];
  const refused = own.find(({ refusal }) => refusal !== undefined);
  if (refused?.refusal !== undefined)
    return unmapped({ reason: "map-refused", problem: refused.refusal });
  const script = own.find(({ kind }) => kind === "script");
  if (script !== undefined) return unmapped({ reason: "map-missing", mapUrl: script.mapUrl });
  const similar = release === undefined ? listNamesakes() : ofRelease;
  const other = similar.find((one) => one.debugId !== undefined);
  if (debugId !== undefined && other?.debugId !== undefined)
    return unmapped({ reason: "other-debug-id", debugId, uploadedId: other.debugId });
  const isKnown = release !== undefined && tables.uploads.hasRelease(release);
  if (!isKnown && debugId === undefined && release === undefined && similar.length > 0) {
    const uploads = new Set(similar.map(({ upload }) => upload)).size;
    return unmapped({ reason: "ambiguous", uploads });
  }
  if (!isKnown) return unmapped({ reason: "nothing-uploaded", debugId });
  const { host } = parseScriptAddress(file);
  const isOther = host !== undefined && pageHost !== undefined && host !== pageHost;
  if (isOther && debugId === undefined && !tables.readyFiles.hasHost(host))
    return unmapped({ reason: "other-host", host });
  const uploadedUrl = ofRelease[0]?.url;
  return unmapped({ reason: "other-url", uploadedUrl });
}

function unmapped(reason: UnmappedReason): UnmappedFrame {
  return { kind: "unmapped", ...reason };
}

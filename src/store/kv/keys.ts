/**
 * Creates and parses every KV key and every name of a Durable Object. Keys are ASCII and shorter
 * than 512 bytes. `src/docs/architecture.md` describes the value of each key.
 */
import { fnv1a } from "../../core/fnv1a.ts";
import { SHARED_ID_CHARS } from "../../core/report/report-id.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { Digest } from "../../core/report.ts";

/** A parsed position. `line` counts from 0. */
export interface ParsedPosition {
  readonly hour: string;
  readonly shard: string;
  readonly chunk: number;
  readonly line: number;
}

/** A chunk of one shard. */
export type ChunkRef = Pick<ParsedPosition, "chunk" | "hour">;

const POSITION_PATTERN = /^(\d{10})\/([0-9a-z-]{1,32})\.(\d{8,12}):(\d{1,6})$/;

/** `2026112117/0.00000012:3`: hour, shard, chunk and line. It never changes. */
export function formatPosition(place: ParsedPosition): LogPosition {
  return `${formatChunkName(place)}:${place.line}`;
}

/** The parts of a position; null if the text is not a position. */
export function parsePosition(position: LogPosition): ParsedPosition | null {
  const match = POSITION_PATTERN.exec(position);
  if (match === null) return null;
  const [, hour = "", shard = "", chunk, line] = match;
  return { hour, shard, chunk: Number(chunk), line: Number(line) };
}

/** `2026-11-21`: the day of an hour, or of a position, which begins with its hour. */
export function hourToDay(hour: string): string {
  return `${hour.slice(0, 4)}-${hour.slice(4, 6)}-${hour.slice(6, 8)}`;
}

/** `chunk/1/2026112117/0.00000012`: a chunk of many reports. */
export function toChunkKey(project: string, place: Omit<ParsedPosition, "line">): string {
  return `chunk/${project}/${formatChunkName(place)}`;
}

/** The prefix of a project's chunks. */
export function toChunkPrefix(project: string): string {
  return `chunk/${project}/`;
}

/** The position of a chunk's first line; null if the key is not a chunk of this project. */
export function parseChunkKey(project: string, key: string): ParsedPosition | null {
  const prefix = toChunkPrefix(project);
  return key.startsWith(prefix) ? parsePosition(`${key.slice(prefix.length)}:0`) : null;
}

/** A position within its shard as one number, increasing with time. */
export function toOffset({ chunk, line }: Pick<ParsedPosition, "chunk" | "line">): number {
  return chunk * MAX_LINES_PER_CHUNK + line;
}

/** Positions in the order of their hours; within one hour the order of shards is arbitrary. */
export function sortNewestFirst(positions: readonly LogPosition[]): readonly LogPosition[] {
  const toKey = (position: LogPosition): readonly [hour: string, offset: number] => {
    const parsed = parsePosition(position);
    return parsed === null ? ["", 0] : [parsed.hour, toOffset(parsed)];
  };
  return positions
    .map((position) => [position, ...toKey(position)] as const)
    .sort(([, hourA, a], [, hourB, b]) => (hourA === hourB ? b - a : hourA < hourB ? 1 : -1))
    .map(([position]) => position);
}

/** The chunk of an offset. */
export function offsetToChunk(offset: number): number {
  return Math.floor(offset / MAX_LINES_PER_CHUNK);
}

/** More than a chunk can have (`open-chunk.ts`). */
const MAX_LINES_PER_CHUNK = 100_000;

/**
 * The first chunk of a log created at `nowMs`: tenths of a second since 2026. A log that lost its
 * storage thus reuses no number, and its positions keep increasing.
 */
export function toInitialChunk(nowMs: number): number {
  return Math.floor((nowMs - Date.UTC(2026, 0, 1)) / 100);
}

/** `decision/1/7F3K-Q2M9`: the copy of a document. Without a name, the prefix of all of a kind. */
export function toCopyKey(
  project: string,
  { kind, name = "" }: { readonly kind: string; readonly name?: string },
): string {
  return `${kind}/${project}/${name}`;
}

/** The name of the document that has all saved views. */
export const VIEWS_NAME = "list";
/** The name of the document with the repositories, and of the one with all files CODEOWNERS. */
export const REPOSITORIES_NAME = "settings";
export const CODE_OWNERS_NAME = "files";

/** The oldest code that may work with the stored data (`client/data-versions.ts`). */
export const DATA_VERSIONS_KEY = "data-versions";

/** The registry (`core/accounts/registry.ts`), the only value that belongs to no project. */
export const REGISTRY_KEY = "registry";

/** The prefix of a project's source maps. */
export function toArtifactPrefix(project: string): string {
  return `source-maps/${project}/`;
}

/** `source-maps/1/uploads/`: the prefix of uploads. */
export function toArtifactUploadPrefix(project: string): string {
  return `${toArtifactPrefix(project)}uploads/`;
}

/** `source-maps/1/packs/`: the prefix of packs. */
export function toArtifactPackPrefix(project: string): string {
  return `${toArtifactPrefix(project)}packs/`;
}

/** `source-maps/1/uploads/20261121.5aaeee40…`: one upload, by day and id. */
export function toArtifactUploadKey(
  project: string,
  { id, uploadedMs }: { id: string; uploadedMs: number },
): string {
  return `${toArtifactUploadPrefix(project)}${toDay(uploadedMs)}.${id}`;
}

/** `source-maps/1/packs/20261121.5aaeee40…`: converted maps, by day and random name. */
export function toArtifactPackKey(project: string, name: string): string {
  return toArtifactPackPrefix(project) + name;
}

/** The name of a new pack. */
export function createPackName(nowMs: number, random: string): string {
  return `${toDay(nowMs)}.${random}`;
}

/** `source-maps/1/releases`: the facts of all releases. */
export const RELEASES_COPY = { kind: "source-maps", name: "releases" } as const;

/** `alerts/1/settings`: rules, destinations and preferences, with their secrets. */
export const ALERT_SETTINGS_COPY = { kind: "alerts", name: "settings" } as const;

/** `20261121`. */
function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");
}

/** The prefixes of everything that a project has in KV, except copies of documents. */
export function listProjectPrefixes(project: string): readonly string[] {
  return [
    toChunkPrefix(project),
    toIssuePrefix(project),
    toAliasKey(project, ""),
    `issue-list/${project}/`,
    toSpoolPrefix(project),
    toArtifactPrefix(project),
    toCopyKey(project, { kind: ALERT_SETTINGS_COPY.kind }),
  ];
}

/** The prefix of issue snapshots; the digest follows. */
export function toIssuePrefix(project: string): string {
  return toIssueKey(project, "");
}

/** `issue/1/7F3K-Q2M9`: the snapshot of one issue. */
export function toIssueKey(project: string, digest: Digest): string {
  return `issue/${project}/${digest}`;
}

/** `alias/1/2338823894`: the digests of a foreign code. */
export function toAliasKey(project: string, alias: string): string {
  return `alias/${project}/${encodeURIComponent(alias)}`;
}

/** The name of the value that has the newest issues. */
export const ISSUE_LIST_NAME = "0";

/** `issue-list/1/0`: the newest issues. */
export function toIssueListKey(project: string): string {
  return `issue-list/${project}/${ISSUE_LIST_NAME}`;
}

/** `spool/1/1795282200000.5aaeee40…`: a spool entry, by time (ms) and random id. */
export function toSpoolKey(project: string, name: string): string {
  return toSpoolPrefix(project) + name;
}

/** The prefix of a project's spool entries. */
export function toSpoolPrefix(project: string): string {
  return `${SPOOL_ROOT}${project}/`;
}

/** The prefix of the spool entries of all projects. */
export const SPOOL_ROOT = "spool/";

/** The project of a spool entry's key. */
export function parseSpoolProject(key: string): string {
  return key.split("/")[1] ?? "";
}

/**
 * The shard of a report, by its id: a burst of one error is spread over all shards, and a retry
 * goes to the shard of its first copy. The ids that are derived from a sender's id for each trust
 * level have the same shard.
 */
export function selectShard(id: string, shards: number): string {
  return String(fnv1a(id.slice(0, SHARED_ID_CHARS)) % shards);
}

function formatChunkName({ hour, shard, chunk }: Omit<ParsedPosition, "line">): string {
  return `${hour}/${shard}.${String(chunk).padStart(8, "0")}`;
}

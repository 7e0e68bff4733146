/**
 * Every KV key and every Durable Object name is made here, and nowhere else. Keys are ASCII and shorter than 512 bytes;
 * the table of what each holds is in `src/docs/architecture.md`.
 */
import { fnv1a } from "../../core/fnv1a.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { Digest } from "../../core/report.ts";

/** A position taken apart. `line` counts from 0. */
export interface ParsedPosition {
  readonly hour: string;
  readonly shard: string;
  readonly chunk: number;
  readonly line: number;
}

const POSITION_PATTERN = /^(\d{10})\/([0-9a-z-]{1,32})\.(\d{8,12}):(\d{1,6})$/;

/** `2026112117/0.00000012:3`: hour, shard, chunk and line of a report. It is final when the report is acknowledged. */
export function formatPosition(place: ParsedPosition): LogPosition {
  return `${formatChunkName(place)}:${place.line}`;
}

/** A position taken apart, or null when the text is none. */
export function parsePosition(position: LogPosition): ParsedPosition | null {
  const match = POSITION_PATTERN.exec(position);
  if (match === null) return null;
  const [, hour = "", shard = "", chunk, line] = match;
  return { hour, shard, chunk: Number(chunk), line: Number(line) };
}

/** `2026-11-21`: the day of an hour as above, or of a position, which begins with one. */
export function hourToDay(hour: string): string {
  return `${hour.slice(0, 4)}-${hour.slice(4, 6)}-${hour.slice(6, 8)}`;
}

/** `chunk/1/2026112117/0.00000012`: a chunk of many reports. */
export function chunkKey(project: string, place: Omit<ParsedPosition, "line">): string {
  return `chunk/${project}/${formatChunkName(place)}`;
}

/** What every chunk's key of a project begins with. */
export function chunkPrefix(project: string): string {
  return `chunk/${project}/`;
}

/** The place of a chunk by its key, or null when the key is none of this project. `line` is 0. */
export function parseChunkKey(project: string, key: string): ParsedPosition | null {
  const prefix = chunkPrefix(project);
  return key.startsWith(prefix) ? parsePosition(`${key.slice(prefix.length)}:0`) : null;
}

/** A place within its shard as one number: what stands later has a greater one. */
export function toOffset({ chunk, line }: Pick<ParsedPosition, "chunk" | "line">): number {
  return chunk * MAX_LINES_PER_CHUNK + line;
}

/** The chunk of such a number. */
export function offsetToChunk(offset: number): number {
  return Math.floor(offset / MAX_LINES_PER_CHUNK);
}

/** More than a chunk ever has (`open-chunk.ts`). */
const MAX_LINES_PER_CHUNK = 100_000;

/**
 * The first chunk of a log that begins at `nowMs`: tenths of a second since 2026. A log that has lost its storage uses no
 * number twice, and writes behind what it wrote.
 */
export function toInitialChunk(nowMs: number): number {
  return Math.floor((nowMs - Date.UTC(2026, 0, 1)) / 100);
}

/** `annotations/1/7F3K-Q2M9`: what people added to an issue. */
export function annotationsKey(project: string, digest: Digest): string {
  return `${annotationsPrefix(project)}${digest}`;
}

/** What the keys of all notes begin with; the digest follows. */
export function annotationsPrefix(project: string): string {
  return `annotations/${project}/`;
}

/** The name of the one value that has the views of the list. */
export const VIEWS_NAME = "list";

/** `views/1/list`: the views of the list that people keep. */
export function viewsKey(project: string): string {
  return `views/${project}/${VIEWS_NAME}`;
}

/** `registry`: the registry (`core/registry/registry.ts`); the one value that belongs to no project. */
export const REGISTRY_KEY = "registry";

/** The name of the one object that holds it. */
export const REGISTRY_NAME = "registry";

/** The prefixes of everything that a project has in KV. */
export function listProjectPrefixes(project: string): readonly string[] {
  return [
    chunkPrefix(project),
    issuePrefix(project),
    aliasKey(project, ""),
    `issue-list/${project}/`,
    decisionPrefix(project),
    annotationsPrefix(project),
    viewsKey(project),
    spoolPrefix(project),
  ];
}

/** What the keys of all snapshots of issues begin with; the digest follows. */
export function issuePrefix(project: string): string {
  return issueKey(project, "");
}

/** What the keys of all decisions begin with; the digest follows. */
export function decisionPrefix(project: string): string {
  return decisionKey(project, "");
}

/** `decision/1/7F3K-Q2M9`: what people decided about an issue. */
export function decisionKey(project: string, digest: Digest): string {
  return `decision/${project}/${digest}`;
}

/** `issue/1/7F3K-Q2M9`: the snapshot of one issue. */
export function issueKey(project: string, digest: Digest): string {
  return `issue/${project}/${digest}`;
}

/** `alias/1/2338823894`: the digests that one foreign code leads to. */
export function aliasKey(project: string, alias: string): string {
  return `alias/${project}/${encodeURIComponent(alias)}`;
}

/** `issue-list/1/0`: one page of the list of issues, page 0 the newest. */
export function issueListKey(project: string, page: number): string {
  return `issue-list/${project}/${page}`;
}

/** `spool/1/1795282200000.5aaeee40…`: what a shard did not take; its name is a moment (ms) and a random id. */
export function spoolKey(project: string, name: string): string {
  return spoolPrefix(project) + name;
}

/** What the keys of all that shards did not take begin with, of one project … */
export function spoolPrefix(project: string): string {
  return `${SPOOL_ROOT}${project}/`;
}

/** … and of all. */
export const SPOOL_ROOT = "spool/";

/** The project of such a key. */
export function parseSpoolProject(key: string): string {
  return key.split("/")[1] ?? "";
}

/** `1/0`: the name of a ReportLog object. */
export function reportLogName(project: string, shard: string): string {
  return `${project}/${shard}`;
}

/**
 * Which shard takes a report: by its id and never by its digest, so that a storm of one fault spreads over all shards and a
 * retry meets its first copy.
 */
export function selectShard(id: string, shards: number): string {
  return String(fnv1a(id.slice(0, SHARDING_CHARS)) % shards);
}

/** The first half of an id: where the second half tells moments apart, a retry still meets its first copy. */
const SHARDING_CHARS = 16;

function formatChunkName({ hour, shard, chunk }: Omit<ParsedPosition, "line">): string {
  return `${hour}/${shard}.${String(chunk).padStart(8, "0")}`;
}

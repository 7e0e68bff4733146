/**
 * Every KV key and every Durable Object name is made here, and nowhere else. Keys are ASCII and shorter than 512 bytes;
 * the table of what each holds is in `src/README.md`.
 */
import { fnv1a } from "../core/fnv1a.ts";
import type { Position } from "../core/issue.ts";
import type { Digest } from "../core/report.ts";

/** A position taken apart. `line` counts from 0. */
export interface Place {
  readonly hour: string;
  readonly shard: string;
  readonly chunk: number;
  readonly line: number;
}

const POSITION = /^(\d{10})\/([0-9a-z-]{1,32})\.(\d{8}):(\d{1,6})$/;

/** `2026112117/0.00000012:3`: hour, shard, chunk and line of a report. It is final when the report is acknowledged. */
export function positionOf(place: Place): Position {
  return `${chunkName(place)}:${place.line}`;
}

/** A position taken apart, or null when the text is none. */
export function placeOf(position: Position): Place | null {
  const match = POSITION.exec(position);
  if (match === null) return null;
  const [, hour = "", shard = "", chunk, line] = match;
  return { hour, shard, chunk: Number(chunk), line: Number(line) };
}

/** `2026-11-21`: the day of an hour as above, or of a position, which begins with one. */
export function dayOfHour(hour: string): string {
  return `${hour.slice(0, 4)}-${hour.slice(4, 6)}-${hour.slice(6, 8)}`;
}

/** `c/1/2026112117/0.00000012`: one immutable chunk of many reports. */
export function chunkKey(project: string, place: Omit<Place, "line">): string {
  return `c/${project}/${chunkName(place)}`;
}

/** `g/1/7F3K-Q2M9`: the snapshot of one issue. */
export function issueKey(project: string, digest: Digest): string {
  return `g/${project}/${digest}`;
}

/** `a/1/2338823894`: the digests that one foreign code leads to. */
export function aliasKey(project: string, alias: string): string {
  return `a/${project}/${encodeURIComponent(alias)}`;
}

/** `i/1/0`: one page of the list of issues, page 0 the newest. */
export function listKey(project: string, page: number): string {
  return `i/${project}/${page}`;
}

/** `1/0`: the name of a ReportLog object. */
export function shardName(project: string, shard: string): string {
  return `${project}/${shard}`;
}

/**
 * Which shard takes a report: by its id and never by its digest, so that a storm of one fault spreads over all shards and a
 * retry meets its first copy.
 */
export function shardOf(id: string, shards: number): string {
  return String(fnv1a(id.slice(0, SHARD_CHARS)) % shards);
}

/** The first half of an id: where the second half tells moments apart, a retry still meets its first copy. */
const SHARD_CHARS = 16;

function chunkName({ hour, shard, chunk }: Omit<Place, "line">): string {
  return `${hour}/${shard}.${String(chunk).padStart(8, "0")}`;
}

/**
 * Reads what Errata itself once wrote. Stored shapes carry a version; a reader here accepts every version that was ever
 * written, and gives null for anything else rather than throw.
 */
import type { Decision } from "../core/decision.ts";
import type { Issue, IssueList } from "../core/issue.ts";
import type { SavedView } from "../core/issue-query.ts";
import type { Notes } from "../core/notes.ts";
import type { Report } from "../core/report.ts";
import type { Sum } from "../core/sum.ts";
import type { DayTallies } from "../core/tally.ts";
import type { PlacedId } from "./packed-ids.ts";

function versionOf(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("v" in value)) return undefined;
  return typeof value.v === "number" ? value.v : undefined;
}

/** A report from one line of a chunk or of the log, or null when the line is none. */
export function parseStoredReport(line: string): Report | null {
  try {
    const value: unknown = JSON.parse(line);
    return versionOf(value) === 1 ? (value as Report) : null;
  } catch {
    return null;
  }
}

/** A day's tallies as one line of the log and of a chunk; it is no report to any reader. */
export function tallyLine(counted: DayTallies): string {
  return JSON.stringify({ tally: 1, ...counted });
}

/** Tallies from a line, or null when it holds none. */
export function parseTallyLine(line: string): DayTallies | null {
  const value = parsedLine(line, '{"tally":1,') as DayTallies | null;
  return value === null ? null : { day: value.day, tallies: value.tallies };
}

/** A sum as one line of the log and of a chunk; it is no report to any reader. */
export function sumLine({ mark, times, untilMs }: Sum): string {
  return JSON.stringify({ sum: 1, mark, times, untilMs });
}

/** A sum from a line, or null when it holds none. */
export function parseSumLine(line: string): Sum | null {
  return parsedLine(line, '{"sum":1,') as Sum | null;
}

/**
 * The ids that sums of a chunk stand for, as the line behind all others: `{"placed":1,"ids":{"3":"<32 hex><32 hex>"}}`. KV alone
 * must be enough to find them.
 */
export function placedLine(placed: readonly PlacedId[]): string {
  const perLine = Map.groupBy(placed, ({ line }) => line);
  const ids = [...perLine].map(([line, its]) => [line, its.map(({ id }) => id).join("")]);
  return JSON.stringify({ placed: 1, ids: Object.fromEntries(ids) });
}

/** The placed ids from a line, or null when it holds none. */
export function parsePlacedLine(line: string): readonly PlacedId[] | null {
  const value = parsedLine(line, '{"placed":1,') as { ids: Record<string, string> } | null;
  if (value === null) return null;
  return Object.entries(value.ids).flatMap(([at, ids]) =>
    (ids.match(/.{32}/g) ?? []).map((id) => ({ id, line: Number(at) })),
  );
}

/** A line of our own that begins so; null for any other, and for one that is broken. */
function parsedLine(line: string, start: string): unknown {
  if (!line.startsWith(start)) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** An issue from a snapshot or a row, or null when it is of no version we know. */
export function storedIssue(value: unknown): Issue | null {
  return versionOf(value) === 1 ? (value as Issue) : null;
}

/** A decision from KV or a row, or null when it is of no version we know. */
export function storedDecision(value: unknown): Decision | null {
  return versionOf(value) === 1 ? (value as Decision) : null;
}

/** What people added to an issue, from KV or a row, or null when it is of no version we know. */
export function storedNotes(value: unknown): Notes | null {
  return versionOf(value) === 1 ? (value as Notes) : null;
}

/** The views of the list `{ v: 1, views: [...] }`, from KV or a row, or null when they are of no version we know. */
export function storedViews(value: unknown): Views | null {
  return versionOf(value) === 1 ? (value as Views) : null;
}

/** The views as they are stored. */
export interface Views {
  readonly v: 1;
  readonly views: readonly SavedView[];
}

/** A page of the list from its snapshot, or null when it is of no version we know. */
export function storedList(value: unknown): IssueList | null {
  return versionOf(value) === 1 ? (value as IssueList) : null;
}

/** The digests of an alias's snapshot `{ v: 1, digests: [...] }`; none when it is of no version we know. */
export function storedAlias(value: unknown): readonly string[] {
  if (versionOf(value) !== 1) return [];
  const { digests } = value as { digests?: unknown };
  return Array.isArray(digests) ? digests.filter((digest) => typeof digest === "string") : [];
}

/** What a webhook of a tracker says, as one type for all of them. Pure. */
import { toInertLine } from "../alerts/formats/inert-text.ts";
import { asRecord, asText } from "../decode/as-type.ts";
import type { ItemState } from "../issue/tracker-link.ts";
import { limits } from "../limits.ts";
import { listFixedDigests } from "../release/fixed-digests.ts";
import type { Digest } from "../report.ts";

/** Commits of one push, and fixes of one delivery, that Errata reads. */
export const MAX_COMMITS = 200;
const MAX_FIXED = 50;
/** The longest text of a commit or a pull request that is searched for digests. */
const MAX_READ_CHARS = 20_000;
const MAX_URL_CHARS = 1_000;
const MAX_TITLE_CHARS = 200;

/** An issue was closed or opened. */
export interface StateEvent {
  readonly kind: "state";
  readonly item: string;
  readonly state: ItemState;
  /** Why it was closed; `completed` by default. */
  readonly resolution?: "completed" | "not-planned" | "duplicate";
  readonly by?: string | undefined;
  /** When, by the clock of the tracker; absent if it does not say. */
  readonly atMs?: number | undefined;
  /** True if Errata read the state itself. */
  readonly isRead?: true;
}

/** A change with `Fixes <digest>` was proposed, merged into the default branch, or closed. */
export interface FixEvent {
  readonly kind: "fix";
  readonly stage: "proposed" | "merged" | "closed";
  readonly digests: readonly Digest[];
  /** The repository: `acme/shop`. */
  readonly repository: string;
  readonly url: string;
  readonly title?: string | undefined;
  readonly commit?: string | undefined;
  readonly author?: string | undefined;
  readonly atMs?: number | undefined;
}

export type TrackerEvent = StateEvent | FixEvent;

/** The member at a path of names; undefined if there is none. */
export function readAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => asRecord(inner)?.[name], value);
}

/** The text at a path. */
export function readText(value: unknown, ...path: readonly string[]): string | undefined {
  return asText(readAt(value, ...path));
}

/** The number at a path as text: `12`. */
export function readNumber(value: unknown, ...path: readonly string[]): string | undefined {
  const number = readAt(value, ...path);
  return typeof number === "number" && Number.isSafeInteger(number) ? String(number) : undefined;
}

/** The list at a path; empty if there is none. */
export function readList(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = readAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** A time of a tracker in ms: ISO 8601, or `2026-11-29 10:20:30 UTC`. */
export function readTime(value: unknown, ...path: readonly string[]): number | undefined {
  const found = readAt(value, ...path);
  const ms = typeof found === "number" ? found : Date.parse(asText(found) ?? "");
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

/** The name of a person of the tracker on one line. */
export function readName(value: unknown, ...path: readonly string[]): string | undefined {
  const name = toInertLine(readText(value, ...path) ?? "", limits.maxAssigneeChars);
  return name === "" ? undefined : name;
}

/** What a fix event has besides the texts that name its digests. */
type FixFacts = Omit<FixEvent, "kind" | "digests" | "repository" | "url" | "title"> & {
  readonly repository: string | undefined;
  readonly url: string | undefined;
  readonly title?: string | undefined;
};

/** The event of a change whose texts say `Fixes <digest>`; none without a digest or a URL. */
export function toFixEvents(
  texts: readonly (string | undefined)[],
  { repository, url = "", title, ...facts }: FixFacts,
): readonly FixEvent[] {
  const all = texts.flatMap((text = "") => listFixedDigests(text.slice(0, MAX_READ_CHARS)));
  const digests = [...new Set(all)].slice(0, MAX_FIXED);
  const isUsable = /^https?:\/\//.test(url) && url.length <= MAX_URL_CHARS;
  if (digests.length === 0 || !isUsable || repository === undefined) return [];
  const shown = toInertLine(title ?? "", MAX_TITLE_CHARS);
  return [
    { ...facts, kind: "fix", digests, repository, url, ...(shown !== "" && { title: shown }) },
  ];
}

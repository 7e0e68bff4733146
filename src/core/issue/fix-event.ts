/**
 * What happened to a change that fixes an issue: somebody proposed it, it was merged, or it was
 * closed without a merge. Webhooks of code hosts, commits of releases, programs and people say so.
 */
import * as v from "valibot";
import type { Digest } from "../report.ts";
import { choice, type StoredValue, storedObject, text, timeMs } from "../schema/stored-object.ts";
import { truncateOneLine } from "../truncate.ts";

export const FIX_EVENT_KINDS = ["proposed", "merged", "closed"] as const;

/** The longest texts of an event, in characters. */
export const fixEventLimits = {
  maxUrlChars: 2_000,
  maxTitleChars: 200,
  maxCommitChars: 64,
  maxAuthorChars: 80,
  /** Events of one issue: the newest. */
  maxEventsPerIssue: 30,
  /** Events of one call, and the issues of one event. */
  maxEventsPerCall: 100,
  maxDigestsPerEvent: 20,
} as const;

const { maxUrlChars, maxTitleChars, maxCommitChars, maxAuthorChars } = fixEventLimits;

/** An event of one issue. Stored in its annotations (version 1): fields may be added. */
export type FixEvent = StoredValue<typeof fixEventSchema>;
export const fixEventSchema = /* @__PURE__ */ storedObject({
  kind: choice(FIX_EVENT_KINDS),
  /** The pull or merge request, or the commit, at its host; absent if only a commit is known. */
  url: v.optional(text(maxUrlChars)),
  title: v.optional(text(maxTitleChars)),
  /** The commit on the default branch. */
  commit: v.optional(text(maxCommitChars)),
  author: v.optional(text(maxAuthorChars)),
  /** When it happened, as the host says. */
  atMs: timeMs,
});

/** An event as the index takes it, with the issues that the change fixes. */
export interface SentFixEvent extends FixEvent {
  readonly digests: readonly Digest[];
}

/** A commit as Git names it, whole or abbreviated. */
const COMMIT = /^[0-9a-f]{7,64}$/i;

/** True for the id of a commit of Git. */
export function isCommit(id: string): boolean {
  return COMMIT.test(id);
}

/**
 * The event within its limits; null if it has neither an http(s) URL nor a commit, which tell one
 * change from another. Credentials in the URL are dropped.
 */
export function limitFixEvent({ kind, atMs, ...sent }: FixEvent): FixEvent | null {
  const url = limitUrl(sent.url);
  const commit = isCommit(sent.commit ?? "") ? sent.commit?.toLowerCase() : undefined;
  if (url === undefined && commit === undefined) return null;
  const title = truncateOneLine(sent.title, maxTitleChars);
  const author = truncateOneLine(sent.author, maxAuthorChars);
  return {
    kind,
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(commit !== undefined && { commit }),
    ...(author !== undefined && { author }),
    atMs,
  };
}

/** The change that an event is about: its URL, or else its commit. */
export function toChangeKey({ url, commit = "" }: Pick<FixEvent, "url" | "commit">): string {
  return url ?? commit;
}

function limitUrl(url: string | undefined): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  parsed.username = "";
  parsed.password = "";
  return parsed.href.length <= maxUrlChars ? parsed.href : undefined;
}

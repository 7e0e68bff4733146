/**
 * The issue of a tracker that an issue of Errata is linked to. Stored with the annotations of the
 * issue (version 1): fields may be added, never renamed.
 */
import * as v from "valibot";
import { limits } from "../limits.ts";
import {
  choice,
  code,
  local,
  type StoredValue,
  storedObject,
  text,
  timeMs,
} from "../schema/stored-object.ts";

export const MAX_LABEL_CHARS = 120;
export const MAX_LINK_CHARS = 2_000;

/** Whether the issue of a tracker is open there. */
export type ItemState = "open" | "closed";

/** Where the issue is, as pages and programs show it. */
export type IssueTracker = StoredValue<typeof issueTrackerSchema>;
export const issueTrackerSchema = /* @__PURE__ */ storedObject({
  url: text(MAX_LINK_CHARS),
  /** `acme/shop#12`, `ENG-12`; the host and path of a plain link. */
  label: text(MAX_LABEL_CHARS),
  /** The id of the connection that follows it, and the issue there; absent for a plain link. */
  tracker: v.optional(code()),
  item: v.optional(text(MAX_LABEL_CHARS)),
});

export type TrackerLink = StoredValue<typeof trackerLinkSchema>;
export const trackerLinkSchema = /* @__PURE__ */ storedObject({
  url: text(MAX_LINK_CHARS),
  label: text(MAX_LABEL_CHARS),
  /** Connections are only valid in their own project: an import makes a plain link. */
  tracker: local(v.optional(code())),
  /** The name of the issue in the API of the tracker: `12`, `ENG-12`. */
  item: local(v.optional(text(MAX_LABEL_CHARS))),
  atMs: timeMs,
  /** Who linked it. */
  by: v.optional(text(limits.maxAssigneeChars)),
  /** The state that the tracker has, or that Errata has asked for, and since when. */
  state: v.optional(choice(["open", "closed"])),
  stateMs: v.optional(timeMs),
  /** The time of the decision whose proof the tracker was told. */
  provenMs: v.optional(timeMs),
});

/** A link of a person or of Errata, before it is stored. */
export type NewTrackerLink = Omit<TrackerLink, "atMs" | "provenMs">;

/** A link that a connection follows. */
export type FollowedLink = TrackerLink & Required<Pick<TrackerLink, "tracker" | "item">>;

/** True for a link whose state Errata keeps equal. */
export function isFollowed(link: TrackerLink | undefined): link is FollowedLink {
  return link?.tracker !== undefined && link.item !== undefined;
}

/** What pages and programs show of a link. */
export function toIssueTracker(link: TrackerLink): IssueTracker {
  const { url, label, tracker, item } = link;
  return isFollowed(link) ? { url, label, tracker, item } : { url, label };
}

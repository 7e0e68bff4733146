/**
 * A connection to a tracker: what Errata needs to create and follow issues there. Stored with the
 * settings of alerts (version 1): fields may be added, never renamed.
 */
import * as v from "valibot";
import { alertLimits } from "../alerts/alert-limits.ts";
import {
  choice,
  code,
  type StoredValue,
  storedObject,
  text,
  timeMs,
} from "../schema/stored-object.ts";

export const TRACKER_KIND_NAMES = ["github", "gitlab", "linear", "jira"] as const;
export type TrackerKindName = (typeof TRACKER_KIND_NAMES)[number];

export const trackerLimits = {
  /** Connections of a project. */
  maxTrackers: 10,
  /** Bytes of a webhook. */
  maxHookBytes: 1_000_000,
  /** Deliveries that are remembered, so that each counts once. */
  keptDeliveries: 2_000,
  /** Messages to trackers that wait or have failed. */
  maxWaiting: 1_000,
  /** Calls of one alarm: the free plan allows 50 requests per invocation. */
  maxMessagesPerAlarm: 10,
  /** Issues whose state is read from their trackers in a day. */
  maxReadPerDay: 100,
  maxProjectChars: 200,
} as const;

export type Tracker = StoredValue<typeof trackerSchema>;
export const trackerSchema = storedObject({
  id: code(),
  kind: choice(TRACKER_KIND_NAMES),
  /** The repository, project or team: `acme/shop`, `ENG`. */
  project: text(trackerLimits.maxProjectChars),
  /** The origin of a service of one's own; absent for the public one. */
  baseUrl: v.optional(text(alertLimits.maxTargetChars)),
  token: text(alertLimits.maxTargetChars),
  /** Jira Cloud: whose token it is. Jira Data Center has none. */
  email: v.optional(text(alertLimits.maxTargetChars)),
  /** Jira: the type of new issues. */
  issueType: v.optional(text(80)),
  /** Signs the webhooks of the tracker; absent until Linear's is entered. */
  secret: v.optional(text(alertLimits.maxTargetChars)),
  createdMs: timeMs,
});

/** A connection without its secrets. */
export type TrackerSummary = Omit<Tracker, "token" | "secret" | "createdMs"> & {
  readonly hasSecret: boolean;
  /** How the last call ended, and what waits. */
  readonly state: TrackerState;
};

/** What pages show of a connection's work. */
export interface TrackerState {
  readonly waiting: number;
  readonly failed: number;
  /** When a call succeeded last, and when a webhook arrived last. */
  readonly calledMs?: number;
  readonly receivedMs?: number;
  /** Why the last call failed; absent after a success. */
  readonly problem?: { readonly atMs: number; readonly detail: string };
}

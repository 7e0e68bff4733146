/**
 * What is stored about the fix of an issue: the events of its changes, the release that has one of
 * them, and the hand-offs to agents. Facts only: `fix-status.ts` derives the state from them, so
 * that it does not depend on the order in which they arrive. Pure.
 */
import * as v from "valibot";
import { limits } from "../limits.ts";
import {
  code,
  flag,
  list,
  type StoredValue,
  storedObject,
  text,
  timeMs,
} from "../schema/stored-object.ts";
import { type FixEvent, fixEventLimits, fixEventSchema, toChangeKey } from "./fix-event.ts";

/** Hand-offs of one issue that are kept: the newest. */
const MAX_HAND_OFFS = 10;

/** One hand-off of an issue to an agent. Stored (version 1): fields may be added. */
export type HandOff = StoredValue<typeof handOffSchema>;
const handOffSchema = /* @__PURE__ */ storedObject({
  atMs: timeMs,
  /** The id of the destination of alerts, and its name then. */
  to: code(),
  name: text(limits.maxAssigneeChars),
  /** The id of the message, the same for every attempt. */
  message: code(),
  /** The person who asked for it; absent for a rule. */
  by: v.optional(text(limits.maxAssigneeChars)),
  /** When the message was first sent; absent while the hand-off can be undone. */
  sentMs: v.optional(timeMs),
  /** True if the issue came back after an earlier fix. */
  isReturn: v.optional(flag),
});

/** Stored in the annotations of an issue (version 1): fields may be added. */
export type FixRecord = StoredValue<typeof fixRecordSchema>;
export const fixRecordSchema = /* @__PURE__ */ storedObject({
  /** Oldest first, one of each kind for each change. */
  events: v.optional(list(fixEventSchema, fixEventLimits.maxEventsPerIssue)),
  /** The release that has the commit of a merged change, and when this was known. */
  deployed: v.optional(
    storedObject({
      release: text(limits.maxReleaseChars),
      atMs: timeMs,
      commit: v.optional(text(fixEventLimits.maxCommitChars)),
    }),
  ),
  /** When the resolved issue last occurred again. What happened before belongs to that fix. */
  cameBackMs: v.optional(timeMs),
  /**
   * When somebody, or a report of a higher level, last opened the resolved issue. What happened
   * before did not fix it.
   */
  reopenedMs: v.optional(timeMs),
  /** Oldest first. */
  handOffs: v.optional(list(handOffSchema, MAX_HAND_OFFS)),
});

/**
 * Adds an event. An event of the same kind about the same change is replaced if it is later: a
 * request can be reopened, and hosts send events again. The same object if nothing changes.
 */
export function addFixEvent(record: FixRecord, event: FixEvent): FixRecord {
  const { events = [] } = record;
  const isSame = (one: FixEvent) =>
    one.kind === event.kind && toChangeKey(one) === toChangeKey(event);
  const known = events.find(isSame);
  if (known !== undefined && known.atMs >= event.atMs) return record;
  const kept = [...events.filter((one) => one !== known), event].sort((a, b) => a.atMs - b.atMs);
  return { ...record, events: kept.slice(-fixEventLimits.maxEventsPerIssue) };
}

/** The record of an issue that was resolved and is opened at `nowMs`, for any reason but a report. */
export function reopenFix(record: FixRecord | undefined, nowMs: number): FixRecord {
  return { ...record, reopenedMs: nowMs };
}

/** The record before it was reopened at `atMs`: an undo. `before` is the reopening before that. */
export function undoReopening(
  record: FixRecord | undefined,
  atMs: number,
  before: number | undefined,
): FixRecord | undefined {
  if (record?.reopenedMs !== atMs) return record;
  const { reopenedMs: _, ...others } = record;
  if (before !== undefined) return { ...others, reopenedMs: before };
  return Object.keys(others).length === 0 ? undefined : others;
}

/** Adds a hand-off, once for each message to a destination. */
export function addHandOff(record: FixRecord, handOff: HandOff): FixRecord {
  const { handOffs = [] } = record;
  const isSame = ({ message, to }: HandOff) => message === handOff.message && to === handOff.to;
  if (handOffs.some(isSame)) return record;
  return { ...record, handOffs: [...handOffs, handOff].slice(-MAX_HAND_OFFS) };
}

/** The facts of two issues that become one. */
export function joinFixRecords(
  ours: FixRecord | undefined,
  theirs: FixRecord | undefined,
): FixRecord | undefined {
  if (ours === undefined || theirs === undefined) return ours ?? theirs;
  const withEvents = (theirs.events ?? []).reduce(addFixEvent, ours);
  const joined = (theirs.handOffs ?? []).reduce(addHandOff, withEvents);
  const cameBackMs = Math.max(ours.cameBackMs ?? 0, theirs.cameBackMs ?? 0);
  const reopenedMs = Math.max(ours.reopenedMs ?? 0, theirs.reopenedMs ?? 0);
  return {
    ...joined,
    ...(cameBackMs > 0 && { cameBackMs }),
    ...(reopenedMs > 0 && { reopenedMs }),
    ...(joined.handOffs && {
      handOffs: joined.handOffs.toSorted((a, b) => a.atMs - b.atMs),
    }),
  };
}

/** When the current fix began: the issue last came back, or was opened again. -1 for the first. */
function getStartMs({ cameBackMs = -1, reopenedMs = -1 }: FixRecord): number {
  return Math.max(cameBackMs, reopenedMs);
}

/** The events since the issue last came back or was opened again: those of the current fix. */
export function listCurrentEvents(record: FixRecord): readonly FixEvent[] {
  const startMs = getStartMs(record);
  return (record.events ?? []).filter(({ atMs }) => atMs > startMs);
}

/** The last hand-off of the current fix; undefined if there is none. */
export function findCurrentHandOff(record: FixRecord): HandOff | undefined {
  const startMs = getStartMs(record);
  return record.handOffs?.findLast(({ atMs }) => atMs > startMs);
}

/** The current change: the last merged one, or else the last one that is still proposed. */
export function findCurrentChange(record: FixRecord): FixEvent | undefined {
  const events = listCurrentEvents(record);
  const changes = [...new Set(events.map(toChangeKey))]
    .map((key) => findLastState(events.filter((one) => toChangeKey(one) === key)))
    .sort((a, b) => a.atMs - b.atMs);
  const findLast = (kind: FixEvent["kind"]) => changes.findLast((one) => one.kind === kind);
  return findLast("merged") ?? findLast("proposed");
}

/** A merge is final. A request that was closed can be opened again. */
function findLastState(events: readonly FixEvent[]): FixEvent {
  const merged = events.findLast(({ kind }) => kind === "merged");
  if (merged !== undefined) return merged;
  // Of two events at the same time, the request was opened before it was closed.
  return events.reduce((last, one) => {
    const isLater = one.atMs === last.atMs ? one.kind === "closed" : one.atMs > last.atMs;
    return isLater ? one : last;
  });
}

/** The mark of an issue whose fix has this record. */
export function toFixMark(record: FixRecord | undefined): "proposed" | "merged" | undefined {
  const { kind } = (record && findCurrentChange(record)) ?? {};
  return kind === "closed" ? undefined : kind;
}

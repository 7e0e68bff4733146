// The journal of the senders: all requests and their responses, for comparison with Errata.

import type { Event, Part } from "../reports/bodies.ts";
import type { Outcome } from "../rig/client.ts";

/**
 * The kind of acknowledgement. "accepted": the body is stored. "counted": counted without its body,
 * in a storm. "duplicate": stored before, with or without its body.
 */
type End = "accepted" | "counted" | "duplicate";

export interface EventEntry {
  event: Event;
  fault: string;
  /** Set when the event is acknowledged. */
  end?: End;
  digest?: string;
}

/** A report of a browser's upload. It has no id before it is acknowledged. */
interface UploadEntry {
  fault: string;
  sent: number;
  /** True if all attempts were close enough to count as one report. */
  exact: boolean;
  id?: string;
  digest?: string;
  end?: End;
}

export type Journal = ReturnType<typeof openJournal>;

/** Attempts that are further apart than this, by either clock, count as two reports. */
const EXACT_WITHIN_MS = 1_900;

/** An empty journal. */
export function openJournal() {
  /** The events by id. */
  const events: Map<string, EventEntry> = new Map();
  /** The reports of uploads by marker. */
  const uploads: Map<string, UploadEntry> = new Map();
  /** The sessions by release, which is different for each attempt. True when acknowledged. */
  const sessions: Map<string, boolean> = new Map();
  /** Ids in the order of their acknowledgements. */
  const acknowledged: string[] = [];
  const contradictions: string[] = [];
  const figures = { posts: 0, unanswered: 0, refused: 0, retries: 0, echoes: 0 };

  /** Undefined for a response that a report must not get. */
  function findEnd(what: string, outcome: Outcome | undefined): End | undefined {
    if (outcome?.outcome === "accepted") return outcome.isDuplicate ? "duplicate" : "accepted";
    if (outcome?.outcome === "counted") return "counted";
    contradictions.push(`${what} was answered with "${outcome?.outcome}"`);
    return undefined;
  }

  return {
    events,
    uploads,
    sessions,
    acknowledged,
    /** Responses that contradict each other. */
    contradictions,
    figures,

    /** Records the response to an event. */
    recordEvent(entry: EventEntry, outcomes: readonly Outcome[]) {
      const { id } = entry.event;
      const outcome = outcomes.find(({ item }) => item === "event");
      const end = findEnd(id, outcome);
      if (outcome === undefined || end === undefined) return;
      if (outcome.id !== "" && outcome.id !== id) {
        contradictions.push(`${id} was acknowledged as ${outcome.id}`);
      }
      const { end: before = "duplicate", digest = outcome.digest } = entry;
      if (end !== "duplicate" && before !== "duplicate") {
        contradictions.push(`${id} was ${before}, and then ${end} as if it were new`);
      }
      if (outcome.digest !== "" && digest !== "" && outcome.digest !== digest) {
        contradictions.push(`${id} was in ${digest}, and then in ${outcome.digest}`);
      }
      if (entry.end === undefined) acknowledged.push(id);
      entry.end = before === "duplicate" ? end : before;
      entry.digest = outcome.digest || digest;
    },

    /**
     * Records an attempt to send a report of an upload.
     * @param place the index in the upload
     */
    recordUploadAttempt({ marker, fault }: Part, place: number, tookMs: number) {
      const entry = uploads.get(marker) ?? { fault: `${place % 2} ${fault}`, sent: 0, exact: true };
      entry.sent++;
      if (tookMs > EXACT_WITHIN_MS) entry.exact = false;
      uploads.set(marker, entry);
    },

    /** Records the response to a report of an upload. */
    recordUpload(marker: string, outcome: Outcome | undefined) {
      const entry = uploads.get(marker);
      const end = findEnd(marker, outcome);
      if (entry === undefined || outcome === undefined || end === undefined) return;
      entry.end = end;
      entry.digest = outcome.digest;
      entry.id = outcome.id;
      if (outcome.id !== "") acknowledged.push(outcome.id);
    },
  };
}

// What the senders know: everything that was sent, and what was said to it. The only witness beside Errata itself.

import type { Event, Part } from "./bodies.ts";
import type { Outcome } from "./client.ts";

/**
 * How a report was acknowledged: its body is kept; it is counted, and its body is not kept (one of a storm); it had been taken
 * before, which says nothing of its body.
 */
type End = "accepted" | "counted" | "repeated";

export interface EventEntry {
  event: Event;
  fault: string;
  /** once it is acknowledged */
  end?: End;
  digest?: string;
}

/** one report of a browser's upload: it has no id before it is acknowledged */
interface UploadEntry {
  fault: string;
  sent: number;
  /** its tries were near enough in time to be told for one */
  exact: boolean;
  id?: string;
  digest?: string;
  end?: End;
}

export type Books = ReturnType<typeof openBooks>;

/** Tries of a browser's report that are farther apart than this, by the sender's clock and the receiver's, are two reports. */
const EXACT_WITHIN_MS = 1_900;

/** Empty books. */
export function openBooks() {
  /** by id */
  const events: Map<string, EventEntry> = new Map();
  /** by mark */
  const uploads: Map<string, UploadEntry> = new Map();
  /** by release, of which each try has its own; true when it was acknowledged */
  const sessions: Map<string, boolean> = new Map();
  /** ids in the order of their acknowledgement */
  const acknowledged: string[] = [];
  const contradictions: string[] = [];
  const figures = { posts: 0, unanswered: 0, refused: 0, retries: 0, echoes: 0 };

  /** Undefined when the answer is none that a report may get. */
  function endIn(what: string, outcome: Outcome | undefined): End | undefined {
    if (outcome?.outcome === "accepted") return outcome.repeated ? "repeated" : "accepted";
    if (outcome?.outcome === "counted") return "counted";
    contradictions.push(`${what} was answered with "${outcome?.outcome}"`);
    return undefined;
  }

  return {
    events,
    uploads,
    sessions,
    acknowledged,
    /** What the answers themselves say wrongly. */
    contradictions,
    figures,

    /** Notes the answer to an event. */
    tookEvent(entry: EventEntry, outcomes: readonly Outcome[]) {
      const { id } = entry.event;
      const outcome = outcomes.find(({ item }) => item === "event");
      const end = endIn(id, outcome);
      if (outcome === undefined || end === undefined) return;
      if (outcome.id !== "" && outcome.id !== id) {
        contradictions.push(`${id} was acknowledged as ${outcome.id}`);
      }
      const { end: before = "repeated", digest = outcome.digest } = entry;
      if (end !== "repeated" && before !== "repeated") {
        contradictions.push(`${id} was ${before}, and then ${end} as if it were new`);
      }
      if (outcome.digest !== "" && digest !== "" && outcome.digest !== digest) {
        contradictions.push(`${id} was in ${digest}, and then in ${outcome.digest}`);
      }
      if (entry.end === undefined) acknowledged.push(id);
      entry.end = before === "repeated" ? end : before;
      entry.digest = outcome.digest || digest;
    },

    /**
     * Notes a try of an upload's report.
     * @param place in the upload
     */
    triedUpload({ mark, fault }: Part, place: number, tookMs: number) {
      const entry = uploads.get(mark) ?? { fault: `${place % 2} ${fault}`, sent: 0, exact: true };
      entry.sent++;
      if (tookMs > EXACT_WITHIN_MS) entry.exact = false;
      uploads.set(mark, entry);
    },

    /** Notes the answer to a report of an upload. */
    tookUpload(mark: string, outcome: Outcome | undefined) {
      const entry = uploads.get(mark);
      const end = endIn(mark, outcome);
      if (entry === undefined || outcome === undefined || end === undefined) return;
      entry.end = end;
      entry.digest = outcome.digest;
      entry.id = outcome.id;
      if (outcome.id !== "") acknowledged.push(outcome.id);
    },
  };
}

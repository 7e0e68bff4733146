/**
 * What became of one received item. Every item that arrives ends in exactly one outcome, and the outcomes of a request
 * add up to its items (the invariant of Sentry's Relay, `services/outcome.rs`).
 */
import type { Digest, ReportId } from "../report.ts";

/** Why an item is not kept although nothing is wrong with it. */
export type DropReason = "not-stored" | "over-count" | "control-flow";

/** Why an item could not be understood. */
export type InvalidReason =
  | "not-json"
  | "not-an-object"
  | "missing-field"
  | "too-large"
  | "framing";

/** One item's end. `item` is the sender's word for it: `event`, `session`, `csp-violation`. */
export type Outcome =
  | {
      readonly outcome: "accepted";
      readonly item: string;
      readonly id: ReportId;
      readonly digest: Digest;
      /** It had been stored before: a retry. It is not counted again. */
      readonly isDuplicate: boolean;
      /** It is durable, and waits beside the log: it is counted and found a moment later. */
      readonly isSpooled?: boolean;
    }
  | {
      readonly outcome: "counted";
      readonly item: string;
      /** Of one of a storm, whose body is not kept: it counts in this issue, and its id leads there. */
      readonly id?: ReportId;
      readonly digest?: Digest;
    }
  | { readonly outcome: "dropped"; readonly item: string; readonly reason: DropReason }
  | {
      readonly outcome: "invalid";
      readonly item: string;
      readonly reason: InvalidReason;
      /** What was expected, and where; never what was found. */
      readonly expected: string;
    };

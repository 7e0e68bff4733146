/**
 * The outcome of a received item. Every item has exactly one outcome, so the outcomes of a request
 * add up to its items (as in Sentry's Relay, `services/outcome.rs`).
 */
import type { Digest, ReportId } from "../report.ts";

/** The reason why a valid item is not stored. */
export type DropReason = "not-stored" | "over-count" | "control-flow";

/** The reason why an item could not be parsed. */
export type InvalidReason =
  | "not-json"
  | "not-an-object"
  | "missing-field"
  | "too-large"
  | "framing";

/** One outcome. `item` is the sender's name for the item: `event`, `session`, `csp-violation`. */
export type Outcome =
  | {
      readonly outcome: "accepted";
      readonly item: string;
      readonly id: ReportId;
      readonly digest: Digest;
      /** The report was stored before: a retry. It is not counted again. */
      readonly isDuplicate: boolean;
      /** The report is durable in the spool and will be counted and found shortly. */
      readonly isSpooled?: boolean;
    }
  | {
      readonly outcome: "counted";
      readonly item: string;
      /**
       * Of a sampled report without a stored body: its id, which leads to the issue that counts it.
       */
      readonly id?: ReportId;
      readonly digest?: Digest;
    }
  | { readonly outcome: "dropped"; readonly item: string; readonly reason: DropReason }
  | {
      readonly outcome: "invalid";
      readonly item: string;
      readonly reason: InvalidReason;
      /** The expected input and its place. Never contains received data. */
      readonly expected: string;
    };

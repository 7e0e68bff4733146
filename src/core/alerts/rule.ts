/** Alert rules: the conditions of alerts, and the destinations of messages. */
import type { Trust } from "../trust/trust.ts";

/** The condition that makes an alert due. */
export type AlertTrigger =
  | { readonly kind: "new-issue" }
  | { readonly kind: "regressed" }
  | { readonly kind: "escalating" }
  /** An issue reached a number of occurrences within a window. */
  | { readonly kind: "occurrences"; readonly count: number; readonly withinMs: number }
  /** An issue has affected this many users. */
  | { readonly kind: "users"; readonly count: number }
  /** The first occurrence of an issue in a release. */
  | { readonly kind: "new-in-release" }
  /** The share of crash-free sessions of a release, 0 to 1, fell below a limit. */
  | { readonly kind: "crash-free"; readonly below: number }
  /** A CSP violation of a kind that was not seen before. */
  | { readonly kind: "csp-violation" }
  | { readonly kind: "user-feedback" }
  /** Ingestion stopped, or changed beyond its usual rate. */
  | { readonly kind: "ingestion" }
  /** An upload of source maps failed, or no frame matched it within a day. */
  | { readonly kind: "source-maps" }
  /** The budget of a day is nearly used. */
  | { readonly kind: "budget" };

/**
 * The subject of an alert. Rules cannot choose `delivery` (a destination was disabled), `flood` and
 * `more-public` (alerts about public reports above their limit), `resolved`, which closes alerts of
 * pagers, or `returned`: an ignored issue whose condition ended occurs again, which `regressed`
 * covers.
 */
export type AlertTriggerKind =
  | AlertTrigger["kind"]
  | ("delivery" | "flood" | "more-public" | "resolved" | "returned");

/**
 * Times in which a rule sends messages. Other alerts wait until these begin. Hours that pass
 * midnight belong to the day on which they begin.
 */
export interface WorkingHours {
  /** 0 is Sunday. */
  readonly days: readonly number[];
  /** Minutes after midnight in `timeZone`; `to` is exclusive, and may be before `from`. */
  readonly from: number;
  readonly to: number;
  /** An IANA name: `Europe/Berlin`. */
  readonly timeZone: string;
}

/** A rule of a project. Stored (version 1): fields may be added, never renamed. */
export interface AlertRule {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly triggers: readonly AlertTrigger[];
  /** A query of the issue list; empty for every issue. Noise matches only if the query names it. */
  readonly query: string;
  /** The lowest level of the reports that fire it; absent, or `public`, for every level. */
  readonly minTrust?: Trust;
  readonly workingHours?: WorkingHours;
  /** Ids of destinations. Empty for all destinations of the project. */
  readonly destinations: readonly string[];
  /** How long a trigger of this rule does not fire for the same issue again. */
  readonly coolDownMs: number;
}

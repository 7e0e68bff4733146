/**
 * The facts of an alert message. `core/alerts/formats` builds each service's body from them. Every
 * reported text is hostile: formats escape it and never make links of it.
 */
import type { Digest, ReportKind } from "../report.ts";
import type { Trust } from "../trust/trust.ts";
import type { AlertTriggerKind } from "./rule.ts";

/** An issue in a message. Reported texts are at most 300 characters. */
export interface AlertedIssue {
  readonly digest: Digest;
  readonly kind: ReportKind;
  readonly type: string;
  readonly message: string;
  /** The throwing frame, resolved by source maps if there are any: `cart.tsx:41 in addItem`. */
  readonly place?: string;
  readonly route?: string;
  readonly release?: string;
  readonly firstRelease?: string;
  readonly environment?: string;
  readonly trust: Trust;
  readonly count: number;
  readonly userCount?: number;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  readonly assignee?: string;
  /** Absolute URLs. The action pages ask for confirmation; a GET changes nothing. */
  readonly links: {
    readonly issue: string;
    readonly receipt: string;
    readonly resolve?: string;
    readonly mute?: string;
    readonly assign?: string;
    /** A prefilled `issues/new` of the project's GitHub repository. */
    readonly github?: string;
  };
}

/** Why a message was sent: a trigger with its figures, and the rules that matched. */
export interface AlertReason {
  readonly trigger: AlertTriggerKind;
  /** A sentence with the figures: `4.7 times its usual rate: 412 in the last hour, usually 87.` */
  readonly text: string;
  /** Names of the rules, with absolute URLs. */
  readonly rules: readonly { readonly name: string; readonly url: string }[];
}

/** One message to one destination. */
export interface AlertMessage {
  /** The same for every attempt: the header `webhook-id`. Contains no `.`. */
  readonly id: string;
  readonly kind: "issue" | "project" | "summary" | "test";
  readonly atMs: number;
  readonly project: { readonly id: string; readonly name: string; readonly url: string };
  readonly reasons: readonly AlertReason[];
  /**
   * A short title without reported text: `New issue`, `Regressed`, `41 new issues since 14:02 UTC`.
   */
  readonly title: string;
  /** The issue; for a summary, at most five of the worst issues; for a project, none. */
  readonly issues: readonly AlertedIssue[];
  /** For a summary: the number of issues, their list, and at most 500 digests, for programs. */
  readonly summary?: {
    readonly issues: number;
    readonly sinceMs: number;
    readonly url: string;
    readonly digests: readonly Digest[];
  };
  /** Until when the rules stay silent about this issue. */
  readonly quietUntilMs?: number;
  /** The page where recipients change their alerts. */
  readonly settingsUrl: string;
}

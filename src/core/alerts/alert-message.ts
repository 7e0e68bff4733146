/**
 * The facts of an alert message. `core/alerts/formats` builds each service's body from them. Every
 * reported text is hostile: formats escape it and never make links of it.
 */
import type { Digest, ReportKind } from "../report.ts";
import type { Trust } from "../trust/trust.ts";
import type { HandOffFacts } from "./hand-off.ts";
import type { PeriodReport } from "./periods/period-report.ts";
import type { AlertTriggerKind } from "./triggers/triggers.ts";

/** What a link of a message asks for. */
export type MessageAction = "resolve" | "snooze" | "assign";

/** An issue in a message. Reported texts are at most 300 characters. */
export interface AlertedIssue {
  readonly digest: Digest;
  readonly kind: ReportKind;
  readonly type: string;
  readonly message: string;
  /** The throwing frame, resolved by source maps if there are any: `src/cart.tsx:41 in addItem`. */
  readonly place?: string;
  /** Its line of source, if a map or the report has it. */
  readonly source?: string;
  /** The release whose source map is missing; empty for a report without a release. */
  readonly missingMap?: string;
  /** The innermost cause of the error: `TimeoutError: no connection`. */
  readonly cause?: string;
  /** `POST /api/checkout`, or what the sender calls the transaction. */
  readonly route?: string;
  readonly browser?: string;
  /** `fatal`, `warning`; absent for `error`. */
  readonly level?: string;
  /** The logger of a log message. */
  readonly logger?: string;
  readonly release?: string;
  readonly firstRelease?: string;
  /** When the first release was deployed, if a tool said so. */
  readonly deployedMs?: number;
  readonly environment?: string;
  readonly trust: Trust;
  readonly count: number;
  readonly userCount?: number;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  readonly assignee?: string;
  /** When a resolved issue occurred again. */
  readonly returnedMs?: number;
  /** Of an issue that returned: who resolved it before, when, and in which release. */
  readonly resolved?: { readonly atMs: number; readonly by?: string; readonly release?: string };
  /** The newest feedback of a visitor, in a message about feedback. */
  readonly feedback?: { readonly text: string; readonly author?: string };
  /** In a summary: what happened to the issue. */
  readonly triggers?: readonly AlertTriggerKind[];
  /** Absolute URLs. The action pages ask for confirmation; a GET changes nothing. */
  readonly links: {
    readonly issue: string;
    readonly receipt: string;
    readonly resolve?: string;
    /** Offers the entries of the menu *Snooze*. */
    readonly snooze?: string;
    readonly assign?: string;
    /** A prefilled `issues/new` of the project's GitHub repository. */
    readonly github?: string;
    /** The issue of a tracker that it is linked to, in place of a prefilled one. */
    readonly tracker?: string;
  };
}

/** Why a message was sent: a trigger with its figures, and the rules that matched. */
export interface AlertReason {
  readonly trigger: AlertTriggerKind;
  /** A sentence with the figures: `4.7 times its usual rate: 412 in the last hour, usually 87.` */
  readonly text: string;
  /** Figures that take the place of the counts of the issue: `40 in the last hour, usually 3`. */
  readonly figures?: string;
  /** How far the issue is above its usual rate: `13 × its usual rate`. */
  readonly growth?: string;
  /** Names of the rules, with absolute URLs. */
  readonly rules: readonly { readonly name: string; readonly url: string }[];
}

/** One message to one destination. */
export interface AlertMessage {
  /** The same for every attempt: the header `webhook-id`. Contains no `.`. */
  readonly id: string;
  readonly kind: "issue" | "project" | "summary" | "period" | "test" | "hand-off";
  readonly atMs: number;
  readonly project: { readonly id: string; readonly name: string; readonly url: string };
  readonly reasons: readonly AlertReason[];
  /**
   * A short title without reported text: `New issue`, `Regressed`, `5 new, 1 returned since 14:02
   * UTC`.
   */
  readonly title: string;
  /**
   * The issue; for a test, the newest one; for a summary, at most five of the worst issues; for a
   * project, none.
   */
  readonly issues: readonly AlertedIssue[];
  /** For a summary: the number of issues, their list, and at most 500 digests, for programs. */
  readonly summary?: {
    readonly issues: number;
    readonly sinceMs: number;
    readonly url: string;
    readonly digests: readonly Digest[];
  };
  /** The summary of a day or week. The message has no issues and no reasons. */
  readonly period?: PeriodReport;
  /** The hand-off of an issue to an agent. The message has no issues: no reported text. */
  readonly handOff?: HandOffFacts;
  /** Of a flood: the list of the issues that it folds. */
  readonly listUrl?: string;
  /** True for a test with a made-up issue, because the project has none. */
  readonly isMadeUp?: true;
  /** Until when the rules stay silent about this issue. */
  readonly quietUntilMs?: number;
  /** The page where recipients change their alerts. */
  readonly settingsUrl: string;
}

/** The triggers of a message: its own, and in a summary those of its issues. */
export function listTriggers({
  reasons,
  issues,
}: Pick<AlertMessage, "reasons" | "issues">): readonly AlertTriggerKind[] {
  return [
    ...reasons.map(({ trigger }) => trigger),
    ...issues.flatMap(({ triggers = [] }) => triggers),
  ];
}

const TEST_PREFIX = "test_";

/** The prefix of the ids of a project's test messages. */
export function toTestPrefix(project: string): string {
  return `${TEST_PREFIX}${project}_`;
}

/** True for the id of a test message of any project. */
export function isTestMessage(id: string): boolean {
  return id.startsWith(TEST_PREFIX);
}

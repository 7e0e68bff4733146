/**
 * What each kind of alert declares: how a rule asks for it, when it fires, and its texts. One file
 * per kind, or per family that shares its detection; `triggers.ts` lists them. Pure.
 */
import type * as v from "valibot";
import type { Issue } from "../../issue/issue.ts";
import type { IssueFilter } from "../../issue/issue-query.ts";
import type { ReportSummary } from "../../report/report-summary.ts";
import type { Trust } from "../../trust/trust.ts";
import type { AlertHistory, SentFacts } from "./alert-history.ts";
import type { JudgedCounts } from "./judged-counts.ts";

/** The figures that the texts of an alert state. Stored (version 1): fields may be added. */
export interface Figures {
  /** The count: occurrences, users, a rate per hour, or a percentage. */
  readonly value?: number;
  /**
   * The limit that it passed; the reports for which a returned issue was snoozed; the issues of a
   * flood.
   */
  readonly limit?: number;
  /**
   * The usual rate per hour; of `more-public`, the alerts that are not about new issues; the
   * networks of a flood.
   */
  readonly usual?: number;
  readonly withinMs?: number;
  /** A release, or a sentence about the project. */
  readonly detail?: string;
}

/** What all kinds of alerts declare. */
export interface TriggerTexts<K extends string = string> {
  readonly kind: K;
  /** The `type` of a webhook's body. */
  readonly webhookEvent: string;
  /** The title of a message, without reported text: `New issue`. */
  title(figures: Figures): string;
  /** The title before the name of an environment: `New`. */
  readonly shortTitle?: string;
  /** The title in a summary, which has no figures. */
  readonly summaryTitle?: string;
  /** Why the alert is due, as a sentence with the figures. */
  sentence(figures: Figures): string;
  /** True if the title, the figures or another line of a message says what the sentence says. */
  readonly isSentenceOptional?: true;
  /** What a message states instead of all occurrences: `40 in the last hour, usually 3`. */
  figures?(figures: Figures): string | undefined;
  /** How far an issue is above its usual rate: `13 × its usual rate`. */
  growth?(figures: Figures): string | undefined;
  /** The change of the issue: it is new, came back, or gets more frequent. */
  readonly says?: "new" | "returned" | "growing";
  /** The mark of an issue in a summary; absent if the summary only counts it. */
  readonly badge?: string;
  /** Anybody can cause many of them. All others mean that something gets worse. */
  readonly isCommon?: true;
  /** It wakes people up. */
  readonly isUrgent?: true;
  /** It can fire for an issue again without anything that members do. */
  readonly isRepeating?: true;
  /** True if its message shows the feedback of a visitor. */
  readonly isFeedback?: true;
  /** The list that its message links to, below the desk: `/issues?q=…`. */
  readonly listPath?: string;
}

/** The parameters of a trigger in a rule, as entries of an object. `param-fields.ts` makes them. */
export type Params = v.ObjectEntries;

/** The values of parameters. */
export type ParamValues<P extends Params> = Readonly<v.InferOutput<v.ObjectSchema<P, undefined>>>;

/** A trigger that rules can choose. */
interface ChosenTrigger<K extends string, P extends Params> extends TriggerTexts<K> {
  readonly label: string;
  /** The schema of its parameters. The form of a rule has a field for each. */
  readonly params: P;
  /** The trigger in the list of rules: `10 users`; by default the label. */
  summarize?(params: ParamValues<P>): string;
}

/** A trigger that the index judges when reports change an issue. */
export interface IssueTrigger<K extends string = string, P extends Params = Params>
  extends ChosenTrigger<K, P> {
  readonly about: "issue";
  /** True if it fires once per issue, or after a member changed its state: it needs no history. */
  readonly isOnce?: true;
  /** True if the counts of an issue are not enough, and the rule must count reports itself. */
  needsMatchedCounts?(params: ParamValues<P>, hasReportFilters: boolean): boolean;
  /** The alerts that the change causes; `key` is the name of the trigger in histories. */
  detect(change: JudgedChange, params: ParamValues<P>, key: string): readonly DetectedAlert[];
}

/** A trigger that the alert sender judges from time to time. */
export interface ProjectTrigger<K extends string = string, P extends Params = Params>
  extends ChosenTrigger<K, P> {
  readonly about: "project";
  /** How often it is judged, ms. */
  readonly everyMs: number;
  /** True if it needs `ProjectFacts.sourceMaps`. */
  readonly readsSourceMaps?: true;
  /** True if a finding that ends can cause an alert again. */
  readonly isForgotten?: true;
  check(facts: ProjectFacts, params: ParamValues<P>, nowMs: number): ProjectCheck;
}

/** Returns the definition, whose parameters type those of its functions. */
export function defineIssueTrigger<const K extends string, P extends Params>(
  trigger: Omit<IssueTrigger<K, P>, "about">,
): IssueTrigger<K, P> {
  return { ...trigger, about: "issue" };
}

/** Returns the definition, whose parameters type those of its functions. */
export function defineProjectTrigger<const K extends string, P extends Params>(
  trigger: Omit<ProjectTrigger<K, P>, "about">,
): ProjectTrigger<K, P> {
  return { ...trigger, about: "project" };
}

/** Returns the definition of an alert that no rule can choose. */
export function defineOwnAlert<const K extends string>(alert: TriggerTexts<K>): TriggerTexts<K> {
  return alert;
}

/** The change of an issue by the reports of a batch. */
export interface IssueChange {
  /** Null if the issue did not exist. */
  readonly before: Issue | null;
  readonly after: Issue;
  /** The issue expired and returned: it has a decision or comments. */
  readonly isKnown: boolean;
  /** The reports of the batch that are recent enough for an alert. */
  readonly reports: readonly ReportSummary[];
  /** True while the issue is folded into a flood: it causes no alert. */
  readonly isFolded?: boolean;
  /** True if a deploy explains all reports of the batch: they cause no alert. */
  readonly isQuiet?: boolean;
  /**
   * True if it is new only now: it began in a flood, had no message, and has many networks; or
   * deploys explained all of its earlier reports.
   */
  readonly isEmerging?: boolean;
  /** True if its public reports come from many networks: strangers have few. */
  readonly isWidespread?: boolean;
}

/** A change as one rule sees it. */
export interface JudgedChange extends IssueChange {
  /** The lowest level of reports that fire the rule. */
  readonly minTrust: Trust;
  /** The filters on reports; `reports` has only those that match. */
  readonly reportFilters: readonly IssueFilter[];
  /** When the index received the rule. */
  readonly ruleSinceMs: number;
  /** The counts that the rule judges, before and after the batch. */
  readonly counts: { readonly before: JudgedCounts | null; readonly after: JudgedCounts };
  readonly getAlertHistory: () => AlertHistory | undefined;
  readonly nowMs: number;
}

/** An alert of a trigger that fired, the level of its reports, and what to remember of it. */
export interface DetectedAlert {
  /** Set if it is not an alert of the trigger's own kind. */
  readonly kind?: "returned";
  readonly figures: Figures;
  readonly level: Trust;
  readonly facts?: SentFacts;
  /** True if it is far worse than the last alert stated. */
  readonly isWorse?: boolean;
}

/** The facts of a project that alerts are about. */
export interface ProjectFacts {
  /**
   * The reports of the newest 200 issues by hour (`listHours`), only trusted ones if there are any,
   * and the time of the last one; 0 without issues.
   */
  readonly ingestion: { readonly hours: readonly number[]; readonly lastSeenMs: number };
  /** Releases of the last month with a crash-free percentage of their sessions. */
  readonly releases: readonly {
    readonly name: string;
    readonly sessions: number;
    readonly percent: number;
  }[];
  /** Releases that reports name. */
  readonly reportedReleases: readonly string[];
  /** Writes to KV of the day. */
  readonly budgets: readonly {
    readonly name: string;
    readonly used: number;
    readonly perDay: number;
  }[];
  /** Uploads of source maps; only for triggers that read them. */
  readonly sourceMaps?: {
    readonly uploads: readonly {
      readonly id: string;
      readonly state: string;
      readonly maps: number;
      readonly lastUsedMs?: number;
      readonly uploadedMs: number;
      readonly release?: string;
    }[];
    readonly failures: readonly { readonly atMs: number; readonly detail: string }[];
  };
}

/**
 * The result of a check. `key` tells one finding from another, and causes one alert: it has the
 * parameters that change the finding.
 */
export interface ProjectCheck {
  readonly findings: readonly { readonly key: string; readonly figures: Figures }[];
  /** When to check at the latest, ms, if the time is known in advance. */
  readonly nextMs?: number;
}

/** The summary of a day or week as a mail shows it. Reported texts are hostile. */
import { formatNumber } from "../../numbers.ts";
import {
  type ErrorCounts,
  PERIOD_GROUPS,
  type PeriodFacts,
  type PeriodGroup,
  type PeriodGroupKind,
  type PeriodIssue,
} from "./period-facts.ts";
import type { PeriodRange, SummaryPeriod } from "./summary-period.ts";

/** A deploy of a release, as build tools report it. */
interface PeriodDeploy {
  readonly release: string;
  readonly environment?: string;
  readonly atMs: number;
}

/** A release that was deployed in the period, or that a report first named in it. */
export interface PeriodRelease {
  readonly name: string;
  readonly atMs: number;
  readonly isDeployed: boolean;
  readonly environment?: string;
}

/** A group with issues, and the list of exactly its first issues. */
export interface ReportedGroup extends Omit<PeriodGroup, "issues" | "digests"> {
  readonly kind: PeriodGroupKind;
  /** How many issues the list has. */
  readonly listed: number;
  readonly url: string;
  readonly issues: readonly (PeriodIssue & { readonly url: string })[];
}

export interface PeriodReport extends PeriodRange {
  readonly every: SummaryPeriod;
  readonly errors: ErrorCounts;
  readonly errorsBefore: ErrorCounts;
  /**
   * Groups with issues, in their order; none if nothing is new, returned or growing. Without the
   * most frequent issues if the other groups show all of them.
   */
  readonly groups: readonly ReportedGroup[];
  readonly releases: readonly PeriodRelease[];
  /** True if its groups have only issues that are assigned to the recipient. */
  readonly isPersonal?: true;
}

interface ReportInput extends Pick<PeriodReport, "every" | "isPersonal"> {
  readonly facts: PeriodFacts;
  readonly range: PeriodRange;
  readonly deploys: readonly PeriodDeploy[];
  readonly toIssueUrl: (digest: string) => string;
  /** The list of these issues. */
  readonly toListUrl: (digests: readonly string[]) => string;
}

/** The report, with links. */
export function createPeriodReport(input: ReportInput): PeriodReport {
  const { every, isPersonal, facts, range, deploys, toIssueUrl, toListUrl } = input;
  const all = PERIOD_GROUPS.map(({ kind }) => ({ kind, ...facts.groups[kind] }));
  const news = all.filter(({ kind, total }) => kind !== "frequent" && total > 0);
  const listed = new Set(news.flatMap(({ issues }) => issues.map(({ digest }) => digest)));
  const others = all.filter(
    ({ kind, issues }) =>
      kind === "frequent" && news.length > 0 && issues.some(({ digest }) => !listed.has(digest)),
  );
  return {
    every,
    ...range,
    errors: facts.errors,
    errorsBefore: facts.errorsBefore,
    groups: [...news, ...others].map(({ digests, issues, ...group }) => ({
      ...group,
      listed: digests.length,
      url: toListUrl(digests),
      issues: issues.map((issue) => ({ ...issue, url: toIssueUrl(issue.digest) })),
    })),
    releases: listReleases(facts, deploys, range),
    ...(isPersonal && { isPersonal }),
  };
}

/** The deploys of the period, then the releases without one, each oldest first. */
function listReleases(
  { releases }: PeriodFacts,
  deploys: readonly PeriodDeploy[],
  { fromMs, toMs }: PeriodRange,
): readonly PeriodRelease[] {
  const deployed = deploys
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ release: name, ...deploy }) => ({ name, ...deploy, isDeployed: true }));
  const others = releases
    .filter(({ name }) => deployed.every((deploy) => deploy.name !== name))
    .map(({ name, firstSeenMs: atMs }) => ({ name, atMs, isDeployed: false }));
  return [...deployed, ...others];
}

/** `3 new, 1 returned, 2 growing`; `Nothing new`. Without reported text. */
export function countNews({ groups }: Pick<PeriodReport, "groups">): string {
  const counts = groups
    .filter(({ kind }) => kind !== "frequent")
    .map(({ kind, total }) => `${formatNumber(total)} ${kind}`);
  return counts.length === 0 ? "Nothing new" : counts.join(", ");
}

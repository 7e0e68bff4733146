/** What messages state of an issue, and what decides whether they are sent. Pure. */
import type { Issue } from "../issue/issue.ts";
import { findLatestReport } from "../issue/related-reports.ts";

const MEMBERS = [
  ...(["digest", "kind", "type", "message", "otherErrors"] as const),
  ...(["culprit", "place", "route", "release", "firstRelease", "environment"] as const),
  ...(["trust", "assignee", "tracker", "decision", "firstSeenMs", "lastSeenMs"] as const),
  ...(["count", "publicCount", "pageCount"] as const),
  ...(["serverUserSketch", "pageUserSketch", "publicUserSketch"] as const),
] as const satisfies readonly (keyof Issue)[];

/** The members of an issue that messages need, as they were when the index read them. */
export interface AlertedFacts extends Pick<Issue, (typeof MEMBERS)[number] | "latestReports"> {
  /** A flood has folded it since the alert. */
  readonly isFolded?: true;
  /** Who resolved it last. */
  readonly resolvedBy?: string;
  /** The texts of comments, by id: those that were asked for, and exist. */
  readonly comments?: Readonly<Record<string, string>>;
}

/** The facts without the rest of the issue: of its reports, the newest one and newest feedback. */
export function toAlertedFacts(issue: AlertedFacts): AlertedFacts {
  const { isFolded, resolvedBy } = issue;
  const members = Object.fromEntries(MEMBERS.map((name) => [name, issue[name]]));
  const reports = [findReport(issue), findFeedback(issue)].filter((one) => one !== undefined);
  return { ...(members as unknown as AlertedFacts), latestReports: reports, isFolded, resolvedBy };
}

/** The report that describes the issue in a message. */
export function findReport({ latestReports }: Pick<AlertedFacts, "latestReports">) {
  return findLatestReport(latestReports.filter(({ kind }) => kind !== "feedback"));
}

/** The newest comment of a visitor. */
export function findFeedback({ latestReports }: Pick<AlertedFacts, "latestReports">) {
  return latestReports.find(({ kind }) => kind === "feedback");
}

/** Which of an issue's reports is open, and which one stands beside it. */
import type { Issue, Mark } from "./issue.ts";

/** The report that is open when none is asked for: the newest occurrence, else the newest of all. */
export function newestReport(latest: readonly Mark[]): Mark | undefined {
  return latest.find(({ linked }) => !linked) ?? latest[0];
}

/**
 * The newest report of the other side than the one that is open (`reportId`, else the newest); one that says more than that the
 * notice was shown comes first. Undefined where there is none.
 */
export function otherSideOf(
  { latest }: Pick<Issue, "latest">,
  reportId: string | undefined,
): Mark | undefined {
  const open =
    reportId === undefined ? newestReport(latest) : latest.find(({ id }) => id === reportId);
  if (open === undefined) return undefined;
  const others = latest.filter(({ side, kind }) => side !== open.side && kind !== "feedback");
  return others.find(({ kind }) => kind !== "notice") ?? others[0];
}

/**
 * Checks the query of a rule. The list searches for whatever it cannot parse, and shows what it
 * finds; a rule with such a query would silently never fire. Pure.
 */
import { type FilterKey, isMe, parseIssueQuery, STATE_VALUES } from "../../issue/issue-query.ts";
import { findQueryProblems } from "../../issue/query-problems.ts";

/** The result of trying the query of a rule on the newest issues. */
export interface QueryCheck {
  /** The issues of the last `days` days that match, and all of them; noise does not count. */
  readonly matched: number;
  readonly total: number;
  readonly days: number;
  /** Only the newest `total` issues were examined. */
  readonly isCapped?: true;
  /** Tags of the query that no examined issue has. */
  readonly missing: readonly FilterKey[];
}

/** States in which no rule alerts. */
const SILENT_STATES: readonly string[] = STATE_VALUES.filter((state) => state !== "open");

/** The reason why a rule with this query would not fire as meant, as a sentence; null if valid. */
export function findQueryProblem(text: string): string | null {
  const query = parseIssueQuery(text);
  const [problem] = findQueryProblems(query);
  if (problem !== undefined) return `“${problem.part}”: ${problem.reason}`;
  const { states, isFolded, filters } = query;
  if (states.length > 0 && states.every((state) => SILENT_STATES.includes(state)))
    return `Snoozed, archived and resolved issues cause no alerts: remove “is:${states[0]}”.`;
  if (isFolded) return "Folded issues cause no alerts: remove “is:folded”.";
  if (filters.some(isMe)) return "A rule is not of one person: name the member in “assigned:me”.";
  if (filters.some(({ key }) => key === "user"))
    return "A rule cannot search the reports of a person: remove “user:”.";
  return null;
}

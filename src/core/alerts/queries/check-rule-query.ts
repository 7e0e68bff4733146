/**
 * Checks the query of a rule. The list searches for whatever it cannot parse, and shows what it
 * finds; a rule with such a query would silently never fire. Pure.
 */
import {
  type FilterKey,
  findKnownKey,
  IS_VALUES,
  listQueryTokens,
  STATE_VALUES,
} from "../../issue/issue-query.ts";
import { limits } from "../../limits.ts";
import { REPORT_LEVELS } from "../../report/level.ts";
import { REPORT_KINDS } from "../../report.ts";
import { TRUST_LEVELS } from "../../trust/trust.ts";

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

const OPERATORS: ReadonlySet<string> = new Set(["OR", "AND", "NOT", "|", "||", "&", "&&"]);
/** The values of keys that have no others. */
const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  kind: Object.keys(REPORT_KINDS),
  level: Object.keys(REPORT_LEVELS),
  trust: TRUST_LEVELS,
};
/** States in which no rule alerts. */
const SILENT_STATES: readonly string[] = STATE_VALUES.filter((state) => state !== "open");

type Token = ReturnType<typeof listQueryTokens>[number];

/** The reason why a rule with this query would not fire as meant, as a sentence; null if valid. */
export function findQueryProblem(text: string): string | null {
  const tokens = listQueryTokens(text);
  for (const token of tokens) {
    const problem = findTokenProblem(token);
    if (problem !== null) return problem;
  }
  const filters = tokens.filter(({ key }) => key !== undefined && key.toLowerCase() !== "is");
  const included = tokens
    .filter(({ key, minus }) => key?.toLowerCase() === "is" && minus === "")
    .map(({ value }) => value.toLowerCase());
  const states = included.filter((name) => STATE_VALUES.includes(name));
  if (states.length > 0 && states.every((state) => SILENT_STATES.includes(state)))
    return `Snoozed, archived and resolved issues cause no alerts: remove “is:${states[0]}”.`;
  if (included.includes("folded")) return "Folded issues cause no alerts: remove “is:folded”.";
  if (filters.length > limits.maxIssueFilters)
    return `A query has at most ${limits.maxIssueFilters} filters.`;
  return null;
}

function findTokenProblem(token: Token): string | null {
  const { whole, key, value, isQuoted } = token;
  if (key === undefined) return isQuoted ? findExcludedText(token) : findWordProblem(token);
  if (value === "") return `“${whole}” has no value.`;
  if (key.toLowerCase() === "is") return findIsProblem(token);
  // `https://…` is text.
  if (!isQuoted && value.startsWith("//")) return null;
  if (!isQuoted && value.includes("*"))
    return `“${whole}”: leave out “*”. A value matches every text that contains it.`;
  if (!isQuoted && /[()[\]{}]$/.test(value) && !/[([{]/.test(value.slice(0, -1)))
    return "Brackets are not supported. All parts of a query must match.";
  const known = KNOWN_VALUES[findKnownKey(key) ?? ""];
  const part = value.toLowerCase();
  const isPossible = known?.some((one) => (isQuoted ? one === value : one.includes(part)));
  return isPossible === false ? `“${whole}” matches nothing: use ${formatList(known)}.` : null;
}

function findIsProblem({ whole, minus, value }: Token): string | null {
  const name = value.toLowerCase();
  if (!IS_VALUES.includes(name)) return `“${whole}” is unknown: use ${formatList(IS_VALUES)}.`;
  return minus === "-" && !STATE_VALUES.includes(name) ? `“${whole}” cannot be excluded.` : null;
}

function findExcludedText({ whole, minus }: Token): string | null {
  return minus === "-" ? `“${whole}”: words cannot be excluded.` : null;
}

function findWordProblem(token: Token): string | null {
  const { whole, value } = token;
  if (/^[A-Za-z][\w.-]{0,99}:$/.test(value)) return `“${whole}” has no value. Put text in quotes.`;
  if (OPERATORS.has(value.toUpperCase()))
    return (
      `“${value}” is not supported: all parts of a query must match. ` +
      "Add a second rule, or put the word in quotes."
    );
  if (/^[([{]/.test(value))
    return "Brackets are not supported. All parts of a query must match; put text in quotes.";
  const [, key] = /^!?([A-Za-z][\w.-]{0,99}):/.exec(value.replace(/^[^\w!]{1,9}/, "")) ?? [];
  if (key !== undefined && (findKnownKey(key) !== undefined || key.toLowerCase() === "is"))
    return `“${whole}” is not a filter. Write “-${key}:…” to exclude a value.`;
  return findExcludedText(token);
}

function formatList(values: readonly string[] = []): string {
  return values
    .slice(0, -1)
    .join(", ")
    .concat(" or ", values.at(-1) ?? "");
}

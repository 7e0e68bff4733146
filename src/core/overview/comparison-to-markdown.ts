/** A comparison of two releases as Markdown, for a message or a ticket. Pure. */
import { toCodeSpan, toList } from "../markdown.ts";
import { formatTitle } from "../report/title.ts";
import {
  formatFactor,
  formatRate,
  type RatedIssue,
  type ReleaseComparison,
  writeComparisonSentence,
} from "./release-comparison.ts";

const MAX_ISSUES = 10;

/** Headings and lists. Reported text is in code spans. */
export function comparisonToMarkdown(
  base: string,
  release: string,
  comparison: ReleaseComparison,
): string {
  const { hasRates } = comparison;
  const sentence = writeComparisonSentence(release, comparison)
    .map(({ text, isStrong }) => (isStrong ? `**${escapeStrong(text)}**` : text))
    .join("");
  const section = (heading: string, issues: readonly RatedIssue[]) =>
    issues.length === 0
      ? ""
      : `\n## ${heading} (${issues.length})\n\n${toList(issues.slice(0, MAX_ISSUES).map(toLine))}`;
  return [
    `# ${toCodeSpan(base)} to ${toCodeSpan(release)}\n\n${sentence}\n`,
    hasRates ? "\nRates are occurrences in 1,000 sessions.\n" : "",
    section(`Only in ${toCodeSpan(release)}`, comparison.onlyIn),
    section("More often", comparison.moreOften),
    section("Less often", comparison.lessOften),
    section("Gone", comparison.gone),
  ].join("");
}

/** The sentence begins with the name of a release, which a sender chose. */
function escapeStrong(text: string): string {
  return text.replace(/[\\`*_[\]<>!|@#]/g, "\\$&");
}

function toLine({ issue, rate, factor, baseCount, releaseCount }: RatedIssue): string {
  const size =
    rate === undefined
      ? `${baseCount} → ${releaseCount} times`
      : `${formatRate(rate)}${factor === undefined ? "" : `, ${formatFactor(factor)} as often`}`;
  return `${issue.digest} ${toCodeSpan(formatTitle(issue))}: ${size}`;
}

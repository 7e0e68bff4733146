/**
 * What Errata writes into a tracker: a new issue, and one comment for a regression and for the
 * proof of a fix. No request data and nothing of visitors besides the title of the error. Pure.
 */
import type { AlertedFacts } from "../alerts/alerted-facts.ts";
import { breakLinks, replaceTicks, toInertLine } from "../alerts/formats/inert-text.ts";
import type { FixProof, Occurrences } from "../issue/fix-proof.ts";
import { pluralize } from "../numbers.ts";
import { formatCulprit } from "../place/issue-place.ts";
import { joinTypeAndMessage } from "../report/title.ts";
import { formatRfc3339 } from "../utc-time.ts";
import type { TextPart, TrackerDraft, TrackerText } from "./tracker-text.ts";

const MAX_TITLE_CHARS = 160;
const MAX_LINE_CHARS = 300;

type DraftedIssue = Pick<
  AlertedFacts,
  "digest" | "type" | "message" | "place" | "culprit" | "release" | "firstRelease" | "count"
>;

/** The new issue: `TypeError: … (7F3K-Q2M9)`. */
export function toTrackerDraft(issue: DraftedIssue, url: string, id: string): TrackerDraft {
  const { digest, release, firstRelease, count } = issue;
  const reported = joinTypeAndMessage(issue);
  const lines: readonly (readonly [label: string, text: string | undefined])[] = [
    ["", reported],
    ["Where: ", formatCulprit(issue)],
    ["First release: ", firstRelease],
    ["Last release: ", release],
    ["Seen: ", count === 1 ? "once" : `${count} times`],
  ];
  const block = lines.flatMap(([label, text = ""]) => {
    const line = toInertLine(text, MAX_LINE_CHARS);
    return line === "" ? [] : label + line;
  });
  const title = breakLinks(replaceTicks(toInertLine(reported, MAX_TITLE_CHARS, "Error")));
  return { title: `${title} (${digest})`, block: block.join("\n"), parts: [], url, digest, id };
}

/** The comment about a regression: where it returned, and how often it was seen. */
export function toRegressionText(
  issue: Pick<AlertedFacts, "digest" | "count" | "lastSeenMs">,
  release: string | undefined,
  url: string,
  id: string,
): TrackerText {
  const parts: readonly TextPart[] = [
    "This error occurred again",
    ...(release === undefined ? [] : [" in release ", { code: release }]),
    `: ${pluralize(issue.count, "time")} in total, last at ${formatRfc3339(issue.lastSeenMs)}.`,
  ];
  return { parts, url, digest: issue.digest, id };
}

/** The comment about a proven fix: `0 in 4,102 sessions of 1.4.2; before 3.1 %.` */
export function toProofText(
  digest: string,
  { release, since, before }: FixProof,
  url: string,
  id: string,
): TrackerText {
  const sessions = `${since.sessions.toLocaleString("en")} session${since.sessions === 1 ? "" : "s"}`;
  const parts: readonly TextPart[] = [
    `Fixed: ${since.reports} in ${sessions} of `,
    { code: release },
    before === undefined ? "." : `; before ${formatRate(before)}.`,
  ];
  return { parts, url, digest, id };
}

/** `3.1 %`; two digits for rates below one percent. */
function formatRate({ reports, sessions }: Occurrences): string {
  const percent = (reports / sessions) * 100;
  const digits = percent >= 1 || percent === 0 ? 1 : 2;
  return percent > 0 && percent < 0.01 ? "less than 0.01 %" : `${percent.toFixed(digits)} %`;
}

/** How often, for whom, since when, in which release: the figures of an issue, and how they grew. */

import { estimateUserCount } from "../../../core/hyperloglog.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { NOISE_TEXTS } from "../../issues/noise-text.ts";
import { FactList } from "../../parts/fact-list.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatNumber, pluralize } from "../../parts/number.tsx";
import { RelativeTime } from "../../parts/time.tsx";
import { FrequencyChart } from "../frequency/frequency-chart.tsx";

/** A release is often a commit: 40 characters are whole, more are cut. */
const NAME_CHARS = 48;

/** The figures, and the warning that belongs to them when visitors were told that all was well. */
export function IssueStats({ issue, nowMs }: { readonly issue: Issue; readonly nowMs: number }) {
  const { release, firstRelease } = issue;
  return (
    <div className="issue-facts">
      <FactList
        variant="grid"
        facts={[
          ["Seen", pluralize(issue.count, "time")],
          [
            "People",
            issue.userSketch && `about ${formatNumber(estimateUserCount(issue.userSketch))}`,
          ],
          ["Linked", issue.linkedCount > 0 && pluralize(issue.linkedCount, "report")],
          ["Last seen", <RelativeTime key="last" atMs={issue.lastSeenMs} nowMs={nowMs} />],
          ["First seen", <RelativeTime key="first" atMs={issue.firstSeenMs} nowMs={nowMs} />],
          ["Release", release && <bdi>{abbreviate(release, NAME_CHARS)}</bdi>],
          [
            "First in",
            firstRelease && firstRelease !== release && (
              <bdi>{abbreviate(firstRelease, NAME_CHARS)}</bdi>
            ),
          ],
          [
            "Environment",
            issue.environment && <bdi>{abbreviate(issue.environment, NAME_CHARS)}</bdi>,
          ],
        ]}
      />
      <FrequencyChart issue={issue} nowMs={nowMs} />
      {issue.noise !== undefined && (
        <p className="muted">
          <b>Kept apart as noise.</b> {NOISE_TEXTS[issue.noise]}
        </p>
      )}
      {issue.silent200Count > 0 && (
        <p className="silent">
          <b>Silent 200.</b> {formatNumber(issue.silent200Count)} of them failed after the status
          was sent: caches, monitors and crawlers saw a success.
        </p>
      )}
    </div>
  );
}

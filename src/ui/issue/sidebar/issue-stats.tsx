/** An issue's counts, times and releases, and its frequency chart. */
import type { ActivityEntry } from "../../../core/issue/annotations.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { DeployMoment } from "../../../core/ports/source-maps-port.ts";
import type { NoiseRule } from "../../../core/report.ts";
import { countUsers, listLevelCounts } from "../../../core/stats/trust-counts.ts";
import { TRUST_DOCS_URL, TRUST_LABELS } from "../../issues/trust-text.tsx";
import { FactList } from "../../parts/fact-list.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatNumber, pluralize } from "../../parts/number.tsx";
import { ClockTime, RelativeTime } from "../../parts/time.tsx";
import { FrequencyChart } from "../frequency/frequency-chart.tsx";

/** Fits a commit hash of 40 characters. */
const NAME_CHARS = 48;

/**
 * The stats, with a warning if failed pages were sent with status 200. `activity` adds to the chart
 * when the issue was resolved and regressed, `deploys` when releases were deployed.
 */
export function IssueStats({
  issue,
  activity,
  deploys,
  nowMs,
}: {
  issue: Issue;
  activity?: readonly ActivityEntry[] | undefined;
  deploys?: readonly DeployMoment[] | undefined;
  nowMs: number;
}) {
  const { release, firstRelease } = issue;
  const userCount = countUsers(issue);
  return (
    <div className="issue-stats">
      <FactList
        variant="grid"
        facts={[
          ["Seen", pluralize(issue.count, "time")],
          ["Users", userCount > 0 && formatUsers(userCount)],
          [
            "Origin",
            <a key="origin" href={TRUST_DOCS_URL}>
              {describeOrigin(issue)}
            </a>,
          ],
          ["Linked", issue.linkedCount > 0 && pluralize(issue.linkedCount, "report")],
          ["Last seen", <SeenTime key="last" atMs={issue.lastSeenMs} nowMs={nowMs} />],
          ["First seen", <SeenTime key="first" atMs={issue.firstSeenMs} nowMs={nowMs} />],
          ["Release", release && <bdi>{abbreviate(release, NAME_CHARS)}</bdi>],
          [
            "First release",
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
      <FrequencyChart issue={issue} activity={activity} deploys={deploys} nowMs={nowMs} />
      {issue.noise !== undefined && (
        <p className="muted">
          <b>Noise.</b> {NOISE_TEXTS[issue.noise]}
        </p>
      )}
      {issue.silent200Count > 0 && (
        <p className="silent">
          <b>Silent 200.</b> {pluralize(issue.silent200Count, "response")} failed after status 200
          was sent, so caches, monitors and crawlers saw a success.
        </p>
      )}
    </div>
  );
}

/** `Server`, or with the reports of each level: `Server 5; browser, public key 3,000`. */
function describeOrigin(issue: Issue): string {
  const counts = listLevelCounts(issue);
  if (counts.length < 2) return TRUST_LABELS[issue.trust];
  const parts = counts.map(([level, count], n) => {
    const label = n === 0 ? TRUST_LABELS[level] : TRUST_LABELS[level].toLowerCase();
    return `${label} ${formatNumber(count)}`;
  });
  return parts.join("; ");
}

/** `3 min ago` above the whole time. */
function SeenTime({ atMs, nowMs }: { atMs: number; nowMs: number }) {
  return (
    <>
      <RelativeTime atMs={atMs} nowMs={nowMs} />{" "}
      <small>
        <ClockTime atMs={atMs} />
      </small>
    </>
  );
}

/** `about 31`: the count is estimated, but one user is one user. */
function formatUsers(count: number): string {
  return count === 1 ? "1" : `about ${formatNumber(count)}`;
}

/** Why a report that matches the rule is not an error of the page. */
const NOISE_TEXTS: Readonly<Record<NoiseRule, string>> = {
  extension: "Caused by a browser extension.",
  injected: "Caused by a script that an app or a network injected into the page.",
  translated: "Caused by a page translation, which replaces text nodes.",
  errata: "Caused by a page of Errata itself.",
};

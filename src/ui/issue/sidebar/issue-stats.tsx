/** An issue's counts, times and releases, and its frequency chart. */
import { describeSkew, type IssueSkew } from "../../../core/deploy-skew/deploy-skew.ts";
import type { ActivityEntry } from "../../../core/issue/annotations.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { DeployMoment } from "../../../core/ports/source-maps-port.ts";
import type { NoiseRule } from "../../../core/report.ts";
import { countOwnLevel, countUsers, listLevelCounts } from "../../../core/stats/trust-counts.ts";
import { TRUST_DOCS_URL, TRUST_LABELS } from "../../issues/trust-text.tsx";
import { FactList } from "../../parts/fact-list.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatNumber, pluralize } from "../../parts/number.tsx";
import { ClockTime, RelativeTime } from "../../parts/time.tsx";
import { FrequencyChart } from "../frequency/frequency-chart.tsx";

const SKEW_DOCS_URL = "/docs/issues#deploy-skew";
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
      {issue.skew !== undefined && <DeploySkew skew={issue.skew} total={countOwnLevel(issue)} />}
      {issue.silent200Count > 0 && (
        <p className="verdict silent">
          <b>Silent 200.</b> {pluralize(issue.silent200Count, "response")} failed after status 200
          was sent, so caches, monitors and crawlers saw a success.
        </p>
      )}
    </div>
  );
}

/** The verdict with the two releases. */
function DeploySkew({ skew, total }: { skew: IssueSkew; total: number }) {
  return (
    <p className="verdict">
      <b>Deploy skew.</b>{" "}
      {describeSkew(skew, total).map(({ text, isValue }, n) =>
        isValue ? <bdi key={n}>{abbreviate(text, NAME_CHARS)}</bdi> : text,
      )}{" "}
      <a href={SKEW_DOCS_URL}>What to do</a>
    </p>
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

/** An issue's frequency chart, and its counts, times and releases as facts. */
import type { ActivityEntry } from "../../../core/issue/annotations.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { TopValues } from "../../../core/issue/top-values.ts";
import { limits } from "../../../core/limits.ts";
import type { DeployMoment } from "../../../core/ports/source-maps-port.ts";
import { countNetworks } from "../../../core/stats/network-sketch.ts";
import { formatPeopleCount } from "../../../core/stats/people-count.ts";
import { countUsers, listLevelCounts } from "../../../core/stats/trust-counts.ts";
import { TRUST_DOCS_URL, TRUST_LABELS } from "../../issues/trust-text.tsx";
import { Avatar } from "../../parts/avatar.tsx";
import { DeskLink } from "../../parts/desk-context.tsx";
import { FactList } from "../../parts/fact-list.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatNumber, pluralize } from "../../parts/number.tsx";
import { ClockTime, RelativeTime } from "../../parts/time.tsx";
import { toReleaseUrl } from "../../urls/release-urls.ts";
import { FrequencyChart } from "../frequency/frequency-chart.tsx";

/** Fits a commit hash of 40 characters. */
const NAME_CHARS = 48;

/**
 * The chart and the facts. `activity` adds to the chart when the issue was resolved and regressed,
 * `deploys` when releases were deployed.
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
  return (
    <div className="issue-stats">
      <FrequencyChart issue={issue} activity={activity} deploys={deploys} nowMs={nowMs} />
      <section aria-labelledby="facts-heading">
        <div className="section-head">
          <h2 id="facts-heading">Facts</h2>
        </div>
        <Facts issue={issue} nowMs={nowMs} />
      </section>
    </div>
  );
}

function Facts({ issue, nowMs }: { issue: Issue; nowMs: number }) {
  const { release, firstRelease, releases, assignee } = issue;
  const userCount = countUsers(issue);
  const networkCount = countNetworks(issue.networkSketch);
  return (
    <FactList
      variant="list"
      facts={[
        ["Reports", formatNumber(issue.count)],
        ["Linked", issue.linkedCount > 0 && pluralize(issue.linkedCount, "report")],
        [
          "People",
          userCount > 0 &&
            `${formatPeopleCount(userCount)}${networkCount > 1 ? `, from ${formatNumber(networkCount)} networks` : ""}`,
        ],
        ["First seen", <SeenTime key="first" atMs={issue.firstSeenMs} nowMs={nowMs} />],
        ["Last seen", <SeenTime key="last" atMs={issue.lastSeenMs} nowMs={nowMs} />],
        [
          "Release",
          release && (
            <>
              <ReleaseLink name={release} />
              {isOnly(releases, release) && issue.count > 1 && " only"}
            </>
          ),
        ],
        [
          "First release",
          firstRelease && firstRelease !== release && <ReleaseLink name={firstRelease} />,
        ],
        [
          "Environment",
          issue.environment && <bdi>{abbreviate(issue.environment, NAME_CHARS)}</bdi>,
        ],
        [
          "Origin",
          <a key="origin" href={TRUST_DOCS_URL}>
            {describeOrigin(issue)}
          </a>,
        ],
        [
          "Assigned to",
          assignee !== undefined && (
            <>
              <Avatar name={assignee} isDecorative />{" "}
              <bdi>{abbreviate(assignee, limits.maxAssigneeChars)}</bdi>
            </>
          ),
        ],
      ]}
    />
  );
}

function ReleaseLink({ name }: { name: string }) {
  return (
    <DeskLink href={toReleaseUrl(name)}>
      <bdi>{abbreviate(name, NAME_CHARS)}</bdi>
    </DeskLink>
  );
}

/** True if no report is known to have another value. */
function isOnly(values: TopValues | undefined, name: string): boolean {
  const { values: [first, ...others] = [], otherCount = 0 } = values ?? {};
  return first?.[0] === name && others.length === 0 && otherCount === 0;
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

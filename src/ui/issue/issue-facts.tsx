/** How often, for whom, since when, in which release: the figures of an issue, and how they grew. */
import type { Issue } from "../../core/issue.ts";
import { countVisitors } from "../../core/visitors.ts";
import { FactList } from "../fact-list.tsx";
import { counted, figure } from "../figure.tsx";
import { headOf } from "../long-text.tsx";
import { NOISE_WORDS } from "../noise-words.ts";
import { Time } from "../time.tsx";
import { FrequencyChart } from "./frequency-chart.tsx";

/** A release is often a commit: 40 characters are whole, more are cut. */
const NAME_CHARS = 48;

/** The figures, and the warning that belongs to them when visitors were told that all was well. */
export function IssueFacts({ issue, nowMs }: { readonly issue: Issue; readonly nowMs: number }) {
  const { release, firstRelease } = issue;
  return (
    <div className="issue-facts">
      <FactList
        look="figures"
        facts={[
          ["Seen", counted(issue.count, "time")],
          ["People", issue.visitors && `about ${figure(countVisitors(issue.visitors))}`],
          ["Linked", issue.linked > 0 && counted(issue.linked, "report")],
          ["Last seen", <Time key="last" atMs={issue.lastSeenMs} nowMs={nowMs} />],
          ["First seen", <Time key="first" atMs={issue.firstSeenMs} nowMs={nowMs} />],
          ["Release", release && <bdi>{headOf(release, NAME_CHARS)}</bdi>],
          [
            "First in",
            firstRelease && firstRelease !== release && (
              <bdi>{headOf(firstRelease, NAME_CHARS)}</bdi>
            ),
          ],
          ["Environment", issue.environment && <bdi>{headOf(issue.environment, NAME_CHARS)}</bdi>],
        ]}
      />
      <FrequencyChart issue={issue} nowMs={nowMs} />
      {issue.noise !== undefined && (
        <p className="aside">
          <b>Kept apart as noise.</b> {NOISE_WORDS[issue.noise]}
        </p>
      )}
      {issue.silent > 0 && (
        <p className="silent">
          <b>Silent 200.</b> {figure(issue.silent)} of them failed after the status was sent:
          caches, monitors and crawlers saw a success.
        </p>
      )}
    </div>
  );
}

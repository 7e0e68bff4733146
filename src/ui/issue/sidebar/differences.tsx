/** What is different about the reports of an issue: values that are rare in other issues. */
import { type Difference, MAX_REPORTS } from "../../../core/differences/find-differences.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { pluralize } from "../../parts/number.tsx";
import { ShareBar } from "./sidebar.tsx";

const NAME_CHARS = 60;

/** Each value with its share here and elsewhere; nothing if none is known to differ. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  if (differences.length === 0) return null;
  return (
    <section aria-labelledby="differences-heading">
      <h2 id="differences-heading">What is different</h2>
      <ul className="differences">
        {differences.map(({ attribute, value, share, otherShare, otherIssues }) => (
          <li key={attribute}>
            <p>
              <bdi>{abbreviate(value, NAME_CHARS)}</bdi>{" "}
              <span className="muted">
                <bdi>{abbreviate(attribute, NAME_CHARS)}</bdi>
              </span>
            </p>
            <p>
              <ShareBar share={share} /> {formatShare(share)} of these reports
            </p>
            <p className="muted">
              <ShareBar share={otherShare} /> {formatShare(otherShare)} in{" "}
              {pluralize(otherIssues, "other issue")}
            </p>
          </li>
        ))}
      </ul>
      <p className="muted">
        Compared with issues of the same days, by at most {MAX_REPORTS} reports of each.{" "}
        <a href="/docs/issues#what-is-different">The rule</a>
      </p>
    </section>
  );
}

/** `96 %`; a share is never rounded to none or to all. */
function formatShare(share: number): string {
  const percent = Math.round(100 * share);
  if (share > 0 && percent === 0) return "under 1 %";
  return share < 1 && percent === 100 ? "over 99 %" : `${percent} %`;
}

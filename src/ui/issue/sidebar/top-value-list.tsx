/** What the occurrences of an issue have in common: the most frequent values, each with its share as a bar before it. */
import { type FilterKey, formatFilter } from "../../../core/issue/issue-query.ts";
import type { TopValues } from "../../../core/issue/top-values.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatNumber, pluralize } from "../../parts/number.tsx";
import { toSearchUrl } from "../../urls/issue-list-urls.ts";

const MAX_SHOWN = 5;
const NAME_CHARS = 60;

/** What a list is made of. `filter` is what the list of issues calls these values; without it they lead nowhere. */
export interface TopValueListProps {
  readonly topValues: TopValues;
  readonly filter?: FilterKey | undefined;
  /** So many values are shown, five by default. */
  readonly limit?: number;
}

/** The values, the most frequent first, and how many have others. */
export function TopValueList({ topValues, filter, limit = MAX_SHOWN }: TopValueListProps) {
  const total = topValues.values.reduce((sum, [, count]) => sum + count, topValues.otherCount);
  const values = topValues.values.slice(0, limit);
  const others = total - values.reduce((sum, [, count]) => sum + count, 0);
  return (
    <>
      <ol className="tops">
        {values.map(([name, count]) => (
          <li key={name}>
            <ShareBar share={count / total} />
            <ValueLink name={name} filter={filter} />{" "}
            <span className="number">{formatNumber(count)}</span>
          </li>
        ))}
      </ol>
      {others > 0 && <p className="muted">and {pluralize(others, "time")} with others</p>}
    </>
  );
}

/** True where a list says more than the facts have said already: there is more than one value. */
export function hasSeveralValues(tops: TopValues | undefined): tops is TopValues {
  return tops !== undefined && (tops.values.length > 1 || tops.otherCount > 0);
}

/** The figure beside it says the same. */
function ShareBar({ share }: { share: number }) {
  return (
    <svg className="share" width="48" height="6" aria-hidden="true">
      <rect className="track" width="48" height="6" />
      <rect width={Math.max(1, Math.round(48 * share))} height="6" />
    </svg>
  );
}

function ValueLink({ name, filter }: { name: string; filter: FilterKey | undefined }) {
  const text = <bdi>{abbreviate(name, NAME_CHARS) || "(empty)"}</bdi>;
  if (filter === undefined) return text;
  const url = toSearchUrl(
    formatFilter({ key: filter, value: name, isExact: true, isNegated: false }),
  );
  return (
    <DeskLink href={url} title="Issues that have it too">
      {text}
    </DeskLink>
  );
}

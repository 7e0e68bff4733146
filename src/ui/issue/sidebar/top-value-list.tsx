/** The most frequent values among an issue's occurrences, each with a bar for its share. */
import { type FilterKey, formatFilter } from "../../../core/issue/issue-query.ts";
import type { TopValues } from "../../../core/issue/top-values.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatNumber, pluralize } from "../../parts/number.tsx";
import { toSearchUrl } from "../../urls/issue-list-urls.ts";

const MAX_SHOWN = 5;
const NAME_CHARS = 60;

/** The data of the list. `filter` is the query key of the values; without it they are not links. */
interface TopValueListProps {
  readonly topValues: TopValues;
  readonly filter?: FilterKey | undefined;
  /** Values shown, 5 by default. */
  readonly limit?: number;
}

/** The values, most frequent first, and the count of all others. */
export function TopValueList({ topValues, filter, limit = MAX_SHOWN }: TopValueListProps) {
  const total = topValues.values.reduce((sum, [, count]) => sum + count, topValues.otherCount);
  const values = topValues.values.slice(0, limit);
  const others = total - values.reduce((sum, [, count]) => sum + count, 0);
  return (
    <>
      <ol className="top-values">
        {values.map(([name, count]) => (
          <li key={name}>
            <ShareBar share={count / total} />
            <ValueLink name={name} filter={filter} />{" "}
            <span className="number">{formatNumber(count)}</span>
          </li>
        ))}
      </ol>
      {others > 0 && <p className="muted">{pluralize(others, "time")} with other values</p>}
    </>
  );
}

/** True if there is more than one value, so that a list adds to the stats. */
export function hasSeveralValues(topValues: TopValues | undefined): topValues is TopValues {
  return topValues !== undefined && (topValues.values.length > 1 || topValues.otherCount > 0);
}

/** Hidden from screen readers: the number next to it has the same information. */
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
    <DeskLink href={url} title="Find issues with this value">
      {text}
    </DeskLink>
  );
}

/** The most frequent values among an issue's occurrences, each with a bar for its share. */
import { type FilterKey, formatFilter } from "../../../core/issue/issue-query.ts";
import type { TopValues } from "../../../core/issue/top-values.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatNumber, pluralize } from "../../parts/number.tsx";
import { toSearchUrl } from "../../urls/issue-list-urls.ts";

const MAX_LISTED_VALUES = 5;
const NAME_CHARS = 60;

/** The data of the list. `filter` is the query key of the values; without it they are not links. */
interface TopValueListProps {
  readonly topValues: TopValues;
  readonly filter?: FilterKey | undefined;
  /** Values shown, 5 by default. */
  readonly limit?: number;
}

/** The values, most frequent first, and the count of all others. */
export function TopValueList({ topValues, filter, limit = MAX_LISTED_VALUES }: TopValueListProps) {
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

/**
 * The share of a value as a bar, with its usual share as a tick. Hidden from screen readers: the
 * number next to it has the same information.
 */
export function ShareBar({ share, usual }: { share: number; usual?: number | undefined }) {
  return (
    <svg className="share" viewBox="0 0 100 11" preserveAspectRatio="none" aria-hidden="true">
      <rect className="track" y="3" width="100" height="5" />
      <rect className="part" y="3" width={Math.max(1, Math.round(100 * share))} height="5" />
      {usual !== undefined && <Tick x={Math.min(98, Math.round(100 * usual))} />}
    </svg>
  );
}

/** With a margin in the color of the page, so that it is visible on the bar. */
function Tick({ x }: { x: number }) {
  return (
    <>
      <rect className="tick-margin" x={x - 0.5} width="1.8" height="11" />
      <rect className="tick" x={x} width="0.8" height="11" />
    </>
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

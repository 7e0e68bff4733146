/** What the occurrences of an issue have in common: the most frequent values, each with its share as a bar before it. */
import { type FilterKey, writeFilter } from "../../core/issue-query.ts";
import type { Tops } from "../../core/tops.ts";
import { counted, figure } from "../figure.tsx";
import { searchUrl } from "../issues/list-url.ts";
import { headOf } from "../long-text.tsx";
import { A } from "../place.tsx";

const SHOWN = 5;
const NAME_CHARS = 60;

/** What a list is made of. `filter` is what the list of issues calls these values; without it they lead nowhere. */
export interface TopListProps {
  readonly tops: Tops;
  readonly filter?: FilterKey | undefined;
  /** So many values are shown, five by default. */
  readonly shown?: number;
}

/** The values, the most frequent first, and how many have others. */
export function TopList({ tops, filter, shown = SHOWN }: TopListProps) {
  const total = tops.values.reduce((sum, [, count]) => sum + count, tops.rest);
  const values = tops.values.slice(0, shown);
  const others = total - values.reduce((sum, [, count]) => sum + count, 0);
  return (
    <>
      <ol className="tops">
        {values.map(([name, count]) => (
          <li key={name}>
            <Share share={count / total} />
            <Value name={name} filter={filter} /> <span className="number">{figure(count)}</span>
          </li>
        ))}
      </ol>
      {others > 0 && <p className="aside">and {counted(others, "time")} with others</p>}
    </>
  );
}

/** True where a list says more than the facts have said already: there is more than one value. */
export function hasSeveral(tops: Tops | undefined): tops is Tops {
  return tops !== undefined && (tops.values.length > 1 || tops.rest > 0);
}

/** The figure beside it says the same. */
function Share({ share }: { share: number }) {
  return (
    <svg className="share" width="48" height="6" aria-hidden="true">
      <rect className="track" width="48" height="6" />
      <rect width={Math.max(1, Math.round(48 * share))} height="6" />
    </svg>
  );
}

function Value({ name, filter }: { name: string; filter: FilterKey | undefined }) {
  const text = <bdi>{headOf(name, NAME_CHARS) || "(empty)"}</bdi>;
  if (filter === undefined) return text;
  const url = searchUrl(writeFilter({ key: filter, value: name, isExact: true, isNot: false }));
  return (
    <A href={url} title="Issues that have it too">
      {text}
    </A>
  );
}

/** What the occurrences of an issue have in common: the most frequent values, each with its share as a bar behind it. */
import type { Tops } from "../../core/tops.ts";
import { counted, figure } from "../figure.tsx";
import { headOf } from "../long-text.tsx";

const SHOWN = 5;
const NAME_CHARS = 60;

/** A list under its heading; nothing where there is but one value, which the facts have said already. */
export function TopList({
  heading,
  tops,
}: {
  readonly heading: string;
  readonly tops: Tops | undefined;
}) {
  if (tops === undefined || (tops.values.length < 2 && tops.rest === 0)) return null;
  const total = tops.values.reduce((sum, [, count]) => sum + count, tops.rest);
  const shown = tops.values.slice(0, SHOWN);
  const others = total - shown.reduce((sum, [, count]) => sum + count, 0);
  return (
    <section>
      <h2>{heading}</h2>
      <ol className="tops">
        {shown.map(([name, count]) => (
          <li key={name}>
            <meter value={count} max={total} aria-hidden="true" />
            <bdi>{headOf(name, NAME_CHARS)}</bdi> <span className="number">{figure(count)}</span>
          </li>
        ))}
      </ol>
      {others > 0 && <p className="aside">and {counted(others, "time")} with others</p>}
    </section>
  );
}

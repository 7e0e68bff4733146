/** What happened before, oldest first, each at its distance from the error: a minus sign reads "before it". */
import type { Breadcrumb } from "../../core/report.ts";
import { headOf } from "../long-text.tsx";
import { absoluteTime } from "../time.tsx";

const SHOWN = 15;
const MESSAGE_CHARS = 300;

/** The trail up to `errorAtMs`; the newest stand open, older ones are folded. Nothing when there are none. */
export function Breadcrumbs({
  crumbs,
  errorAtMs,
}: {
  readonly crumbs: readonly Breadcrumb[] | undefined;
  readonly errorAtMs: number;
}) {
  if (crumbs === undefined || crumbs.length === 0) return null;
  const earlier = crumbs.slice(0, -SHOWN);
  return (
    <section className="trail">
      <h3>Before it happened</h3>
      {earlier.length > 0 && (
        <details>
          <summary>{earlier.length} earlier</summary>
          <Trail crumbs={earlier} errorAtMs={errorAtMs} />
        </details>
      )}
      <Trail crumbs={crumbs.slice(-SHOWN)} errorAtMs={errorAtMs} />
    </section>
  );
}

function Trail({ crumbs, errorAtMs }: { crumbs: readonly Breadcrumb[]; errorAtMs: number }) {
  return (
    <ol className="crumbs">
      {crumbs.map((crumb, index) => (
        <li key={index} data-level={crumb.level}>
          <span
            className="crumb-time"
            title={crumb.atMs === undefined ? undefined : absoluteTime(crumb.atMs)}
          >
            {crumb.atMs === undefined ? "" : distance(crumb.atMs - errorAtMs)}
          </span>{" "}
          <bdi className="crumb-category">{crumb.category}</bdi>{" "}
          <span className="crumb-message" dir="auto">
            {headOf(crumb.message, MESSAGE_CHARS)}
          </span>
        </li>
      ))}
    </ol>
  );
}

const MINUTE_MS = 60_000;
/** Less than this is written as 0.0 s. */
const NOTICEABLE_MS = 50;

/** `−3.2 s`, `−4 min`; `0.0 s` for the same moment. */
function distance(ms: number): string {
  const size = Math.abs(ms);
  const sign = size < NOTICEABLE_MS ? "" : ms < 0 ? "−" : "+";
  return size < MINUTE_MS
    ? `${sign}${(size / 1000).toFixed(1)} s`
    : `${sign}${Math.round(size / MINUTE_MS).toLocaleString("en")} min`;
}

/** Whether anything has come in: it waits for the first report, and says so when it is there. */
import { use } from "react";
import type { IssueSummary } from "../../core/issue.ts";
import { Boundary } from "../boundary.tsx";
import { counted } from "../figure.tsx";
import { issueUrl } from "../issue/issue-url.ts";
import { headOf } from "../long-text.tsx";
import { A } from "../place.tsx";
import { Time } from "../time.tsx";

/** What has come in. `latest` is absent where only what makes no issue has. */
export interface Arrived {
  readonly issues: number;
  /** Items of the last days, whatever became of them. */
  readonly items: number;
  readonly days: number;
  readonly latest?: IssueSummary;
}

/** What it is made of. */
export interface ArrivalsProps {
  /** Null when nothing came while it waited. */
  readonly arrived: Promise<Arrived | null>;
  readonly nowMs: number;
}

const MESSAGE_CHARS = 160;

/** The wait, and what came of it. A page that hears of news replaces the section with a new one. */
export function Arrivals({ arrived, nowMs }: ArrivalsProps) {
  return (
    <section
      id="arrived"
      className="watch"
      role="status"
      aria-label="What has arrived"
      data-live=""
    >
      <Boundary name="arrivals" loading={<Waiting />}>
        <Answer arrived={arrived} nowMs={nowMs} />
      </Boundary>
    </section>
  );
}

function Waiting() {
  return (
    <p className="waiting">
      <span className="pulse" aria-hidden="true" />
      Watching for the first report. It shows up right here, a moment after it was sent.
    </p>
  );
}

function Answer({ arrived, nowMs }: ArrivalsProps) {
  const found = use(arrived);
  if (found === null) {
    return (
      <p>
        Nothing has arrived yet.{" "}
        {/* biome-ignore lint/a11y/useValidAnchor: an empty reference is this very address (RFC 3986, § 4.4) */}
        <a href="">Watch again</a>
      </p>
    );
  }
  const { issues, items, days, latest } = found;
  return (
    <>
      <p>
        <b>{issues === 1 ? "The first report is here." : "Reports arrive."}</b>{" "}
        {counted(items, "item")} in {days} days, in {counted(issues, "issue")}.
      </p>
      {latest !== undefined && (
        <p className="latest">
          <span className="aside">
            The latest, <Time atMs={latest.lastSeenMs} nowMs={nowMs} />:
          </span>{" "}
          <A href={issueUrl(latest.digest)}>
            <bdi className="type">{headOf(latest.type || latest.kind, MESSAGE_CHARS)}</bdi>{" "}
            <span dir="auto">{headOf(latest.message, MESSAGE_CHARS)}</span>
          </A>
        </p>
      )}
    </>
  );
}

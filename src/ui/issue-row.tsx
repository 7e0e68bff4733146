/** One issue on one row: what broke, where, how often, for whom, since when, and the code that names it. */
import { Fragment } from "react";
import { isRegressed, stateOf } from "../core/decision.ts";
import type { IssueSummary } from "../core/issue.ts";
import { Figure } from "./figure.tsx";
import { headOf } from "./long-text.tsx";
import { ownWords } from "./own-words.ts";
import { RegressedMark, StateMark } from "./state-mark.tsx";
import { Time } from "./time.tsx";

/** Longer than two lines of any column; the rest is on the issue's page. */
const MESSAGE_CHARS = 240;

/** The row; the message is the link, and the style sheet spreads it over the row. */
export function IssueRow({
  issue,
  nowMs,
}: {
  readonly issue: IssueSummary;
  readonly nowMs: number;
}) {
  const state = stateOf(issue, nowMs);
  return (
    <tr className="issue-row" data-state={state}>
      <th scope="row" className="what">
        <StateMark state={state} bare />{" "}
        <a href={`/d/${issue.digest}`}>
          <bdi className="type">{issue.type || issue.kind}</bdi>{" "}
          <span className="message" dir="auto">
            {headOf(ownWords(issue), MESSAGE_CHARS) || "(no message)"}
          </span>
        </a>
        <Place issue={issue} />
      </th>
      <td className="release">{issue.release && <bdi>{issue.release}</bdi>}</td>
      <td className="number">
        <Figure count={issue.count} one="time" />
      </td>
      <td className="number">
        <Figure count={issue.linked} one="linked report" />
      </td>
      <td className="first">
        <span className="unit">first </span>
        <Time atMs={issue.firstSeenMs} nowMs={nowMs} />
      </td>
      <td className="last">
        <span className="unit">last </span>
        <Time atMs={issue.lastSeenMs} nowMs={nowMs} />
      </td>
      <td className="digest-cell">
        <code>{issue.digest}</code>
      </td>
    </tr>
  );
}

/** Whether it returned, where it was thrown, on which route, in which environment: what of it is known, in one line. */
function Place({ issue }: { issue: IssueSummary }) {
  const parts = [
    issue.kind === "error" ? undefined : issue.kind,
    issue.where,
    issue.route,
    issue.environment,
  ].filter((part) => part !== undefined && part !== "");
  const regressed = isRegressed(issue);
  if (parts.length === 0 && !regressed) return null;
  return (
    <span className="place">
      {regressed && <RegressedMark />}
      {parts.map((part, index) => (
        // The parts have no identity but their place, and never move.
        <Fragment key={index}>
          {" "}
          <bdi>{part}</bdi>
        </Fragment>
      ))}
    </span>
  );
}

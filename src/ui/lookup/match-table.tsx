/** Several issues for one query: shared values above the table, different ones in its columns. */
import { getCurrentState, isRegressed } from "../../core/issue/decision.ts";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { OccurrenceCount } from "../issues/occurrence-count.tsx";
import { RegressedBadge, StateBadge } from "../issues/state-badge.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { FactList } from "../parts/fact-list.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";

const VALUE_CHARS = 240;

/** Compared fields, the most distinctive first. */
const FIELDS = ["type", "message", "culprit", "route", "release", "environment", "kind"] as const;

type MatchField = (typeof FIELDS)[number];

const FIELD_LABELS: Readonly<Record<MatchField, string>> = {
  type: "Type",
  message: "Message",
  culprit: "Culprit",
  route: "Route",
  release: "Release",
  environment: "Environment",
  kind: "Kind",
};

/** The shared values and the table. */
export function MatchTable({
  matches,
  nowMs,
}: {
  readonly matches: readonly IssueSummary[];
  readonly nowMs: number;
}) {
  const distinguishing = FIELDS.filter(
    (field) => new Set(matches.map((match) => match[field])).size > 1,
  );
  const equal = FIELDS.filter((field) => !distinguishing.includes(field) && field !== "kind");
  const shared = matches[0];
  return (
    <>
      {shared !== undefined && (
        <section className="shared" aria-label="Shared values">
          <FactList
            variant="grid"
            facts={equal.map((field) => [
              FIELD_LABELS[field],
              shared[field] && <Value text={shared[field]} field={field} />,
            ])}
          />
        </section>
      )}
      <table className="matches">
        <caption className="visually-hidden">Matching issues and their differences</caption>
        <thead>
          <tr>
            <th scope="col">Digest</th>
            {distinguishing.map((field) => (
              <th scope="col" key={field} data-field={field}>
                {FIELD_LABELS[field]}
              </th>
            ))}
            <th scope="col" className="number">
              Count
            </th>
            <th scope="col">First</th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {matches.map((match) => (
            <MatchRow
              key={match.digest}
              match={match}
              distinguishing={distinguishing}
              nowMs={nowMs}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

function MatchRow({
  match,
  distinguishing,
  nowMs,
}: {
  match: IssueSummary;
  distinguishing: readonly MatchField[];
  nowMs: number;
}) {
  return (
    <tr className="match">
      <th scope="row">
        <StateBadge state={getCurrentState(match, nowMs)} isIconOnly />{" "}
        <DeskLink href={toIssueUrl(match.digest)}>
          <code>{match.digest}</code>
        </DeskLink>
        {isRegressed(match) && (
          <>
            {" "}
            <RegressedBadge />
          </>
        )}
      </th>
      {distinguishing.map((field) => (
        <td key={field} data-field={field}>
          <span className="cell-unit">{FIELD_LABELS[field]} </span>
          {match[field] ? <Value text={match[field]} field={field} /> : "–"}
        </td>
      ))}
      <td className="number">
        <OccurrenceCount issue={match} />
      </td>
      <td>
        <span className="cell-unit">first </span>
        <RelativeTime atMs={match.firstSeenMs} nowMs={nowMs} />
      </td>
      <td>
        <span className="cell-unit">last </span>
        <RelativeTime atMs={match.lastSeenMs} nowMs={nowMs} />
      </td>
    </tr>
  );
}

function Value({ text, field }: { text: string; field: MatchField }) {
  return (
    <bdi className={field === "type" ? "type" : undefined} dir="auto">
      {abbreviate(text, VALUE_CHARS)}
    </bdi>
  );
}

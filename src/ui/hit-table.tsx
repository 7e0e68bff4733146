/** Issues that answer one question, with their differences visible: equal facts stand above the table, unequal ones in it. */
import { isRegressed, stateOf } from "../core/decision.ts";
import type { IssueSummary } from "../core/issue.ts";
import { FactList } from "./fact-list.tsx";
import { Figure } from "./figure.tsx";
import { issueUrl } from "./issue/issue-url.ts";
import { headOf } from "./long-text.tsx";
import { A } from "./place.tsx";
import { RegressedMark, StateMark } from "./state-mark.tsx";
import { Time } from "./time.tsx";

const VALUE_CHARS = 240;

/** What two issues may differ in, in the order in which it tells them apart. */
const FIELDS = ["type", "message", "where", "route", "release", "environment", "kind"] as const;

type Field = (typeof FIELDS)[number];

const FIELD_WORDS: Readonly<Record<Field, string>> = {
  type: "Type",
  message: "Message",
  where: "Where",
  route: "Route",
  release: "Release",
  environment: "Environment",
  kind: "Kind",
};

/** The comparison. */
export function HitTable({
  hits,
  nowMs,
}: {
  readonly hits: readonly IssueSummary[];
  readonly nowMs: number;
}) {
  const unequal = FIELDS.filter((field) => new Set(hits.map((hit) => hit[field])).size > 1);
  const equal = FIELDS.filter((field) => !unequal.includes(field) && field !== "kind");
  const shared = hits[0];
  return (
    <>
      {shared !== undefined && (
        <section className="shared" aria-label="What they share">
          <FactList
            look="figures"
            facts={equal.map((field) => [
              FIELD_WORDS[field],
              shared[field] && <Value text={shared[field]} field={field} />,
            ])}
          />
        </section>
      )}
      <table className="hits">
        <caption className="unseen">The issues, and what they differ in</caption>
        <thead>
          <tr>
            <th scope="col">Digest</th>
            {unequal.map((field) => (
              <th scope="col" key={field} data-field={field}>
                {FIELD_WORDS[field]}
              </th>
            ))}
            <th scope="col" className="number">
              Seen
            </th>
            <th scope="col">First</th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {hits.map((hit) => (
            <HitRow key={hit.digest} hit={hit} unequal={unequal} nowMs={nowMs} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function HitRow({
  hit,
  unequal,
  nowMs,
}: {
  hit: IssueSummary;
  unequal: readonly Field[];
  nowMs: number;
}) {
  return (
    <tr className="hit">
      <th scope="row">
        <StateMark state={stateOf(hit, nowMs)} bare />{" "}
        <A href={issueUrl(hit.digest)}>
          <code>{hit.digest}</code>
        </A>
        {isRegressed(hit) && (
          <>
            {" "}
            <RegressedMark />
          </>
        )}
      </th>
      {unequal.map((field) => (
        <td key={field} data-field={field}>
          <span className="unit">{FIELD_WORDS[field]} </span>
          {hit[field] ? <Value text={hit[field]} field={field} /> : "–"}
        </td>
      ))}
      <td className="number">
        <Figure count={hit.count} one="time" />
      </td>
      <td>
        <span className="unit">first </span>
        <Time atMs={hit.firstSeenMs} nowMs={nowMs} />
      </td>
      <td>
        <span className="unit">last </span>
        <Time atMs={hit.lastSeenMs} nowMs={nowMs} />
      </td>
    </tr>
  );
}

function Value({ text, field }: { text: string; field: Field }) {
  return (
    <bdi className={field === "type" ? "type" : undefined} dir="auto">
      {headOf(text, VALUE_CHARS)}
    </bdi>
  );
}

/** Why the reports of an issue are together. */

import { Fragment } from "react";
import { explainGrouping, listKeyDifferences } from "../../../core/grouping/explain-grouping.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { ReportGrouping } from "../../../core/report.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";

/** The section of similar issues. */
export const SIMILAR_ID = "similar";

const VALUE_CHARS = 160;

/** The sentence, and the version of the rules; nothing until a report says why. */
export function Grouping({ issue: { grouping } }: { issue: Issue }) {
  const pieces = grouping === undefined ? [] : explainGrouping(grouping);
  if (pieces.length === 0) return null;
  return (
    <section className="grouping" aria-labelledby="grouping-heading">
      <h2 id="grouping-heading">Grouping</h2>
      <p>
        {pieces.map(({ text, isValue }, n) =>
          // The pieces have no ids, and their order never changes.
          isValue ? <Value key={n} text={text} /> : <Fragment key={n}>{text}</Fragment>,
        )}
        .
      </p>
      <p className="muted">
        Rules version {grouping?.version}.{" "}
        <DeskLink href={`#${SIMILAR_ID}`}>Similar issues</DeskLink>
      </p>
    </section>
  );
}

/** "other function `shop.cart#add`": how another key differs; nothing if it is unknown. */
export function KeyDifferences({
  own,
  other,
}: {
  own: ReportGrouping | undefined;
  other: ReportGrouping | undefined;
}) {
  const differences = listKeyDifferences(own, other);
  if (differences.length === 0) return null;
  return (
    <p className="key-differences">
      {differences.map(({ words, value }) => (
        <span key={words}>
          {words} {value !== undefined && <Value text={value} />}
        </span>
      ))}
    </p>
  );
}

function Value({ text }: { text: string }) {
  return (
    <code>
      <bdi>{abbreviate(text, VALUE_CHARS)}</bdi>
    </code>
  );
}

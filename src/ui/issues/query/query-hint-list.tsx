/** Hints on probable mistakes in the query, with links to corrected queries. */
import type { FilterKey, IssueQuery } from "../../../core/issue/issue-query.ts";
import { findQueryHints } from "../../../core/issue/query-hints.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { toIssueListUrl } from "../../urls/issue-list-urls.ts";

const PART_CHARS = 60;

/** The hints, if any. `missingTags` are the tags in the query that no issue has. */
export function QueryHints({
  query,
  missingTags,
}: {
  query: IssueQuery;
  missingTags: readonly FilterKey[];
}) {
  const hints = findQueryHints(query, missingTags);
  if (hints.length === 0) return null;
  return (
    <ul className="query-hints">
      {hints.map(({ kind, input, suggestion }, index) => {
        const part = <bdi className="query-text">{abbreviate(input, PART_CHARS)}</bdi>;
        return (
          // The query may contain a mistake twice.
          <li key={index}>
            {kind === "word" ? (
              <>{part} is not a filter and is searched as text.</>
            ) : (
              <>No issue has the tag {part}.</>
            )}
            {suggestion !== undefined && (
              <>
                {" "}
                Did you mean{" "}
                <DeskLink href={toIssueListUrl({ query: suggestion.query })}>
                  <bdi className="query-text">{abbreviate(suggestion.input, PART_CHARS)}</bdi>
                </DeskLink>
                ?
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

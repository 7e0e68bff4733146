/** What in the question was probably meant otherwise, with a link that asks what was meant. */
import type { FilterKey, IssueQuery } from "../../../core/issue/issue-query.ts";
import { findQueryHints } from "../../../core/issue/query-hints.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { toIssueListUrl } from "../../urls/issue-list-urls.ts";

const PART_CHARS = 60;

/** The hints; nothing where the question says something in every part. `missing` are its tags that no issue has. */
export function QueryHints({
  query,
  missingTags,
}: {
  readonly query: IssueQuery;
  readonly missingTags: readonly FilterKey[];
}) {
  const hints = findQueryHints(query, missingTags);
  if (hints.length === 0) return null;
  return (
    <ul className="query-hints">
      {hints.map(({ kind, input, suggestion }, index) => {
        const part = <bdi className="asked">{abbreviate(input, PART_CHARS)}</bdi>;
        return (
          // The same may be said twice.
          <li key={index}>
            {kind === "word" ? (
              <>{part} is not known, so it is looked for as a word.</>
            ) : (
              <>No issue has a tag called {part}.</>
            )}
            {suggestion !== undefined && (
              <>
                {" "}
                Did you mean{" "}
                <DeskLink href={toIssueListUrl({ query: suggestion.query })}>
                  <bdi className="asked">{abbreviate(suggestion.input, PART_CHARS)}</bdi>
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

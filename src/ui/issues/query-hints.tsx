/** What in the question was probably meant otherwise, with a link that asks what was meant. */
import type { FilterKey, IssueQuery } from "../../core/issue-query.ts";
import { hintsOf } from "../../core/query-hints.ts";
import { headOf } from "../long-text.tsx";
import { A } from "../place.tsx";
import { listUrl } from "./list-url.ts";

const PART_CHARS = 60;

/** The hints; nothing where the question says something in every part. `missing` are its tags that no issue has. */
export function QueryHints({
  query,
  missing,
}: {
  readonly query: IssueQuery;
  readonly missing: readonly FilterKey[];
}) {
  const hints = hintsOf(query, missing);
  if (hints.length === 0) return null;
  return (
    <ul className="query-hints">
      {hints.map(({ kind, written, meant }, index) => {
        const part = <bdi className="asked">{headOf(written, PART_CHARS)}</bdi>;
        return (
          // The same may be said twice.
          <li key={index}>
            {kind === "word" ? (
              <>{part} is not known, so it is looked for as a word.</>
            ) : (
              <>No issue has a tag called {part}.</>
            )}
            {meant !== undefined && (
              <>
                {" "}
                Did you mean{" "}
                <A href={listUrl({ query: meant.query })}>
                  <bdi className="asked">{headOf(meant.written, PART_CHARS)}</bdi>
                </A>
                ?
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

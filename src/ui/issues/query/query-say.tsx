/**
 * What a query says that is not understood, on the line of the tabs, whose place exists anyway. The
 * script replaces the sentence while somebody types.
 */
import type { FilterKey, IssueQuery } from "../../../core/issue/issue-query.ts";
import { findQueryProblems } from "../../../core/issue/query-problems.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { WarningIcon } from "../../parts/icons.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { useScope } from "../../parts/scope-switch.tsx";
import { toIssueListUrl } from "../../urls/issue-list-urls.ts";

const PART_CHARS = 40;

/** The sentence of the first problem. `unknownTags` are tags of the query that no issue has. */
export function QuerySay({
  query,
  unknownTags,
  action,
}: {
  readonly query: IssueQuery;
  readonly unknownTags?: readonly FilterKey[] | undefined;
  readonly action?: string;
}) {
  const { environment } = useScope();
  const [problem, ...others] = findQueryProblems(query, unknownTags);
  const isOverruled = environment !== undefined && query.filters.some(({ key }) => key === "env");
  return (
    <span className="query-say" role="status" data-query-say="">
      <WarningIcon />
      <span>
        {problem !== undefined && (
          <>
            <bdi className="query-text">{abbreviate(problem.part, PART_CHARS)}</bdi>
            {": "}
            {problem.reason}
            {problem.suggestion !== undefined && (
              <>
                {" Did you mean "}
                <DeskLink href={toIssueListUrl({ query: problem.suggestion.query }, action)}>
                  <bdi className="query-text">
                    {abbreviate(problem.suggestion.part, PART_CHARS)}
                  </bdi>
                </DeskLink>
                ?
              </>
            )}
            {others.length > 0 && ` And ${others.length} more.`}
          </>
        )}
        {problem === undefined &&
          isOverruled &&
          `env: in the query takes precedence over “${abbreviate(environment, PART_CHARS)}”.`}
      </span>
    </span>
  );
}

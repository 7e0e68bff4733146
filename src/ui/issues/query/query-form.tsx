/**
 * The list's query field: each part but the words is a chip, which its link removes. The script
 * completes what is typed. Without it, a form has the parts of the chips and the text of the field.
 */
import { use } from "react";
import type { IssueListPage } from "../../../core/issue/issue-list-page.ts";
import {
  type FilterKey,
  formatIssueQuery,
  formatSearchText,
  type IssueQuery,
  listQueryParts,
  parseIssueQuery,
} from "../../../core/issue/issue-query.ts";
import { findQueryProblems } from "../../../core/issue/query-problems.ts";
import { applyScope } from "../../../core/issue/scoped-query.ts";
import { limits } from "../../../core/limits.ts";
import { Boundary } from "../../failure/boundary.tsx";
import { DeskForm, DeskLink, resolvePath, useDesk } from "../../parts/desk-context.tsx";
import { CrossIcon, SearchIcon } from "../../parts/icons.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { useScope } from "../../parts/scope-switch.tsx";
import { toIssueListUrl } from "../../urls/issue-list-urls.ts";
import { EXAMPLES } from "./search-examples.ts";

/** The path of the values that complete a filter. */
export const VALUES_PATH = "/issue-values.json";

const PART_CHARS = 48;

interface QueryFormProps {
  readonly query: IssueQuery;
  /** The path of the list. */
  readonly action?: string;
  /** The list, which knows the tags that no issue has; null if it is unavailable. */
  readonly listing?: Promise<Pick<IssueListPage, "unknownTags"> | null>;
}

export function QueryForm({ query, action = "/issues", listing }: QueryFormProps) {
  const desk = useDesk();
  const { environment } = useScope();
  const parts = <Chips query={query} action={action} />;
  const hasTags = query.filters.some(({ key }) => key.startsWith("tag."));
  return (
    <search className="query">
      <DeskForm
        action={action}
        method="get"
        data-query-field=""
        data-values-url={resolvePath(desk, VALUES_PATH)}
        data-scope={formatIssueQuery(
          applyScope(parseIssueQuery(""), { environment, period: "24h" }),
        )}
      >
        <label htmlFor="query" className="visually-hidden">
          Search issues
        </label>
        <span className="lookup-field">
          <SearchIcon />
          <span className="query-parts" data-query-parts="">
            <ul aria-label="Parts of the query">
              {listing !== undefined && hasTags ? (
                <Boundary name="query" loading={parts}>
                  <LoadedChips query={query} action={action} listing={listing} />
                </Boundary>
              ) : (
                parts
              )}
            </ul>
            <input
              id="query"
              name="q"
              type="text"
              data-query-input=""
              maxLength={limits.maxIssueQueryChars}
              defaultValue={formatSearchText(query)}
              placeholder={PLACEHOLDER}
              autoComplete="off"
              autoCapitalize="off"
              autoCorrect="off"
              spellCheck={false}
              enterKeyHint="search"
            />
          </span>
          {query.sort !== "last" && <input type="hidden" name="sort" value={query.sort} />}
          <span className="shortcut-hint" aria-hidden="true">
            /
          </span>
          <button type="submit">Search</button>
        </span>
      </DeskForm>
      <button type="button" className="text-button" popoverTarget="search-syntax">
        Syntax
      </button>
      <SyntaxHelp />
    </search>
  );
}

const PLACEHOLDER = "release:1.4 users:>10 -browser:safari words";

function LoadedChips({
  listing,
  ...list
}: Required<Pick<QueryFormProps, "query" | "action" | "listing">>) {
  return <Chips {...list} unknownTags={use(listing)?.unknownTags} />;
}

function Chips({
  query,
  action,
  unknownTags,
}: {
  readonly query: IssueQuery;
  readonly action: string;
  readonly unknownTags?: readonly FilterKey[] | undefined;
}) {
  const problems = new Map(
    findQueryProblems(query, unknownTags).map((problem) => [problem.part, problem]),
  );
  return listQueryParts(query).map(({ part, rest }, at) => {
    const { reason, outcome } = problems.get(part) ?? {};
    return (
      // A query may have a part twice.
      <li key={at} className="chip" data-wrong={reason} title={reason}>
        <input type="hidden" name="q" value={part} />
        <PartText part={part} />
        {outcome !== undefined && <small>{outcome}</small>}
        <DeskLink href={toIssueListUrl({ query: rest }, action)} aria-label={`Remove ${part}`}>
          <CrossIcon />
        </DeskLink>
      </li>
    );
  });
}

/** The key and the value of a part. */
function PartText({ part }: { part: string }) {
  const end = part.indexOf(":") + 1;
  return (
    <bdi>
      <span className="chip-key">{part.slice(0, end)}</span>
      {abbreviate(part.slice(end), PART_CHARS)}
    </bdi>
  );
}

function SyntaxHelp() {
  return (
    <div id="search-syntax" className="menu query-help" popover="auto" tabIndex={-1}>
      <dl>
        {EXAMPLES.map(([example, text]) => (
          <div key={example}>
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <a href="/docs/search-syntax">Full reference</a>
    </div>
  );
}

/** The list's query field, with the search syntax explained below. */
import { formatIssueQuery, IS_VALUES, type IssueQuery } from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import { DeskForm } from "../../parts/desk-context.tsx";

/** The id of the datalist that `QuerySuggestions` renders, which streams in with the facets. */
const SUGGESTIONS_ID = "query-tokens";

export function QueryForm({
  query,
  action = "/issues",
}: {
  readonly query: IssueQuery;
  /** The path of the list. */
  readonly action?: string;
}) {
  const queryText = formatIssueQuery(query);
  return (
    <search className="query">
      <DeskForm action={action} method="get">
        <label htmlFor="query" className="visually-hidden">
          Search issues
        </label>
        <span className="lookup-field">
          <input
            id="query"
            name="q"
            type="text"
            data-query-input=""
            list={SUGGESTIONS_ID}
            maxLength={limits.maxIssueQueryChars}
            defaultValue={queryText === "" ? "" : `${queryText} `}
            placeholder={'is:open release:1.4 browser:firefox "no price"'}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="search"
          />
          {query.sort !== "last" && <input type="hidden" name="sort" value={query.sort} />}
          <span className="shortcut-hint" aria-hidden="true">
            /
          </span>
          <button type="submit">Search</button>
        </span>
      </DeskForm>
      <button type="button" className="text-button" popoverTarget="search-syntax">
        Search syntax
      </button>
      <div id="search-syntax" className="menu query-help" popover="auto" tabIndex={-1}>
        <dl>
          <dt>
            <code>is:open</code>
          </dt>
          <dd>
            Also <code>is:resolved</code>, <code>is:ignored</code>, <code>is:muted</code>,{" "}
            <code>is:new</code> (first seen in the last 24 hours), <code>is:regressed</code>,{" "}
            <code>is:unassigned</code>, <code>is:noise</code>.
          </dd>
          <dt>
            <code>release:1.4</code>
          </dt>
          <dd>
            The value contains this text. Also <code>env:</code>, <code>browser:</code>,{" "}
            <code>url:</code>, <code>kind:</code>, <code>level:</code>, <code>type:</code>,{" "}
            <code>assigned:</code>, and the name of any tag.
          </dd>
          <dt>
            <code>release:"1.4.0"</code>
          </dt>
          <dd>Exact match.</dd>
          <dt>
            <code>new:1.4.0</code>
          </dt>
          <dd>
            First seen in this release. Also <code>regressed:</code> (regressed in it) and{" "}
            <code>fixed:</code> (resolved in it).
          </dd>
          <dt>
            <code>-browser:safari</code>
          </dt>
          <dd>Excludes matches.</dd>
          <dt>
            <code>"no price" cart</code>
          </dt>
          <dd>Contains all of these words, for example in its message or stack trace.</dd>
        </dl>
        <a href="/docs/search-syntax">Full reference</a>
      </div>
    </search>
  );
}

/** Suggestions for the field: the current query with one of `tokens` added. */
export function QuerySuggestions({
  query,
  tokens,
}: {
  query: IssueQuery;
  tokens: readonly string[];
}) {
  const queryText = formatIssueQuery(query);
  const all = [...IS_VALUES.map((value) => `is:${value}`), ...tokens];
  return (
    <datalist id={SUGGESTIONS_ID}>
      {all.map((token) => (
        <option key={token} value={queryText === "" ? token : `${queryText} ${token}`} />
      ))}
    </datalist>
  );
}

/** The question that the list answers, to be changed: a plain form of one field, with what can be asked explained under it. */
import { formatIssueQuery, IS_VALUES, type IssueQuery } from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import { DeskForm } from "../../parts/desk-context.tsx";

/** The completions' id; `QueryTokens` has them, and comes with the facets. */
const SUGGESTIONS_ID = "query-tokens";

/** The form. */
export function QueryForm({ query }: { readonly query: IssueQuery }) {
  const queryText = formatIssueQuery(query);
  return (
    <search className="query">
      <DeskForm action="/issues" method="get">
        <label htmlFor="query" className="visually-hidden">
          Which issues
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
          <button type="submit">Show</button>
        </span>
      </DeskForm>
      <details className="query-help">
        <summary>What can be asked</summary>
        <dl>
          <dt>
            <code>is:open</code>
          </dt>
          <dd>
            Also <code>is:resolved</code>, <code>is:ignored</code>, <code>is:muted</code>;{" "}
            <code>is:new</code> first seen within a day, <code>is:regressed</code>,{" "}
            <code>is:unassigned</code>, <code>is:noise</code>.
          </dd>
          <dt>
            <code>release:1.4</code>
          </dt>
          <dd>
            Has this in it. So do <code>env:</code>, <code>browser:</code>, <code>url:</code>,{" "}
            <code>kind:</code>, <code>type:</code>, <code>assigned:</code>, and the name of any tag.
          </dd>
          <dt>
            <code>release:"1.4.0"</code>
          </dt>
          <dd>Exactly this.</dd>
          <dt>
            <code>new:1.4.0</code>
          </dt>
          <dd>
            First seen in this release; <code>regressed:</code> came back in it, <code>fixed:</code>{" "}
            was resolved in it.
          </dd>
          <dt>
            <code>-browser:safari</code>
          </dt>
          <dd>Not this.</dd>
          <dt>
            <code>"no price" cart</code>
          </dt>
          <dd>All these words, in what the issue says or where it was thrown.</dd>
        </dl>
        <a href="/docs/search-syntax">Search syntax</a>
      </details>
    </search>
  );
}

/** What the field completes to: the question as it is, and one of `tokens` more. */
export function QuerySuggestions({
  query,
  tokens,
}: {
  readonly query: IssueQuery;
  readonly tokens: readonly string[];
}) {
  const queryText = formatIssueQuery(query);
  const all = [...IS_VALUES.map((word) => `is:${word}`), ...tokens];
  return (
    <datalist id={SUGGESTIONS_ID}>
      {all.map((token) => (
        <option key={token} value={queryText === "" ? token : `${queryText} ${token}`} />
      ))}
    </datalist>
  );
}

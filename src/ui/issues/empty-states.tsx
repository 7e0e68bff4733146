/** The empty states of the issue list: no issues, no matching issues, or no available index. */
import type { IssueListPage } from "../../core/issue/issue-list-page.ts";
import { DEFAULT_QUERY, type IssueQuery, parseIssueQuery } from "../../core/issue/issue-query.ts";
import { DeskLink, RequireSelfTest } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { SCOPE_PATH } from "../parts/scope-switch.tsx";
import { listRelaxedQueries, toIssueListUrl } from "../urls/issue-list-urls.ts";
import { toLookupUrl } from "../urls/lookup-urls.ts";
import { LoadSampleForm } from "./load-sample-form.tsx";

const TEXT_CHARS = 60;

/** The empty state of a project without reports. */
export function NoIssuesYet() {
  return (
    <div className="empty-state">
      <p className="empty-heading">No issues yet.</p>
      <p>
        Connect your app, and its first report appears here. To try Errata first,{" "}
        <RequireSelfTest>
          <DeskLink href="/self-test">trigger a test error</DeskLink> or{" "}
        </RequireSelfTest>
        load sample data.
      </p>
      <div className="empty-actions">
        <DeskLink className="button main-button" href="/connect">
          Connect your app
        </DeskLink>
        <LoadSampleForm />
      </div>
    </div>
  );
}

/** The empty state of a query without matches. Each filter can be removed. */
export function NoMatchingIssues({
  query,
  environment,
}: {
  readonly query: IssueQuery;
  /** The environment of the page. */
  readonly environment?: string | undefined;
}) {
  const relaxedQueries = listRelaxedQueries(query);
  if (
    relaxedQueries.length === 0 &&
    toIssueListUrl({ query }) === toIssueListUrl({ query: parseIssueQuery(DEFAULT_QUERY) })
  )
    return (
      <div className="empty-state">
        <p className="empty-heading">
          No open issues
          {environment !== undefined && <> in {abbreviate(environment, TEXT_CHARS)}</>}.
        </p>
        <p>
          <DeskLink href={toIssueListUrl({ query: parseIssueQuery("") })}>Show all issues</DeskLink>
          {environment !== undefined && (
            <>
              {" · "}
              <DeskLink href={SCOPE_PATH}>Other environments</DeskLink>
            </>
          )}
        </p>
      </div>
    );
  return (
    <div className="empty-state">
      <p className="empty-heading">
        No matching issues
        {environment !== undefined && <> in {abbreviate(environment, TEXT_CHARS)}</>}.
      </p>
      <ul className="relaxed-queries">
        {relaxedQueries.map(({ text, query }) => (
          <li key={text}>
            <DeskLink href={toIssueListUrl({ query })}>
              Remove <bdi className="query-text">{abbreviate(text, TEXT_CHARS)}</bdi>
            </DeskLink>
          </li>
        ))}
        {environment !== undefined && (
          <li>
            <DeskLink href={SCOPE_PATH}>Search other environments</DeskLink>
          </li>
        )}
        {query.states.length > 0 && (
          <li>
            <DeskLink href={toIssueListUrl({ query: { ...query, states: [] } })}>
              Search all states
            </DeskLink>
          </li>
        )}
        {query.isNoise && (
          <li>
            <DeskLink href={toIssueListUrl({ query: { ...query, isNoise: false } })}>
              Leave the noise list
            </DeskLink>
          </li>
        )}
        {query.text !== "" && (
          <li>
            <DeskLink href={toLookupUrl(query.text)}>Look it up as a code</DeskLink>
          </li>
        )}
      </ul>
    </div>
  );
}

/** The empty state of a page of a long list: none of its examined issues matches. */
export function NoMatchesYet({
  query,
  page: { next, previous },
}: {
  query: IssueQuery;
  page: IssueListPage;
}) {
  const from = next ?? previous;
  return (
    <div className="empty-state">
      <p className="empty-heading">No matching issues so far.</p>
      <p>
        <DeskLink className="button" href={toIssueListUrl({ query, from })}>
          Continue searching
        </DeskLink>
      </p>
      <p>
        <DeskLink href={toIssueListUrl({ query })}>First page</DeskLink>
      </p>
    </div>
  );
}

export function IndexUnavailable({ query }: { query: IssueQuery }) {
  return (
    <div className="empty-state" role="alert">
      <p className="empty-heading">The issue list is temporarily unavailable.</p>
      <p>
        Reports are still being accepted.{" "}
        <DeskLink href={toIssueListUrl({ query })}>Try again</DeskLink>, or see the{" "}
        <DeskLink href="/">last saved list</DeskLink>.
      </p>
    </div>
  );
}

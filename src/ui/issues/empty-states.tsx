/** A list without issues: because there is nothing at all, because nothing is so, or because the index cannot be asked. */
import { type IssueQuery, parseIssueQuery } from "../../core/issue/issue-query.ts";
import { DeskLink, RequireSelfTest } from "../parts/desk-context.tsx";
import { LoadSampleForm } from "../parts/load-sample-form.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { DEFAULT_QUERY, listRelaxedQueries, toIssueListUrl } from "../urls/issue-list-urls.ts";
import { toLookupUrl } from "../urls/lookup-urls.ts";

const TEXT_CHARS = 60;

/** A project without a single report. */
export function NoIssuesYet() {
  return (
    <div className="empty-state">
      <p className="empty-heading">Nothing has broken yet, or nobody has told this desk.</p>
      <p>
        Connect your app, and its first report shows up here. To look around before that,{" "}
        <RequireSelfTest>
          <DeskLink href="/self-test">throw something on purpose</DeskLink> and follow it from the
          notice to this list, or{" "}
        </RequireSelfTest>
        load the reports of a made-up shop.
      </p>
      <div className="empty-actions">
        <DeskLink className="button" href="/connect">
          Connect your app
        </DeskLink>
        <LoadSampleForm />
      </div>
    </div>
  );
}

/** There are issues, and none is what was asked for: each filter can be dropped. */
export function NoMatchingIssues({ query }: { readonly query: IssueQuery }) {
  const relaxedQueries = listRelaxedQueries(query);
  if (
    relaxedQueries.length === 0 &&
    toIssueListUrl({ query }) === toIssueListUrl({ query: parseIssueQuery(DEFAULT_QUERY) })
  )
    return (
      <div className="empty-state">
        <p className="empty-heading">
          No issue is open. Every fault that is known has been decided about.
        </p>
        <p>
          <DeskLink href={toIssueListUrl({ query: parseIssueQuery("") })}>See all issues</DeskLink>
        </p>
      </div>
    );
  return (
    <div className="empty-state">
      <p className="empty-heading">No issue matches all of this.</p>
      <ul className="drops">
        {relaxedQueries.map(({ text, query }) => (
          <li key={text}>
            <DeskLink href={toIssueListUrl({ query })}>
              Without <bdi className="asked">{abbreviate(text, TEXT_CHARS)}</bdi>
            </DeskLink>
          </li>
        ))}
        {query.states.length > 0 && (
          <li>
            <DeskLink href={toIssueListUrl({ query: { ...query, states: [] } })}>
              In any state
            </DeskLink>
          </li>
        )}
        {query.isNoise && (
          <li>
            <DeskLink href={toIssueListUrl({ query: { ...query, isNoise: false } })}>
              Without noise
            </DeskLink>
          </li>
        )}
        {query.text !== "" && (
          <li>
            <DeskLink href={toLookupUrl(query.text)}>Look the words up as a code</DeskLink>
          </li>
        )}
      </ul>
    </div>
  );
}

/** The index is away for a moment: nothing is lost, and nothing can be listed. */
export function IndexUnavailable({ query }: { readonly query: IssueQuery }) {
  return (
    <div className="empty-state" role="alert">
      <p className="empty-heading">
        The index cannot be reached at the moment, so nothing can be listed.
      </p>
      <p>
        Reports are still taken, and nothing is lost.{" "}
        <DeskLink href={toIssueListUrl({ query })}>Try again</DeskLink>, or see the{" "}
        <DeskLink href="/">newest issues as they were copied last</DeskLink>.
      </p>
    </div>
  );
}

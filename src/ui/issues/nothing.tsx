/** A list without issues: because there is nothing at all, because nothing is so, or because the index cannot be asked. */
import { type IssueQuery, readQuery } from "../../core/issue-query.ts";
import { LoadSample } from "../connect/sample.tsx";
import { headOf } from "../long-text.tsx";
import { lookupUrl } from "../lookup-url.ts";
import { A, WithSelfTest } from "../place.tsx";
import { DEFAULT_QUERY, listUrl, narrowings } from "./list-url.ts";

const WORDS_CHARS = 60;

/** A project without a single report. */
export function NothingYet() {
  return (
    <div className="empty">
      <p className="empty-say">Nothing has broken yet, or nobody has told this desk.</p>
      <p>
        Connect your app, and its first report shows up here. To look around before that,{" "}
        <WithSelfTest>
          <A href="/self-test">throw something on purpose</A> and follow it from the notice to this
          list, or{" "}
        </WithSelfTest>
        load the reports of a made-up shop.
      </p>
      <div className="empty-ways">
        <A className="button" href="/connect">
          Connect your app
        </A>
        <LoadSample />
      </div>
    </div>
  );
}

/** There are issues, and none is what was asked for: each filter can be dropped. */
export function NothingMatches({ query }: { readonly query: IssueQuery }) {
  const dropped = narrowings(query);
  if (dropped.length === 0 && listUrl({ query }) === listUrl({ query: readQuery(DEFAULT_QUERY) }))
    return (
      <div className="empty">
        <p className="empty-say">
          No issue is open. Every fault that is known has been decided about.
        </p>
        <p>
          <A href={listUrl({ query: readQuery("") })}>See all issues</A>
        </p>
      </div>
    );
  return (
    <div className="empty">
      <p className="empty-say">No issue matches all of this.</p>
      <ul className="drops">
        {dropped.map(({ written, without }) => (
          <li key={written}>
            <A href={listUrl({ query: without })}>
              Without <bdi className="asked">{headOf(written, WORDS_CHARS)}</bdi>
            </A>
          </li>
        ))}
        {query.states.length > 0 && (
          <li>
            <A href={listUrl({ query: { ...query, states: [] } })}>In any state</A>
          </li>
        )}
        {query.isNoise && (
          <li>
            <A href={listUrl({ query: { ...query, isNoise: false } })}>Without noise</A>
          </li>
        )}
        {query.text !== "" && (
          <li>
            <A href={lookupUrl(query.text)}>Look the words up as a code</A>
          </li>
        )}
      </ul>
    </div>
  );
}

/** The index is away for a moment: nothing is lost, and nothing can be listed. */
export function IndexAway({ query }: { readonly query: IssueQuery }) {
  return (
    <div className="empty" role="alert">
      <p className="empty-say">
        The index cannot be reached at the moment, so nothing can be listed.
      </p>
      <p>
        Reports are still taken, and nothing is lost. <A href={listUrl({ query })}>Try again</A>, or
        see the <A href="/">newest issues as they were copied last</A>.
      </p>
    </div>
  );
}

/** The lists that people keep under a name: links to them, and two small forms that keep this one or forget it. */
import {
  type IssueQuery,
  readQuery,
  readSort,
  type SavedView,
  writeQuery,
} from "../../core/issue-query.ts";
import { limits } from "../../core/limits.ts";
import { A, For, Form } from "../place.tsx";
import { listUrl } from "./list-url.ts";

/** The views. The one that is open can be forgotten; any other list can be kept. */
export function SavedViews({
  query,
  views,
}: {
  readonly query: IssueQuery;
  readonly views: readonly SavedView[];
}) {
  const here = listUrl({ query });
  const listed = views.map((view) => ({ ...view, url: urlOf(view) }));
  const open = listed.find(({ url }) => url === here);
  return (
    <section className="facet">
      <h3>Views</h3>
      {listed.length > 0 && (
        <ul>
          {listed.map(({ name, url }) => (
            <li key={name}>
              <A href={url} aria-current={url === here ? "page" : undefined}>
                <bdi>{name}</bdi>
              </A>
            </li>
          ))}
        </ul>
      )}
      <For needs="member">
        {open === undefined ? <Keep query={query} /> : <Forget query={query} name={open.name} />}
      </For>
    </section>
  );
}

function Keep({ query }: { query: IssueQuery }) {
  return (
    <details>
      <summary>Save this view</summary>
      <Form method="post" action="/views" className="keep-view">
        <Asked query={query} />
        <label htmlFor="view-name">Name</label>
        <input
          id="view-name"
          name="name"
          type="text"
          required
          maxLength={limits.maxViewNameChars}
          autoComplete="off"
        />
        <button type="submit">Keep</button>
      </Form>
    </details>
  );
}

function Forget({ query, name }: { query: IssueQuery; name: string }) {
  return (
    <Form method="post" action="/views">
      <Asked query={query} />
      <input type="hidden" name="name" value={name} />
      <button type="submit" name="forget" value="1" className="text-button">
        Forget this view
      </button>
    </Form>
  );
}

function Asked({ query }: { query: IssueQuery }) {
  return (
    <>
      <input type="hidden" name="query" value={writeQuery(query)} />
      <input type="hidden" name="sort" value={query.sort} />
    </>
  );
}

function urlOf({ query, sort }: SavedView): string {
  return listUrl({ query: readQuery(query, readSort(sort)) });
}

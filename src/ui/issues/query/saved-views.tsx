/** Saved views: links to named queries, and forms to save or delete one. */
import { REQUIRED_ROLES } from "../../../core/accounts/required-roles.ts";
import {
  formatIssueQuery,
  type IssueQuery,
  parseIssueQuery,
  parseSort,
} from "../../../core/issue/issue-query.ts";
import type { SavedView } from "../../../core/issue/saved-view.ts";
import { limits } from "../../../core/limits.ts";
import { DeskForm, DeskLink, RequireRole } from "../../parts/desk-context.tsx";
import { toIssueListUrl } from "../../urls/issue-list-urls.ts";

/** The views. The current view can be deleted; any other query can be saved. */
export function SavedViews({ query, views }: { query: IssueQuery; views: readonly SavedView[] }) {
  const currentUrl = toIssueListUrl({ query });
  const viewsWithUrl = views.map((view) => ({ ...view, url: toViewUrl(view) }));
  const currentView = viewsWithUrl.find(({ url }) => url === currentUrl);
  return (
    <section className="facet">
      <h3>Saved views</h3>
      {viewsWithUrl.length > 0 && (
        <ul>
          {viewsWithUrl.map(({ name, url }) => (
            <li key={name}>
              <DeskLink href={url} aria-current={url === currentUrl ? "page" : undefined}>
                <bdi>{name}</bdi>
              </DeskLink>
            </li>
          ))}
        </ul>
      )}
      <RequireRole requiredRole={REQUIRED_ROLES.triage}>
        {currentView === undefined ? (
          <SaveViewForm query={query} />
        ) : (
          <DeleteViewForm query={query} name={currentView.name} />
        )}
      </RequireRole>
    </section>
  );
}

function SaveViewForm({ query }: { query: IssueQuery }) {
  return (
    <details>
      <summary>Save this view</summary>
      <DeskForm method="post" action="/saved-views" className="save-view">
        <QueryFields query={query} />
        <label htmlFor="view-name">Name</label>
        <input
          id="view-name"
          name="name"
          type="text"
          required
          maxLength={limits.maxViewNameChars}
          autoComplete="off"
        />
        <button type="submit">Save</button>
      </DeskForm>
    </details>
  );
}

function DeleteViewForm({ query, name }: { query: IssueQuery; name: string }) {
  return (
    <DeskForm method="post" action="/saved-views">
      <QueryFields query={query} />
      <input type="hidden" name="name" value={name} />
      <button type="submit" name="delete" value="1" className="text-button">
        Delete this view
      </button>
    </DeskForm>
  );
}

function QueryFields({ query }: { query: IssueQuery }) {
  return (
    <>
      <input type="hidden" name="query" value={formatIssueQuery(query)} />
      <input type="hidden" name="sort" value={query.sort} />
    </>
  );
}

function toViewUrl({ query, sort }: SavedView): string {
  return toIssueListUrl({ query: parseIssueQuery(query, parseSort(sort)) });
}

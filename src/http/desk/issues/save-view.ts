/** `POST /saved-views`: saves the current list under a name, or deletes a saved view. */
import { hasRole } from "../../../core/accounts/actors.ts";
import {
  formatIssueQuery,
  parseIssueQuery,
  parseSort,
  type SavedView,
  toListedView,
} from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import { parseName } from "../../../core/plain-text.ts";
import { fail, ok } from "../../../core/result.ts";
import { toIssueListUrl } from "../../../ui/urls/issue-list-urls.ts";
import type { AppContext } from "../../context.ts";
import { expected, type FormFields, type Parsed, readForm } from "../../forms/form-body.ts";
import { respondToAction } from "../../forms/respond.ts";
import { getRole } from "../alerts/alert-person.ts";

/**
 * Takes `name` with `query` and `sort`, or with `delete`. Redirects to the list; JSON: all views.
 * 400, 413 or 415 for an invalid form, 403 for another query of a view with a feed, which only
 * owners change; otherwise see `respondToAction`.
 */
export function saveView(c: AppContext): Promise<Response> {
  const { projectStore } = c.get("services");
  const act = async () => {
    const view = await readForm(c.req.raw, "bad-view", parseSavedViewForm);
    if (!view.ok) return view;
    const { name, query, sort, isDeletion } = view.value;
    const before = (await projectStore.listViews()).find((one) => one.name === name);
    // Everyone who knows the address of the feed reads what the view finds.
    const isFeed = before?.feedHash !== undefined && !isDeletion && before.query !== query;
    if (isFeed && !hasRole(getRole(c), "owner")) return fail({ reason: "view-has-feed" } as const);
    const views = await projectStore.saveView(name, isDeletion ? null : { query, sort });
    const isKept = isDeletion || views.some((one) => one.name === name);
    if (!isKept) {
      const room = `at most ${limits.maxSavedViews} views: delete one first`;
      return fail({ reason: "bad-view", expected: room });
    }
    return ok({
      body: { views: views.map(toListedView) },
      redirectTo: toIssueListUrl({ query: parseIssueQuery(query, sort) }),
      flash: { kind: isDeletion ? "view-deleted" : "view-saved", count: 1 },
    } as const);
  };
  return respondToAction(c, act, { getFormPath: () => "/issues" });
}

function parseSavedViewForm(
  fields: FormFields,
): Parsed<SavedView & { readonly isDeletion: boolean }> {
  const { name: named, query = "", sort, delete: deletion, ...others } = Object.fromEntries(fields);
  if (Object.keys(others).length > 0)
    return expected("a name, a query and a sort, or a name and delete");
  const name = parseName(named, limits.maxViewNameChars);
  if (name === undefined)
    return expected(
      `a name of at most ${limits.maxViewNameChars} characters, without control characters`,
    );
  if (typeof query !== "string" || query.length > limits.maxIssueQueryChars)
    return expected(`a query of at most ${limits.maxIssueQueryChars} characters`);
  return ok({
    name,
    query: formatIssueQuery(parseIssueQuery(query)),
    sort: parseSort(typeof sort === "string" ? sort : undefined),
    isDeletion: deletion !== undefined,
  });
}

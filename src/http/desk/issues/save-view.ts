/** `POST /saved-views`: keeps the list that somebody looks at under a name, or forgets it. A plain form or JSON. */
import {
  formatIssueQuery,
  parseIssueQuery,
  parseSort,
  type SavedView,
} from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { toIssueListUrl } from "../../../ui/urls/issue-list-urls.ts";
import type { AppContext } from "../../context.ts";
import type { SavedViewFailure } from "../../failures.ts";
import { type FormFields, readFormBody } from "../../forms/form-body.ts";
import { respondToAction } from "../../forms/respond.ts";
import { parseName } from "../../forms/validators.ts";

/**
 * Takes a `name` and what the list is asked: `query` and `sort`; or `delete` in their place. Leads to that list; JSON: all views.
 * 400, 413 or 415 for what is no view; otherwise as `answerChange` says.
 */
export function saveView(c: AppContext): Promise<Response> {
  const { projectStore } = c.get("services");
  const act = async () => {
    const fields = await readFormBody(c.req.raw);
    if (!fields.ok) return fields;
    const view = parseSavedViewForm(fields.value);
    if (!view.ok) return view;
    const { name, query, sort, isDeletion } = view.value;
    const views = await projectStore.saveView(name, isDeletion ? null : { query, sort });
    const isKept = isDeletion || views.some((one) => one.name === name);
    if (!isKept) return failWith(`at most ${limits.maxSavedViews} views: delete one first`);
    return ok({
      body: { views },
      redirectTo: toIssueListUrl({ query: parseIssueQuery(query, sort) }),
      flash: { kind: isDeletion ? "view-deleted" : "view-saved", count: 1 },
    } as const);
  };
  return respondToAction(c, act, { getFormPath: () => "/issues" });
}

function parseSavedViewForm(
  fields: FormFields,
): Result<SavedView & { readonly isDeletion: boolean }, SavedViewFailure> {
  const { name: named, query = "", sort, delete: deletion, ...others } = Object.fromEntries(fields);
  if (Object.keys(others).length > 0)
    return failWith("a name, a query and a sort, or a name and delete");
  const name = parseName(named, limits.maxViewNameChars);
  if (name === undefined)
    return failWith(
      `a name of at most ${limits.maxViewNameChars} characters, no control characters`,
    );
  if (typeof query !== "string" || query.length > limits.maxIssueQueryChars)
    return failWith(`a query of at most ${limits.maxIssueQueryChars} characters`);
  return ok({
    name,
    query: formatIssueQuery(parseIssueQuery(query)),
    sort: parseSort(typeof sort === "string" ? sort : undefined),
    isDeletion: deletion !== undefined,
  });
}

function failWith(expected: string): Result<never, SavedViewFailure> {
  return fail({ reason: "bad-view", expected });
}

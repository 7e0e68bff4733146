/** `POST /views`: keeps the list that somebody looks at under a name, or forgets it. A plain form or JSON. */
import { readQuery, readSort, type SavedView, writeQuery } from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { listUrl } from "../ui/issues/list-url.ts";
import { answerChange } from "./change.ts";
import type { ViewFailure } from "./failures.ts";
import { nameIn } from "./field-values.ts";
import { type Fields, readFields } from "./fields.ts";
import type { AppContext } from "./services.ts";

/**
 * Takes a `name` and what the list is asked: `query` and `sort`; or `forget` in their place. Leads to that list; JSON: all views.
 * 400, 413 or 415 for what is no view; otherwise as `answerChange` says.
 */
export function saveView(c: AppContext): Promise<Response> {
  const { desk } = c.get("services");
  const act = async () => {
    const fields = await readFields(c.req.raw);
    if (!fields.ok) return fields;
    const view = viewOf(fields.value);
    if (!view.ok) return view;
    const { name, query, sort, isForgotten } = view.value;
    const views = await desk.saveView(name, isForgotten ? null : { query, sort });
    const isKept = isForgotten || views.some((one) => one.name === name);
    if (!isKept) return bad(`at most ${limits.maxSavedViews} views: forget one first`);
    return ok({
      said: { views },
      leadsTo: listUrl({ query: readQuery(query, sort) }),
      done: { did: isForgotten ? "forgotten" : "kept", count: 1 },
    } as const);
  };
  return answerChange(c, act, { formAt: () => "/issues" });
}

function viewOf(
  fields: Fields,
): Result<SavedView & { readonly isForgotten: boolean }, ViewFailure> {
  const { name: named, query = "", sort, forget, ...others } = Object.fromEntries(fields);
  if (Object.keys(others).length > 0)
    return bad("a name, a query and a sort, or a name and forget");
  const name = nameIn(named, limits.maxViewNameChars);
  if (name === undefined)
    return bad(`a name of at most ${limits.maxViewNameChars} characters, no control characters`);
  if (typeof query !== "string" || query.length > limits.maxIssueQueryChars)
    return bad(`a query of at most ${limits.maxIssueQueryChars} characters`);
  return ok({
    name,
    query: writeQuery(readQuery(query)),
    sort: readSort(typeof sort === "string" ? sort : undefined),
    isForgotten: forget !== undefined,
  });
}

function bad(expected: string): Result<never, ViewFailure> {
  return fail({ reason: "bad-view", expected });
}

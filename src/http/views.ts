/** `POST /views`: keeps the list that somebody looks at under a name, or forgets it. A plain form or JSON. */
import { readQuery, readSort, type SavedView, writeQuery } from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { listUrl } from "../ui/issues/list-url.ts";
import { type Failure, failureResponse } from "./failures.ts";
import { type Fields, type FieldsFailure, readFields, readsJson } from "./fields.ts";
import { isSameOrigin } from "./same-origin.ts";
import type { AppContext } from "./services.ts";

/** Why a body is no view. */
export type ViewFailure =
  | FieldsFailure
  | { readonly reason: "bad-view"; readonly expected: string };

/**
 * Takes a `name` and what the list is asked: `query` and `sort`; or `forget` in their place. 303 to that list; JSON: all views.
 * 403 for what another site sent, 400, 413 or 415 for what is no view, 503 while the index is away.
 */
export async function saveView(c: AppContext): Promise<Response> {
  const { desk, logProblem } = c.get("services");
  if (!isSameOrigin(c.req.raw)) return failureResponse({ reason: "cross-site" });
  const fields = await readFields(c.req.raw);
  const view: Result<SavedView & { readonly isForgotten: boolean }, Failure> = fields.ok
    ? viewOf(fields.value)
    : fields;
  if (!view.ok) return failureResponse(view);
  const { name, query, sort, isForgotten } = view.value;
  try {
    const views = await desk.saveView(name, isForgotten ? null : { query, sort });
    return readsJson(c)
      ? c.json({ views })
      : c.redirect(listUrl({ query: readQuery(query, sort) }), 303);
  } catch (cause) {
    logProblem(cause);
    return failureResponse({ reason: "index-unavailable" });
  }
}

function viewOf(
  fields: Fields,
): Result<SavedView & { readonly isForgotten: boolean }, ViewFailure> {
  const { name, query = "", sort, forget, ...others } = Object.fromEntries(fields);
  if (Object.keys(others).length > 0)
    return bad("a name, a query and a sort, or a name and forget");
  if (typeof name !== "string" || !isName(name.trim()))
    return bad(`a name of at most ${limits.maxViewNameChars} characters, no control characters`);
  if (typeof query !== "string" || query.length > limits.maxIssueQueryChars)
    return bad(`a query of at most ${limits.maxIssueQueryChars} characters`);
  return ok({
    name: name.trim(),
    query: writeQuery(readQuery(query)),
    sort: readSort(typeof sort === "string" ? sort : undefined),
    isForgotten: forget !== undefined,
  });
}

function isName(name: string): boolean {
  return name !== "" && name.length <= limits.maxViewNameChars && !/\p{Cc}/u.test(name);
}

function bad(expected: string): Result<never, ViewFailure> {
  return fail({ reason: "bad-view", expected });
}

/** Queries that people saved under a name. */
import * as v from "valibot";
import { limits } from "../limits.ts";
import {
  choice,
  code,
  list,
  local,
  type StoredValue,
  storedObject,
  text,
  version1,
} from "../schema/stored-object.ts";
import { ISSUE_SORTS } from "./issue-query.ts";

/** A query that people saved under a name. */
export type SavedView = StoredValue<typeof savedViewSchema>;
export const savedViewSchema = /* @__PURE__ */ storedObject({
  name: text(limits.maxViewNameChars),
  query: text(limits.maxIssueQueryChars),
  sort: choice(ISSUE_SORTS),
  /** SHA-256, in hex, of the address of its feed; absent if it has none. Not exported. */
  feedHash: local(v.optional(code())),
});

/** The saved views of a project. */
export type SavedViews = StoredValue<typeof savedViewsSchema>;
export const savedViewsSchema = /* @__PURE__ */ storedObject({
  v: version1,
  views: list(savedViewSchema),
});

/** A saved view as pages and JSON show it: without the hash of its feed's secret address. */
export type ListedView = Omit<SavedView, "feedHash"> & { readonly hasFeed?: true };

/** The view without the hash of its feed's address. */
export function toListedView({ feedHash, ...view }: SavedView): ListedView {
  return { ...view, hasFeed: feedHash === undefined ? undefined : true };
}

/** The saved views of the issue list. */

import * as v from "valibot";
import { hasRole } from "../core/accounts/actors.ts";
import { REQUIRED_ROLES } from "../core/accounts/required-roles.ts";
import { formatIssueQuery, ISSUE_SORTS, parseIssueQuery } from "../core/issue/issue-query.ts";
import { toListedView } from "../core/issue/saved-view.ts";
import { limits } from "../core/limits.ts";
import { fail, ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { issueSort, nameText } from "./inputs.ts";
import { defineOperation, defineRead } from "./operation.ts";
import { byMember } from "./provenance.ts";

const name = nameText(limits.maxViewNameChars, "a name");

export const listedViews = list(
  v.strictObject({
    name: byMember(),
    query: byMember(),
    sort: v.picklist(ISSUE_SORTS),
    hasFeed: v.optional(v.literal(true)),
  }),
);

const views = v.strictObject({ views: listedViews });

export const listViews = defineRead({
  name: "views.list",
  summary: "List the saved views of the issue list.",
  role: "viewer",
  rate: "read",
  route: "GET /views",
  input: v.strictObject({}),
  output: views,
  reasons: [],
  load: async (_, { services }) => ok(await services.projectStore.listViews()),
  toOutput: (all) => ({ views: all.map(toListedView) }),
});

const CHANGE = {
  role: REQUIRED_ROLES.triage,
  effect: "set",
  rate: "change",
  output: views,
} as const;

export const saveView = defineOperation({
  ...CHANGE,
  name: "views.save",
  summary: "Save a query of the issue list under a name.",
  route: "PUT /views/{name}",
  input: v.strictObject({
    name,
    query: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(limits.maxIssueQueryChars),
        v.description(`a query of at most ${limits.maxIssueQueryChars} characters`),
      ),
      "",
    ),
    sort: v.optional(issueSort(), "last"),
  }),
  reasons: ["view-has-feed", "too-many"],
  audit: ({ name: saved }) => ({ text: `saved the view ${saved}` }),
  messages: { "view-saved": "View saved." },
  message: () => ({ kind: "view-saved", digests: [] }),
  async run({ name: saved, query: text, sort }, { caller, services }) {
    const { projectStore } = services;
    const query = formatIssueQuery(parseIssueQuery(text));
    const before = (await projectStore.listViews()).find((one) => one.name === saved);
    // Everyone who knows the address of the feed reads what the view finds.
    const changesFeed = before?.feedHash !== undefined && before.query !== query;
    if (changesFeed && !hasRole(caller.role, "owner")) return fail({ reason: "view-has-feed" });
    const all = await projectStore.saveView(saved, { query, sort });
    if (!all.some((one) => one.name === saved))
      return fail({ reason: "too-many", limit: "maxSavedViews", max: limits.maxSavedViews });
    return ok({ views: all.map(toListedView) });
  },
});

export const deleteView = defineOperation({
  ...CHANGE,
  name: "views.delete",
  summary: "Delete a saved view of the issue list.",
  route: "DELETE /views/{name}",
  input: v.strictObject({ name }),
  reasons: [],
  audit: ({ name: deleted }) => ({ text: `deleted the view ${deleted}` }),
  messages: { "view-deleted": "View deleted." },
  message: () => ({ kind: "view-deleted", digests: [] }),
  run: async ({ name: deleted }, { services }) =>
    ok({ views: (await services.projectStore.saveView(deleted, null)).map(toListedView) }),
});

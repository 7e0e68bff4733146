/** The address of a feed is an owner's: no page shows its hash, and members do not widen it. */
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "#support/accounts/members.ts";
import { postForm } from "#support/alerts/alert-pages.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { projectStore } from "#support/store/store.ts";

let members: TestMembers;
const proofs: Record<string, Proof> = {};

beforeEach(async () => {
  members = await createMembers();
  for (const role of ["viewer", "member", "owner"] as const)
    proofs[role] = (await members.invite(role)).proof;
  await projectStore.saveView("Ours", { query: "env:production", sort: "last" });
  await projectStore.saveView("Plain", { query: "env:production", sort: "last" });
  await post("owner", "/settings/alerts/feeds", { do: "create", view: "Ours" });
});
afterEach(() => emptyStore());

const as = (role: string) => ({
  services: members.services,
  origin: ORIGIN,
  headers: {
    ...proofs[role],
    ...OWN_PAGE,
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded",
  },
});
const post = (role: string, path: string, fields: Record<string, string>) =>
  postForm(path, fields, as(role));
const saveView = (role: string, name: string, query: string) =>
  post(role, "/saved-views", { name, query, sort: "last" });

it("the hash of the address is in no answer", async () => {
  const [view] = (await projectStore.listViews()).filter(({ name }) => name === "Ours");
  expect(view?.feedHash).toMatch(/^[0-9a-f]{64}$/);
  for (const role of ["viewer", "member", "owner"]) {
    const { body } = await visit("/settings/alerts.json", as(role));
    expect(body).not.toContain(view?.feedHash);
    expect(JSON.parse(body).views).toContainEqual({
      ...{ name: "Ours", query: "env:production", sort: "last", hasFeed: true },
    });
  }
  expect((await saveView("member", "New", "")).body).not.toContain(view?.feedHash);
});

it("only owners change the query of a view with a feed", async () => {
  const { response, body } = await saveView("member", "Ours", "");
  expect([response.status, JSON.parse(body).reason]).toEqual([403, "view-has-feed"]);
  expect((await saveView("member", "Plain", "")).response.status).toBe(200);
  expect((await saveView("member", "Ours", "env:production")).response.status).toBe(200);
  expect((await saveView("owner", "Ours", "is:open")).response.status).toBe(200);
  const views = await projectStore.listViews();
  expect(views.find(({ name }) => name === "Ours")?.feedHash).toBeDefined();
});

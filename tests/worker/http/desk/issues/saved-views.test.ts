import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { asJson, encodeFields, postToList } from "#support/http/issue-list.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

describe("a saved view", () => {
  it("is stored under its name, is listed on the page, and can be deleted", async () => {
    const query = 'env:"staging" is:open';
    const saved = await postToList(
      "/saved-views",
      encodeFields(["name", " Mine "], ["query", query], ["sort", "count"]),
    );
    expect(saved.response.status).toBe(303);
    const address = saved.response.headers.get("location");
    expect(address).toBe("/issues?q=is%3Aopen+env%3A%22staging%22&sort=count");
    expect(await projectStore.listViews()).toEqual([
      { name: "Mine", query: 'is:open env:"staging"', sort: "count" },
    ]);
    const { body } = await visit(`${address}&streaming=off`);
    expect(body).toMatch(/aria-current="page"><bdi>Mine</);
    expect(body).toContain("Delete this view");
    const deleted = await postToList(
      "/saved-views",
      encodeFields(["name", "Mine"], ["delete", "1"]),
      asJson,
    );
    expect(JSON.parse(deleted.body)).toEqual({ views: [] });
    expect(await projectStore.listViews()).toEqual([]);
  });

  it.each([
    ["no name", encodeFields(["query", "x"])],
    ["a name of spaces", encodeFields(["name", "   "])],
    ["a name with a line end", encodeFields(["name", "a\nb"])],
    ["a name that is too long", encodeFields(["name", "x".repeat(limits.maxViewNameChars + 1)])],
    ["a query that is too long", encodeFields(["name", "x"], ["query", "x".repeat(501)])],
    ["an unknown field", encodeFields(["name", "x"], ["state", "open"])],
  ])("is refused with %s", async (_name, body) => {
    const { response } = await postToList("/saved-views", body);
    expect(response.status).toBe(400);
    expect(await projectStore.listViews()).toEqual([]);
  });
});

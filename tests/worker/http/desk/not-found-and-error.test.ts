import { afterEach, expect, it } from "vitest";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

afterEach(() => emptyStore());

it("a path that does not exist is a 404 page", async () => {
  const { response, body } = await visit("/nothing/here");
  expect(response.status).toBe(404);
  expect(body).toContain("Page not found");
});

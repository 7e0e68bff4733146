import { expect, it } from "vitest";
import { createApp } from "#src/app.ts";
import { NON_PAGE_ROUTES, PAGES } from "#support/http/pages.ts";

it("the weight of every page is measured", () => {
  const { routes } = createApp();
  const paths = routes
    .filter(({ method, path }) => method === "GET" && !/^\/p\/|\.json$/.test(path))
    .map(({ path }) => path);
  const named = [...Object.keys(PAGES), ...NON_PAGE_ROUTES];
  expect([...new Set(paths)].sort()).toEqual(named.sort());
});

import { expect, it } from "vitest";
import { createApp } from "../../../src/app.ts";
import { fail } from "../../../src/core/result.ts";
import { NO_PAGES, PAGES } from "../../support/pages.ts";

it("the weight of every page is measured", () => {
  const { routes } = createApp(() => fail({ reason: "bad-config", problems: [] }));
  const paths = routes
    .filter(({ method, path }) => method === "GET" && !/^\/p\/|\.json$/.test(path))
    .map(({ path }) => path);
  const named = [...Object.keys(PAGES), ...NO_PAGES];
  expect([...new Set(paths)].sort()).toEqual(named.sort());
});

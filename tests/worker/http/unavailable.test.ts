import { afterEach, expect, it } from "vitest";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { projectStore } from "#support/store/store.ts";

skipPauses();

afterEach(() => emptyStore());

const asJson = { headers: { accept: "application/json" } };

it.each([
  ["an issue", "/d/7F3K-Q2M9.json"],
  ["an issue as Markdown", "/d/7F3K-Q2M9.md"],
  ["a lookup", "/lookup.json?q=5aaeee40d56b46ecbfb342d868e140ef"],
  ["a receipt", "/e/7F3K-Q2M9.json"],
])(
  "%s is 503 for API clients while the store is unavailable, and creates no report of its own",
  async (_, path) => {
    const reject = () => Promise.reject(new Error("unavailable"));
    const unavailable = replaceMethods(projectStore, {
      getIssue: reject,
      getFreshIssue: reject,
      locateReport: reject,
      findIssuesByAlias: reject,
    });
    const { response, body } = await visit(path, { services: { projectStore: unavailable } });
    expect([response.status, JSON.parse(body).reason]).toEqual([503, "index-unavailable"]);
    expect((await projectStore.listNewestIssues()).issues).toEqual([]);
  },
);

it("the start page as JSON is 503 while the index is unavailable", async () => {
  const unavailable = replaceMethods(projectStore, {
    listNewestIssues: () => Promise.reject(new Error("unavailable")),
  });
  const { response, body } = await visit("/", {
    ...asJson,
    services: { projectStore: unavailable },
  });
  expect([response.status, JSON.parse(body).reason]).toEqual([503, "index-unavailable"]);
});

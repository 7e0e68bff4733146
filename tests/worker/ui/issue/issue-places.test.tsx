import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { parseDigest } from "#src/core/grouping/parse-digest.ts";
import type { Issue } from "#src/core/issue/issue.ts";
import { IssuePlaces } from "#src/ui/issue/sidebar/issue-places.tsx";
import { createIssue } from "#support/reports/issues.ts";
import { NOW_MS } from "#support/store/store.ts";

/** Reports of one release that fail in two places. */
const stacks = {
  values: [7, 41].map((line) => ({
    ...{ stack: `at ${line}`, count: 1, firstMs: NOW_MS, lastMs: NOW_MS },
    place: { file: "src/cart.ts", line },
  })),
  otherCount: 0,
};
const grouping = { version: 1, parts: [] };
const source = parseDigest("7F3K-Q2M9");

const render = (issue: Partial<Issue>) =>
  renderToStaticMarkup(
    <IssuePlaces issue={{ ...createIssue(), stacks, ...issue }} placeKey={undefined} />,
  );

it("the note on several places offers to split by stack", () => {
  expect(render({ grouping })).toMatch(/or <a href="#[\w-]+">split by stack<\/a>\./);
});

it.each<[string, Partial<Issue>]>([
  ["noise", { grouping, noise: "extension" }],
  [
    "the result of a split",
    { grouping: { ...grouping, ...(source.ok && { splitFrom: source.value }) } },
  ],
  ["without a grouping key", {}],
])("the note does not for an issue that is %s, which cannot be split", (_, issue) => {
  const html = render(issue);
  expect(html).toContain("give them different messages or fingerprints.");
  expect(html).not.toContain("split by stack");
});

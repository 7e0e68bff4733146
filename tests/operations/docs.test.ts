import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { MAX_QUOTED_CHARS, RATE_COSTS } from "#src/http/api/serve-api.ts";
import { OPERATIONS } from "#src/operations/operations.ts";

const page = readFileSync("src/docs/api.md", "utf8");

it("the page of the API has a row for each operation", () => {
  const rows = OPERATIONS.map(({ name, summary, route, role, rate }) =>
    ["", `\`${name}\``, summary, `\`${route}\``, role, RATE_COSTS[rate], ""].join(" | ").trim(),
  );
  const [, , ...written] = /(?:^\|.*\n)+/m.exec(page)?.[0].trim().split("\n") ?? [];
  expect(written).toEqual(rows);
});

it("the page of the API states the limit of a quoted text", () => {
  expect(page).toContain(`cut after ${MAX_QUOTED_CHARS.toLocaleString("en")} characters`);
});

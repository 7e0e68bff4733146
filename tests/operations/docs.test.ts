// The page of the API in the documentation. With `-u`, this test writes its table:
// `vitest run --config=tests/vitest.config.ts --project=core tests/operations/docs.test.ts -u`

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { MAX_QUOTED_CHARS, RATE_COSTS } from "#src/http/api/serve-api.ts";
import { TOOLS } from "#src/http/mcp/tools.ts";
import { OPERATIONS } from "#src/operations/operations.ts";

const PAGE = "src/docs/api.md";
const page = readFileSync(PAGE, "utf8");

it("has a row for each operation", async () => {
  const rows = OPERATIONS.map(({ name, summary, route, role, scope, isForPeople, rate }) => {
    const note = isForPeople ? ", no token" : scope === undefined ? "" : `, or scope \`${scope}\``;
    const cells = ["", `\`${name}\``, summary, `\`${route}\``, role + note, RATE_COSTS[rate], ""];
    return cells.join(" | ").trim();
  });
  const rest = page.replace(/(?<=^\| Operation .*\n\|---.*\n)(?:\|.*\n)*/m, "");
  const whole = rest.replace(/(?<=^\| Operation .*\n\|---.*\n)/m, () => `${rows.join("\n")}\n`);
  await expect(whole).toMatchFileSnapshot(resolve(PAGE));
  expect(whole).toContain(rows.join("\n"));
});

it("states the limit of a quoted text", () => {
  expect(page).toContain(`cut after ${MAX_QUOTED_CHARS.toLocaleString("en")} characters`);
});

const mcpPage = readFileSync("src/docs/mcp.md", "utf8");

it("the page of MCP has a row for each tool", () => {
  const rows = TOOLS.map(({ name, operation: { summary, role, rate } }) =>
    ["", `\`${name}\``, summary, role, RATE_COSTS[rate], ""].join(" | ").trim(),
  );
  const [, , ...written] = /(?:^\|.*\n)+/m.exec(mcpPage)?.[0].trim().split("\n") ?? [];
  expect(written).toEqual(rows);
});

it("the page of MCP states the limits of a result", () => {
  const { mcpResultChars, minMcpResultChars, maxMcpResultChars } = limits;
  for (const limit of [mcpResultChars, minMcpResultChars, maxMcpResultChars])
    expect(mcpPage).toContain(limit.toLocaleString("en"));
});

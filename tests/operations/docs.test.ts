import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { MAX_QUOTED_CHARS, RATE_COSTS } from "#src/http/api/serve-api.ts";
import { TOOLS } from "#src/http/mcp/tools.ts";
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

// The lines that /connect shows for an adapter or an agent are those of its page in the documentation,
// with the address of the project.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listAdapterIntegrations } from "#src/ui/setup/adapter-integrations.ts";
import { listAgentIntegrations } from "#src/ui/setup/agent-snippets.ts";

const address = { origin: "https://errata.example", project: "1", key: "public" };

/** The lines of code, without the names of files, comments and imports that differ by place. */
function listLines(code: string): readonly string[] {
  return code
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("//"));
}

const snippets = listAdapterIntegrations(address).flatMap(({ id, snippets: shown }) =>
  shown.map(({ file, code }) => ({ id, file, code })),
);

describe("the lines of an adapter on the connect page", () => {
  it.each(snippets)("are in the documentation: $id, $file", ({ id, code }) => {
    const pages = [id, "adapters"].map((page) => readFileSync(`src/docs/${page}.md`, "utf8"));
    const documented = new Set(listLines(pages.join("\n")).map(withoutKey));
    expect(listLines(code).filter((line) => !documented.has(withoutKey(line)))).toEqual([]);
  });
});

it("the lines of each agent on the connect page are in the documentation", () => {
  const documented = new Set(listLines(readFileSync("src/docs/mcp.md", "utf8")));
  for (const { name, snippets: shown } of listAgentIntegrations(address.origin, ""))
    for (const { code } of shown)
      expect(
        listLines(code).filter((line) => !documented.has(line)),
        name,
      ).toEqual([]);
});

/** The documentation shows no key that a person could copy. */
function withoutKey(line: string): string {
  return line.replace(/errata_server_…|ERRATA_SERVER_KEY/, "KEY").replace(/\s+#.*$/, "");
}

/** How agents connect to `/mcp`: the lines for each client, with the address filled in. */
import type { Integration } from "./integration.ts";

/** Agents read the token from the environment, so that no file has it. */
const TOKEN_VARIABLE = "ERRATA_TOKEN";

/** The clients. `base` is the path of the project. */
export function listAgentIntegrations(origin: string, base: string): readonly Integration[] {
  const url = `${origin}${base}/mcp`;
  return [
    {
      id: "claude-code",
      name: "Claude Code",
      description: "For you in every repository, or for everyone who works in this one.",
      snippets: [
        {
          file: "terminal",
          code: `claude mcp add --transport http errata ${url} --header "Authorization: Bearer $${TOKEN_VARIABLE}"`,
        },
        {
          file: ".mcp.json",
          code: toJson({
            mcpServers: { errata: { type: "http", url, headers: toHeaders(TOKEN_VARIABLE) } },
          }),
        },
      ],
    },
    {
      id: "cursor",
      name: "Cursor",
      description: "In the repository, or in your home folder.",
      snippets: [
        {
          file: ".cursor/mcp.json",
          code: toJson({
            mcpServers: { errata: { url, headers: toHeaders(`env:${TOKEN_VARIABLE}`) } },
          }),
        },
      ],
    },
    {
      id: "vscode",
      name: "VS Code",
      description: "Asks for the token once, and keeps it.",
      snippets: [
        {
          file: ".vscode/mcp.json",
          code: toJson({
            inputs: [{ id: "errata", type: "promptString", description: "Token", password: true }],
            servers: { errata: { type: "http", url, headers: toHeaders("input:errata") } },
          }),
        },
      ],
    },
    {
      id: "codex",
      name: "Codex",
      description: "For you in every repository.",
      snippets: [
        {
          file: "terminal",
          code: `codex mcp add errata --url ${url} --bearer-token-env-var ${TOKEN_VARIABLE}`,
        },
      ],
    },
  ];
}

function toHeaders(variable: string) {
  return { Authorization: `Bearer \${${variable}}` };
}

function toJson(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** Requests to `/mcp` as clients of both eras send them. */
import { type VisitOptions, visit } from "./visit.ts";

/** The version without a handshake, and the newest one with. */
export const MODERN = "2026-07-28";
export const LEGACY = "2025-11-25";

export interface McpOptions extends Omit<VisitOptions, "body" | "headers"> {
  readonly version?: string;
  readonly path?: string;
  /** Added to the headers of the era; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** In place of the members of the era. */
  readonly meta?: object;
}

const META = "io.modelcontextprotocol/";

/** The body and headers of a request of an era. */
export function createMcpRequest(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  { version = MODERN, headers = {}, meta }: McpOptions = {},
) {
  const isModern = version === MODERN;
  const name = params.name ?? params.uri;
  const ofEra: Readonly<Record<string, string | null>> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": version,
    ...(isModern && { "mcp-method": method }),
    ...(isModern && typeof name === "string" && { "mcp-name": name }),
    ...headers,
  };
  const _meta = meta ?? {
    [`${META}protocolVersion`]: version,
    [`${META}clientCapabilities`]: {},
    [`${META}clientInfo`]: { name: "test-client", version: "1" },
  };
  return {
    body: { jsonrpc: "2.0", id: 1, method, params: isModern ? { ...params, _meta } : params },
    headers: Object.fromEntries(
      Object.entries(ofEra).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
    ),
  };
}

/** The response to a request, with its JSON. */
export async function callMcp(
  method: string,
  params?: Readonly<Record<string, unknown>>,
  options: McpOptions = {},
) {
  const { body, headers } = createMcpRequest(method, params, options);
  return postMcp(body, { ...options, headers });
}

/** The response to any body. */
export async function postMcp(
  body: unknown,
  { path = "/mcp", version: _, meta: _meta, headers = {}, ...init }: McpOptions = {},
) {
  const visited = await visit(path, {
    method: "POST",
    ...init,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
    ),
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const { response, body: text } = visited;
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  return { response, status: response.status, text, json: isJson ? JSON.parse(text) : null };
}

/** The result of a tool: its text and structured content. Fails if there is none. */
export async function callTool(
  name: string,
  input: Readonly<Record<string, unknown>> = {},
  options: McpOptions = {},
) {
  const { json, text } = await callMcp("tools/call", { name, arguments: input }, options);
  if (json?.result === undefined) throw new Error(text);
  const { content, structuredContent, isError } = json.result;
  return {
    text: content.map((part: { text: string }) => part.text).join("\n") as string,
    data: structuredContent,
    isError: isError === true,
  };
}

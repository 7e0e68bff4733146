/**
 * `errata mcp`: the MCP server of Errata over standard input and output, for clients that cannot
 * send a header. Each line is a message of JSON-RPC, and goes to `/mcp` as it is.
 */
import { getToken, toProjectPath } from "./api-client.ts";
import { CommandFailure } from "./failure.ts";
import type { Target } from "./settings.ts";

/** The largest message that the server reads. */
const MAX_LINE_CHARS = 64 * 1024;
const INTERNAL_ERROR = -32603;
const PARSE_ERROR = -32700;

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>> | null;
}

/** Ends with the input. Messages are answered in any order, as the protocol allows. */
export async function runBridge(
  target: Target,
  input: NodeJS.ReadableStream,
  write: (line: string) => void,
): Promise<void> {
  const pending = new Set<Promise<void>>();
  for await (const line of readLines(input)) {
    if (line.trim() === "") continue;
    const answered = answer(target, line).then((text) => {
      if (text !== undefined) write(`${text}\n`);
    });
    pending.add(answered);
    void answered.finally(() => pending.delete(answered));
  }
  await Promise.allSettled(pending);
}

/** Only line feeds end a line: JSON may have other separators (U+2028), at which readline splits. */
async function* readLines(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of input.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    // The rest of a line that is too long need not be known.
    rest = (lines.pop() ?? "").slice(0, MAX_LINE_CHARS + 1);
    yield* lines;
  }
  yield rest;
}

/** The answer to a line; undefined for a notification. */
async function answer(target: Target, line: string): Promise<string | undefined> {
  const message = parse(line);
  if (message === undefined || line.length > MAX_LINE_CHARS)
    return createError(null, PARSE_ERROR, "Expected a JSON object of at most 64 KB in one line.");
  const { id, method, params } = message;
  try {
    const response = await fetch(`${target.url}${toProjectPath(target)}/mcp`, {
      method: "POST",
      redirect: "error",
      headers: { ...createHeaders(await getToken(target)), ...createMirrors(method, params) },
      body: line,
    });
    const text = (await response.text()).trim();
    if (id === undefined) return undefined;
    if (isAnswer(text)) return text.replaceAll("\n", " ");
    const detail = readDetail(text);
    const sentence = typeof detail === "string" ? ` ${detail}` : "";
    return createError(id, INTERNAL_ERROR, `Errata answered ${response.status}.${sentence}`);
  } catch (error) {
    if (id === undefined) return undefined;
    const isKnown = error instanceof CommandFailure;
    const sentence = isKnown ? error.message : `${target.url} cannot be reached.`;
    return createError(id, INTERNAL_ERROR, sentence);
  }
}

function parse(line: string): Message | undefined {
  try {
    const json: unknown = JSON.parse(line);
    return typeof json === "object" && json !== null && !Array.isArray(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** The sentence of a failure before JSON-RPC: of a token that has expired, of a limit. */
function readDetail(text: string): unknown {
  const problem = parse(text);
  return problem === undefined ? undefined : Reflect.get(problem, "detail");
}

function isAnswer(text: string): boolean {
  const message = parse(text);
  return message !== undefined && Object.hasOwn(message, "jsonrpc");
}

function createHeaders(token: string | undefined): Record<string, string> {
  return {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "User-Agent": `errata-cli/${ERRATA_CLI_VERSION}`,
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
}

const VERSION = "io.modelcontextprotocol/protocolVersion";

/** The headers that repeat the body (MCP 2026-07-28, "Streamable HTTP"). Older clients have none. */
function createMirrors(
  method: unknown,
  params: Message["params"],
): Readonly<Record<string, string>> {
  const { _meta: meta, name, uri } = params ?? {};
  const version: unknown = typeof meta === "object" && meta !== null && Reflect.get(meta, VERSION);
  if (typeof version !== "string" || typeof method !== "string") return {};
  const target = typeof name === "string" ? name : typeof uri === "string" ? uri : undefined;
  return {
    "Mcp-Protocol-Version": encodeHeader(version),
    "Mcp-Method": encodeHeader(method),
    ...(target !== undefined && { "Mcp-Name": encodeHeader(target) }),
  };
}

/** Other characters than printable ASCII are in base64, as the protocol says. */
function encodeHeader(value: string): string {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?")
    ? value
    : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

function createError(id: unknown, code: number, text: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: text } });
}

/**
 * Messages of the Model Context Protocol over HTTP, without sessions, in both of its eras: the modern
 * one (2026-07-28), in which each request states its version and capabilities, and the earlier
 * versions with a handshake, which Errata answers and forgets. Pure.
 *
 * Sources: modelcontextprotocol.io, specification 2026-07-28, basic and transports (Streamable
 * HTTP); 2025-11-25 and before, lifecycle and transports; JSON-RPC 2.0.
 */
import { asRecord, asText } from "../../core/decode/as-type.ts";
import { fail, ok, type Result } from "../../core/result.ts";

/** The versions without a handshake, which `server/discover` lists. */
export const MODERN_VERSIONS: readonly string[] = ["2026-07-28"];
/** The versions with a handshake, newest first. */
const LEGACY_VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/** Members of `_meta` that the protocol defines. */
export const META = "io.modelcontextprotocol/";

/** Codes of errors: JSON-RPC 2.0 § 5.1, and those of MCP. */
export const RPC_CODES = {
  parse: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
  /** Of MCP before 2026-07-28, in place of `invalidParams`. */
  legacyUnknownResource: -32_002,
} as const;

type RpcId = string | number;
type Fields = Readonly<Record<string, unknown>>;

/** A request that has the form of its era. */
export interface McpRequest {
  readonly kind: "request";
  readonly isModern: boolean;
  readonly id: RpcId;
  readonly method: string;
  readonly params: Fields;
  /** The name of the client's program, as it says. */
  readonly program?: string | undefined;
}

/** A message; a notification gets no answer. */
type McpMessage = McpRequest | { readonly kind: "notification" };

/** An error as JSON-RPC has it, with the status of its response. */
export interface RpcFailure {
  readonly reason: "rpc";
  readonly status: number;
  readonly id: RpcId | null;
  readonly code: number;
  /** A sentence that quotes nothing of the request. */
  readonly message: string;
  readonly data?: object;
}

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

/** The message of a parsed body. */
export function readMessage(body: unknown, headers: Headers): Result<McpMessage, RpcFailure> {
  const message = Array.isArray(body) ? undefined : asRecord(body);
  const method = asText(message?.method);
  const rawId = message?.id;
  const isId = typeof rawId === "string" || Number.isSafeInteger(rawId);
  if (message?.jsonrpc !== "2.0" || method === undefined || (rawId !== undefined && !isId))
    return refuse(null, "invalidRequest", "Expected one JSON-RPC 2.0 request, not a batch.");
  if (rawId === undefined) return ok({ kind: "notification" });
  const id = rawId as RpcId;
  const params = message.params === undefined ? {} : asRecord(message.params);
  if (params === undefined) return refuse(id, "invalidParams", "Expected params to be an object.");
  const meta = asRecord(params._meta) ?? {};
  const stated = meta[`${META}protocolVersion`];
  const header = headers.get("mcp-protocol-version");
  const isModern = stated !== undefined || MODERN_VERSIONS.includes(header ?? "");
  const problem = isModern
    ? checkModern({ id, method, params, meta }, headers)
    : checkLegacy(id, method, header);
  if (problem !== null) return problem;
  const program = readProgram(meta, headers);
  return ok({ kind: "request", isModern, id, method, params, program });
}

/** Every request repeats its version, method and name in headers, for proxies. */
function checkModern(
  { id, method, params, meta }: { id: RpcId; method: string; params: Fields; meta: Fields },
  headers: Headers,
) {
  const version = meta[`${META}protocolVersion`];
  const header = headers.get("mcp-protocol-version");
  if (version === undefined)
    return refuse(id, "invalidParams", "Expected _meta with protocolVersion.");
  if (header === null || header !== version)
    return refuse(id, "headerMismatch", "Expected MCP-Protocol-Version to be that of the body.");
  if (!MODERN_VERSIONS.includes(header)) return refuseVersion(id, header);
  if (asRecord(meta[`${META}clientCapabilities`]) === undefined)
    return refuse(id, "invalidParams", "Expected _meta with clientCapabilities.");
  if (headers.get("mcp-method") !== method)
    return refuse(id, "headerMismatch", "Expected Mcp-Method to be that of the body.");
  const nameParam = NAMED_BY.get(method);
  if (nameParam === undefined) return null;
  const name = headers.get("mcp-name");
  return name === null || decodeHeader(name) !== params[nameParam]
    ? refuse(id, "headerMismatch", "Expected Mcp-Name to be that of the body.")
    : null;
}

/** Without a header, the version is the one before there was one. The handshake decides for itself. */
function checkLegacy(id: RpcId, method: string, header: string | null) {
  const isKnown = header === null || LEGACY_VERSIONS.includes(header);
  return method === "initialize" || isKnown ? null : refuseVersion(id, header);
}

/** A header value; `=?base64?…?=` for text that a header cannot hold. Null if that is invalid. */
function decodeHeader(value: string): string | null {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  if (encoded === undefined) return value;
  try {
    const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}

/** Names of programs, as in `User-Agent`: audit logs show them. */
const PROGRAM = /^[\w.+-]{1,40}/;

function readProgram(meta: Fields, headers: Headers): string | undefined {
  const stated = asText(asRecord(meta[`${META}clientInfo`])?.name);
  const [program] = PROGRAM.exec(stated ?? headers.get("user-agent") ?? "") ?? [];
  return program;
}

/** The version that answers a handshake: the one that was asked for, if it is known. */
export function chooseVersion(asked: unknown): string {
  const [newest = ""] = LEGACY_VERSIONS;
  return LEGACY_VERSIONS.find((version) => version === asked) ?? newest;
}

/** A refused message. */
export function refuse(
  id: RpcId | null,
  code: keyof typeof RPC_CODES,
  message: string,
  { status = 400, data }: { readonly status?: number; readonly data?: object } = {},
) {
  const failure: RpcFailure = { reason: "rpc", status, id, code: RPC_CODES[code], message, data };
  return fail(failure);
}

function refuseVersion(id: RpcId, requested: string) {
  // A client that asks for no version at all is told the same.
  const data = { supported: MODERN_VERSIONS, requested: requested.slice(0, 40) };
  return refuse(id, "unsupportedVersion", "Expected a supported version of the protocol.", {
    data,
  });
}

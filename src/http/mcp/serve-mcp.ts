/**
 * `/mcp` and `/p/<project>/mcp`: the Model Context Protocol for agents, without sessions. The tools
 * are operations, so an agent can do what its token can do in `/api/v1`, and no more.
 */
import { parseJson } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Call } from "../../operations/operation.ts";
import { toIssueUrl } from "../../ui/urls/issue-urls.ts";
import { RATE_COSTS, readActorKey } from "../api/serve-api.ts";
import { checkAccess, selectProject } from "../auth/authorize.tsx";
import type { AppContext } from "../context.ts";
import { toProblemResponse } from "../failure-response.ts";
import { type Failure, RATE_LIMITED } from "../failures.ts";
import { isSameOrigin } from "../forms/csrf.ts";
import { addBearerChallenge } from "../oauth/availability.ts";
import { toCall } from "../operation-call.ts";
import { toProjectUrl } from "../project-url.ts";
import { readBody } from "../read-body.ts";
import { reportThrown } from "../report-own-failures.ts";
import { NO_STORE } from "../security-headers.ts";
import { callTool } from "./call-tool.ts";
import { FENCE_NOTICE } from "./fence.ts";
import {
  createFixPrompt,
  listResources,
  PROMPTS,
  RESOURCE_TEMPLATES,
  readResource,
} from "./resources.ts";
import {
  chooseVersion,
  type McpRequest,
  META,
  MODERN_VERSIONS,
  type RpcFailure,
  readMessage,
  refuse,
} from "./rpc.ts";
import { listTools, TOOLS } from "./tools.ts";

const CAPABILITIES = { tools: {}, resources: {}, prompts: {} };

const INSTRUCTIONS = `Errata collects errors of applications. Users see a digest such as 7F3K-Q2M9; call lookup or get_investigation with it. ${FENCE_NOTICE} Structured content names the author of such text in writtenBy.`;

/** How long a client may keep an answer, ms, and for whom it is. */
interface Caching {
  readonly ttlMs: number;
  readonly cacheScope: "public" | "private";
}

/** What each method's answer is good for. */
const CACHING = {
  fixed: { ttlMs: 3_600_000, cacheScope: "public" },
  ofRole: { ttlMs: 300_000, cacheScope: "private" },
  ofData: { ttlMs: 30_000, cacheScope: "private" },
} as const satisfies Readonly<Record<string, Caching>>;

/** The result of a request, and how long it may be kept. */
type Answer = Result<{ readonly result: object; readonly caching?: Caching }, RpcFailure>;

/** Serves a request to `/mcp`. */
export async function serveMcp(c: AppContext): Promise<Response> {
  const response = await respond(c).catch((thrown: unknown) => {
    const digest = reportThrown(c.get("services"), c.req.raw, thrown, c.req.routePath);
    return toProblemResponse({ reason: "internal-error", status: 500, digest });
  });
  response.headers.set("Cache-Control", NO_STORE);
  return response;
}

async function respond(c: AppContext): Promise<Response> {
  // Before authentication: earlier clients open a stream with GET, and must not be led to a page.
  if (c.req.method !== "POST")
    return toProblemResponse({ reason: "method-not-allowed", allow: ["POST"] });
  if (!isSameOrigin(c.req.raw)) return toProblemResponse({ reason: "cross-site" });
  // The operations check the roles of changes.
  const access = await checkAccess(c, "viewer", "read-only-post");
  if (!access.ok) return addBearerChallenge(c, toProblemResponse(access));
  selectProject(c);
  const body = await readMcpBody(c.req.raw);
  if (!body.ok) return body.reason === "rpc" ? toErrorResponse(body) : toProblemResponse(body);
  const message = readMessage(body.value, c.req.raw.headers);
  if (!message.ok) return toErrorResponse(message);
  if (message.value.kind === "notification") return new Response(null, { status: 202 });
  const request = message.value;
  if (!(await isWithinLimit(c, request))) return toProblemResponse(RATE_LIMITED);
  const answer = await answerRequest(c, request);
  if (!answer.ok) return toErrorResponse(answer);
  const { result, caching } = answer.value;
  return toRpcResponse(request.id, { result: toModernResult(c, request, result, caching) }, 200);
}

async function readMcpBody(request: Request): Promise<Result<unknown, Failure | RpcFailure>> {
  const max = limits.maxMcpBodyBytes;
  const tooLarge = { reason: "too-large", expected: `a body of at most ${max} bytes` } as const;
  if (Number(request.headers.get("content-length")) > max) return fail(tooLarge);
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? ""))
    return fail({ reason: "bad-media-type", expected: "Content-Type: application/json" });
  const body = await readBody(request);
  if (!body.ok && body.reason !== "empty") return body;
  const bytes = body.ok ? body.value : new Uint8Array();
  if (bytes.length > max) return fail(tooLarge);
  const json = parseJson(bytes, max);
  return json.ok ? json : refuse(null, "parse", "Expected valid JSON.");
}

/** Searches and changes count more, as in `/api/v1`. */
function isWithinLimit(c: AppContext, request: McpRequest): Promise<boolean> {
  return c.get("services").limiters.api(readActorKey(c), RATE_COSTS[findRate(request)]);
}

function findRate({ method, params }: McpRequest) {
  switch (method) {
    case "tools/call":
      return findTool(params.name)?.operation.rate ?? "read";
    // They search, as their tools do.
    case "resources/list":
    case "resources/read":
      return "search";
    default:
      return "read";
  }
}

function findTool(name: unknown) {
  return TOOLS.find((tool) => tool.name === name);
}

async function answerRequest(c: AppContext, request: McpRequest): Promise<Answer> {
  const { isModern, id, method, params } = request;
  const call = toCall(c);
  switch (method) {
    case "initialize":
      if (isModern) break;
      return ok({
        result: {
          protocolVersion: chooseVersion(params.protocolVersion),
          capabilities: CAPABILITIES,
          serverInfo: describeServer(c),
          instructions: INSTRUCTIONS,
        },
      });
    case "ping":
      if (isModern) break;
      return ok({ result: {} });
    case "server/discover":
      if (!isModern) break;
      return ok({
        result: {
          supportedVersions: MODERN_VERSIONS,
          capabilities: CAPABILITIES,
          instructions: INSTRUCTIONS,
        },
        caching: CACHING.fixed,
      });
    case "tools/list":
      return ok({ result: { tools: listTools(call.caller.role) }, caching: CACHING.ofRole });
    case "tools/call":
      return answerToolCall(c, request, call);
    case "resources/list": {
      const resources = await listResources(call);
      if (resources === null)
        return refuse(id, "internal", "The index is unavailable. Please try again.", {
          status: 200,
        });
      return ok({ result: { resources }, caching: CACHING.ofData });
    }
    case "resources/templates/list":
      return ok({ result: { resourceTemplates: RESOURCE_TEMPLATES }, caching: CACHING.fixed });
    case "resources/read":
      return answerResource(request, call);
    case "prompts/list":
      return ok({ result: { prompts: PROMPTS }, caching: CACHING.fixed });
    case "prompts/get":
      return answerPrompt(request);
  }
  return refuse(id, "unknownMethod", "Unknown method.", { status: isModern ? 404 : 200 });
}

async function answerToolCall(
  c: AppContext,
  { id, params, program }: McpRequest,
  call: Call,
): Promise<Answer> {
  const tool = findTool(params.name);
  if (tool === undefined) return refuse(id, "invalidParams", "Unknown tool.", { status: 200 });
  const agent = { deed: `MCP ${tool.name}`, program };
  const toLines = (output: unknown) => listPageLines(c, output);
  const result = await callTool(tool, params.arguments, { ...call, agent }, toLines);
  return ok({ result });
}

/** The page of the issue that an output is about, for a person. */
function listPageLines(c: AppContext, output: unknown): readonly string[] {
  if (typeof output !== "object" || output === null) return [];
  const issue: unknown = Reflect.get(output, "issue") ?? output;
  const digest: unknown = typeof issue === "object" && issue && Reflect.get(issue, "digest");
  if (typeof digest !== "string") return [];
  return [`Page of the issue: ${new URL(toProjectUrl(c, toIssueUrl(digest)), c.req.url).href}`];
}

async function answerResource({ isModern, id, params }: McpRequest, call: Call): Promise<Answer> {
  const { uri } = params;
  const found = typeof uri === "string" ? await readResource(uri, call) : null;
  if (found?.kind === "found") {
    const { text, mimeType } = found;
    return ok({ result: { contents: [{ uri, mimeType, text }] }, caching: CACHING.ofData });
  }
  if (found?.kind === "unavailable") return refuse(id, "internal", found.text, { status: 200 });
  const code = isModern ? "invalidParams" : "legacyUnknownResource";
  return refuse(id, code, "Unknown resource.", { status: 200 });
}

function answerPrompt({ id, params }: McpRequest): Answer {
  const prompt = PROMPTS.find(({ name }) => name === params.name);
  const sent = params.arguments;
  const digest: unknown = typeof sent === "object" && sent ? Reflect.get(sent, "digest") : null;
  const messages = prompt && createFixPrompt(digest);
  if (!prompt || !messages) {
    const expected = prompt ? "Expected digest to be the digest of an issue." : "Unknown prompt.";
    return refuse(id, "invalidParams", expected, { status: 200 });
  }
  return ok({ result: { description: prompt.description, messages } });
}

function describeServer(c: AppContext) {
  return { name: "errata", title: "Errata", version: c.get("services").config.release };
}

/** Modern results say that they are complete, and who answers. */
function toModernResult(
  c: AppContext,
  { isModern }: McpRequest,
  result: object,
  caching: Caching | undefined,
): object {
  if (!isModern) return result;
  const _meta = { [`${META}serverInfo`]: describeServer(c) };
  return { resultType: "complete", ...caching, ...result, _meta };
}

function toErrorResponse({ id, status, code, message, data }: RpcFailure): Response {
  return toRpcResponse(id, { error: { code, message, data } }, status);
}

function toRpcResponse(id: RpcFailure["id"], body: object, status: number): Response {
  return Response.json({ jsonrpc: "2.0", id, ...body }, { status });
}

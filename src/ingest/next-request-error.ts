/**
 * Parses the arguments of Next.js' `instrumentation.onRequestError(error, request, context)`,
 * posted as JSON. Two shapes: the one of the Next.js documentation, with the error's members at the
 * top, and one with the three arguments as members.
 *
 *     {"message":"…","digest":"1260811685","request":{…},"context":{…}}
 *     {"error":{"name":"TypeError","message":"…","stack":"…"},"request":{…},"context":{…}}
 *
 * `debugIds` beside them are the debug ids of the server's scripts (`globalThis._debugIds`).
 * Source: nextjs.org/docs › instrumentation.js › onRequestError; next 16.4
 * server/instrumentation/types.d.ts.
 */
import { asRecord, asText, asTextPairs } from "../core/decode/as-type.ts";
import { limits } from "../core/limits.ts";
import { ok } from "../core/result.ts";
import { createDebugMeta } from "./decode/debug-ids.ts";
import { extractCodes } from "./decode/foreign-codes.ts";
import { createReportRequest } from "./decode/http-request.ts";
import { parseStackFrames } from "./decode/stack-frames.ts";
import { createTags } from "./decode/tags.ts";
import { trackTruncations } from "./decode/truncations.ts";
import { toUrlPath } from "./decode/urls.ts";
import {
  type IngestFormat,
  type ParsedItem,
  respondWithCodes,
  toInvalidItem,
  toReportItem,
} from "./format/ingest-format.ts";

const ITEM = "request-error";

export const next: IngestFormat = {
  name: "next",
  expects: "a Next.js onRequestError body",
  reportFormat: "next",
  items: [ITEM],
  /** An error besides the request and the context. */
  detect(fields) {
    const hasError = "error" in fields || "message" in fields;
    const context = asRecord(fields.context) ?? asRecord(fields.request);
    return hasError && ("context" in fields || "error" in fields) && context !== undefined;
  },
  parse: ({ value }) => ok({ items: parseNextRequestError(value) }),
  respond: respondWithCodes,
};

/** Parses one call. Invalid without a message. */
export function parseNextRequestError(value: unknown): readonly ParsedItem[] {
  const fields = asRecord(value);
  if (fields === undefined) return [toInvalidItem(ITEM, "not-an-object", `${ITEM}: a JSON object`)];
  const thrown = asRecord(fields.error) ?? { ...fields, message: fields.error ?? fields.message };
  const truncations = trackTruncations();
  const message = truncations.limitText("message", thrown.message, limits.maxMessageChars);
  const stack = truncations.limitText("stack", thrown.stack, limits.maxStackChars);
  if (message === undefined && stack === undefined)
    return [toInvalidItem(ITEM, "missing-field", `${ITEM}: a message, at the top or in error`)];
  const context = asRecord(fields.context) ?? {};
  const request = asRecord(fields.request) ?? {};
  const { path, method, headers } = request;
  const route =
    asText(context.routePath) ?? (typeof path === "string" ? toUrlPath(path) : undefined);
  const rayId = asTextPairs(headers).find(([name]) => name.toLowerCase() === "cf-ray")?.[1];
  const frames = parseStackFrames(stack, truncations);
  const debugMeta = createDebugMeta(fields.debugIds, frames);
  return [
    toReportItem(ITEM, {
      kind: "error",
      side: "server",
      format: "next",
      type:
        truncations.limitText("type", thrown.name ?? parseErrorName(stack), limits.maxTypeChars) ??
        "Error",
      message: message ?? "",
      level: "error",
      frames,
      ...extractCodes([thrown.digest ?? fields.digest]),
      stack,
      detail: debugMeta && { debug_meta: debugMeta },
      request: createReportRequest({ method, url: path, route, headers }, truncations),
      rayId: truncations.limitText("rayId", rayId, limits.maxTypeChars),
      tags: createTags(
        CONTEXT_TAGS.map((name) => [name, asText(context[name])]),
        truncations,
      ),
      truncated: truncations.listNames(),
    }),
  ];
}

/** `TypeError` from the first line of a V8 stack, if the sender gave no name. */
function parseErrorName(stack: string | undefined): string | undefined {
  return /^([A-Z]\w{0,80}Error)\b/.exec(stack ?? "")?.[1];
}

const CONTEXT_TAGS = ["routerKind", "routeType", "renderSource", "renderType", "revalidateReason"];

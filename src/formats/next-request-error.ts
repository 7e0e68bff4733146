/**
 * What Next.js' `instrumentation.onRequestError(error, request, context)` was called with, posted as JSON. Two shapes: the
 * one of Next's documentation, with the error's members at the top, and one that keeps the three arguments apart.
 *
 *     {"message":"…","digest":"1260811685","request":{…},"context":{…}}
 *     {"error":{"name":"TypeError","message":"…","digest":"…","stack":"…"},"request":{…},"context":{…}}
 *
 * Source: nextjs.org/docs › instrumentation.js › onRequestError; next 16.4 server/instrumentation/types.d.ts.
 */
import { controlFlowName } from "../core/control-flow.ts";
import { limits } from "../core/limits.ts";
import type { Parsed } from "../core/outcome.ts";
import { present } from "../core/present.ts";
import { createCuts } from "./cuts.ts";
import { pairsOf, recordOf, textOf } from "./decode.ts";
import { codesOf } from "./foreign-codes.ts";
import { stackFrames } from "./frames.ts";
import { drafted, dropped, invalid } from "./parsed.ts";
import { requestOf } from "./request.ts";
import { tagsOf } from "./tags.ts";
import { pathOf } from "./urls.ts";

const ITEM = "request-error";

/** What becomes of one call. Invalid without a message; what steers the render is no failure. */
export function parseNextRequestError(value: unknown): readonly Parsed[] {
  const fields = recordOf(value);
  if (fields === undefined) return [invalid(ITEM, "not-an-object", `${ITEM}: a JSON object`)];
  const thrown = recordOf(fields.error) ?? { ...fields, message: fields.error ?? fields.message };
  const cuts = createCuts();
  const message = cuts.text("message", thrown.message, limits.maxMessageChars);
  const stack = cuts.text("stack", thrown.stack, limits.maxStackChars);
  if (message === undefined && stack === undefined) {
    return [invalid(ITEM, "missing-field", `${ITEM}: a message, at the top or in error`)];
  }
  const digest = thrown.digest ?? fields.digest;
  if (controlFlowName(textOf(digest) ?? "") !== undefined) return [dropped(ITEM, "control-flow")];

  const context = recordOf(fields.context) ?? {};
  const request = recordOf(fields.request) ?? {};
  const { path, method, headers } = request;
  const route = textOf(context.routePath) ?? (typeof path === "string" ? pathOf(path) : undefined);
  const rayId = pairsOf(headers).find(([name]) => name.toLowerCase() === "cf-ray")?.[1];
  return [
    drafted(ITEM, {
      kind: "error",
      side: "server",
      format: "next",
      type: cuts.text("type", thrown.name ?? nameIn(stack), limits.maxTypeChars) ?? "Error",
      message: message ?? "",
      level: "error",
      frames: stackFrames(stack, cuts),
      ...codesOf([digest]),
      ...present({
        stack,
        request: requestOf({ method, url: path, route, headers }, cuts),
        rayId: cuts.text("rayId", rayId, limits.maxTypeChars),
        tags: tagsOf(
          CONTEXT_TAGS.map((name) => [name, textOf(context[name])]),
          cuts,
        ),
        cut: cuts.names(),
      }),
    }),
  ];
}

/** `TypeError` from a V8 stack's first line, where the sender gave no name. */
function nameIn(stack: string | undefined): string | undefined {
  return /^([A-Z]\w{0,80}Error)\b/.exec(stack ?? "")?.[1];
}

const CONTEXT_TAGS = ["routerKind", "routeType", "renderSource", "renderType", "revalidateReason"];

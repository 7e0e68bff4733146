/** The responses of a Hono application to failures, and the headers of its pages. */

import { createFailureAnswer, isFailureStatus } from "./failure-answer.ts";
import {
  getServed,
  type HonoContext,
  isAborted,
  nameFailure,
  ThrownValue,
  toThrown,
} from "./hono-context.ts";
import { createNoticeHtml } from "./notice.ts";
import { createPageHeaders, readOrigin } from "./page-headers.ts";
import { fitNotice, type NewHeader } from "./page-policy.ts";
import type { Named } from "./server.ts";

/** A handler of errors, which `app.onError` takes. */
export type ErrorHandler = (error: Error, c: HonoContext) => Response | Promise<Response>;

const POLICY = "content-security-policy";

/** Hono's own handler, with the notice or problem details instead of its text. */
export function answerError(error: Error, c: HonoContext): Response {
  const { getResponse } = error as { readonly getResponse?: () => Response };
  if (typeof getResponse === "function") {
    const response = getResponse.call(error);
    return c.newResponse(response.body, response);
  }
  console.error(toThrown(error));
  if (isAborted(c)) return new Response(null, { status: 500 });
  const { body, headers } = createFailureAnswer(nameFailure(error, c), 500, toReader(c));
  getServed(c).noticePolicy = headers[POLICY];
  return c.body(body, 500, { ...headers });
}

/**
 * The response to a thrown value for which Hono does not call the application's handler, or not
 * before this adapter: what is no error, and what `app.notFound` throws.
 */
export async function answerThrown(
  thrown: unknown,
  c: HonoContext,
  handleError: ErrorHandler,
): Promise<Response> {
  const isError = thrown instanceof Error;
  // Hono has asked the handler before, and the handler threw it.
  if (isError && c.error !== undefined) {
    c.error = thrown;
    return answerError(thrown, c);
  }
  const error = isError ? thrown : new ThrownValue(thrown);
  c.error = error;
  try {
    return await handleError(error, c);
  } catch {
    return answerError(error, c);
  }
}

/** Names the failure behind a response, and adds the facts of a page to its headers. */
export async function completeResponse(c: HonoContext): Promise<void> {
  const { error, res } = c;
  const request = getServed(c);
  request.status = res.status;
  const isFailed = error !== undefined && isFailureStatus(res.status) && !isAborted(c);
  // An error that the application caught and named is a failure only of a response with a 5xx.
  const handled = res.status >= 500 ? request.handled : undefined;
  const { digest } = (isFailed ? nameFailure(error, c) : handled) ?? {};
  const origin = readOrigin(new URL(c.req.raw.url).origin, toReader(c));
  const { trace } = request;
  const added = await createPageHeaders({ trace, digest }, origin, (name) => res.headers.get(name));
  setHeaders(c, added);
  keepNoticePolicy(c, request.noticePolicy);
  if (request.shown !== undefined && error === undefined) showFailures(c, request.shown);
}

/** Middleware that sets the policies of pages has set them for the notice, too. */
function keepNoticePolicy(c: HonoContext, policy: string | undefined): void {
  if (policy === undefined || c.res.status !== 500) return;
  setHeaders(c, [[POLICY, policy]]);
  c.res.headers.delete(`${POLICY}-report-only`);
}

/** Ends the page with the notices of what fails while it streams. */
function showFailures(c: HonoContext, failures: ReadonlyMap<string, Named>): void {
  const { body, headers } = c.res;
  const isCompressed = !/^(?:identity)?$/i.test(headers.get("content-encoding") ?? "");
  if (body === null || isCompressed) return;
  const fitted = fitNotice((name) => headers.get(name));
  const appended = new TransformStream<Uint8Array, Uint8Array>({
    flush(controller) {
      const notices = [...failures.values()].map((named) =>
        createNoticeHtml({ ...named, ...fitted }),
      );
      controller.enqueue(new TextEncoder().encode(notices.join("")));
    },
  });
  c.res = new Response(body.pipeThrough(appended), c.res);
}

function toReader(c: HonoContext) {
  return (name: string) => c.req.raw.headers.get(name);
}

function setHeaders(c: HonoContext, added: readonly NewHeader[]): void {
  for (const [name, value] of added) {
    try {
      c.res.headers.set(name, value);
    } catch {
      // The headers of a response of `fetch` are immutable: Hono copies the response.
      c.header(name, value);
    }
  }
}

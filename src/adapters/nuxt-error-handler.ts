/**
 * `errata/nuxt/error-handler`: the answer of a failed API is a problem with the digest (RFC 9457),
 * with the members of Nuxt's own answer. Nuxt's handler runs before: it answers with pages.
 */

import { readProperty } from "../core/read-property.ts";
import type { NuxtEvent } from "./nuxt-event.ts";
import { createProblem, PROBLEM_TYPE } from "./problem.ts";
import { getErrata } from "./server.ts";

/** What the handler uses of h3's event. */
interface Event {
  readonly context: NuxtEvent["context"];
  readonly node: {
    readonly res: {
      statusCode: number;
      readonly setHeader: (name: string, value: string) => unknown;
      readonly end: (body: string) => unknown;
    };
  };
}

/** What Nitro would answer. */
interface DefaultAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** What Nitro gives to a handler besides the error and the event. */
interface Handlers {
  readonly defaultHandler: (
    error: unknown,
    event: Event,
    options: { json: true },
  ) => DefaultAnswer | Promise<DefaultAnswer>;
}

/** The error handler. It leaves an error that nobody named to Nitro. */
export default async function handleError(
  error: unknown,
  event: Event,
  { defaultHandler }: Handlers,
): Promise<void> {
  const digest = event.context.errata?.digest;
  const status = readProperty(error, "statusCode");
  if (digest === undefined || typeof status !== "number" || status < 500) return;
  const answer = await defaultHandler(error, event, { json: true });
  const receiptUrl = getErrata().toReceiptUrl(digest);
  const problem = createProblem({ digest, id: "", receiptUrl }, status);
  const { res } = event.node;
  res.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) res.setHeader(name, value);
  res.setHeader("content-type", PROBLEM_TYPE);
  res.end(JSON.stringify({ ...answer.body, ...problem }));
}

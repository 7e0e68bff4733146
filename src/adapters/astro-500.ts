/**
 * `errata/astro/500`: the error page of an application without one, for which Astro has an empty
 * page.
 */

import { createFailureAnswer } from "./failure-answer.ts";
import { getErrata } from "./server.ts";

/** The members of Astro's `APIContext` that the page reads. */
interface Context {
  readonly request: Request;
  readonly locals: { readonly digest?: string };
}

/** The notice, or problem details. */
export function ALL({ request, locals }: Context): Response {
  const { digest } = locals;
  // Opened by its address, or a 500 that the application answers itself: Astro keeps its status.
  if (digest === undefined) return new Response(null, { status: 404 });
  const named = { digest, id: "", receiptUrl: getErrata().toReceiptUrl(digest) };
  const read = (name: string) => request.headers.get(name);
  const { body, headers } = createFailureAnswer(named, 500, read);
  return new Response(body, { status: 500, headers });
}

/** Shows a rejected form to a person: its page again, with the reason. Other clients get JSON. */

import type { AppContext } from "../context.ts";
import { hasOriginHeaders, isSameOrigin } from "./csrf.ts";
import { isJsonClient } from "./form-body.ts";

/** Why a form was rejected, as in the JSON response. */
export interface RejectedForm {
  readonly reason: string;
  readonly detail: string;
  readonly status: number;
}

/** Returns `response`, or the result of `show` if `response` is a 4xx for a form of this site. */
export async function rerenderFormOnError(
  c: AppContext,
  response: Response,
  show: (rejected: RejectedForm) => Promise<Response>,
): Promise<Response> {
  const isForm = !isJsonClient(c) && hasOriginHeaders(c.req.raw) && isSameOrigin(c.req.raw);
  if (!isForm || response.status < 400 || response.status > 499) return response;
  const failure = await response.json<Pick<RejectedForm, "reason" | "detail">>();
  return show({ ...failure, status: response.status });
}

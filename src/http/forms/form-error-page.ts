/** What people see of a form that was refused: the page that it stands on, with the reason. Programs, which say no site, get the JSON. */

import type { AppContext } from "../context.ts";
import { hasOriginHeaders, isSameOrigin } from "./csrf.ts";
import { isJsonClient } from "./form-body.ts";

/** Why, as `failureResponse` says it. */
export interface RejectedForm {
  readonly reason: string;
  readonly detail: string;
  readonly status: number;
}

/** `answer`, unless it refuses (4xx) what a form of this very site has sent: then what `show` makes of it. */
export async function rerenderFormOnError(
  c: AppContext,
  response: Response,
  show: (refused: RejectedForm) => Promise<Response>,
): Promise<Response> {
  const isForm = !isJsonClient(c) && hasOriginHeaders(c.req.raw) && isSameOrigin(c.req.raw);
  if (!isForm || response.status < 400 || response.status > 499) return response;
  const failure = await response.json<Pick<RejectedForm, "reason" | "detail">>();
  return show({ ...failure, status: response.status });
}

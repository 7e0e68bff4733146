/** What people see of a form that was refused: the page that it stands on, with the reason. Programs, which say no site, get the JSON. */
import { isJsonClient } from "./fields.ts";
import { hasOriginHeaders, isSameOrigin } from "./same-origin.ts";
import type { AppContext } from "./services.ts";

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

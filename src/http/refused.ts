/** What people see of a form that was refused: the page that it stands on, with the reason. Programs, which say no site, get the JSON. */
import { readsJson } from "./fields.ts";
import { isSameOrigin, saysItsSite } from "./same-origin.ts";
import type { AppContext } from "./services.ts";

/** Why, as `failureResponse` says it. */
export interface Refused {
  readonly reason: string;
  readonly detail: string;
  readonly status: number;
}

/** `answer`, unless it refuses (4xx) what a form of this very site has sent: then what `show` makes of it. */
export async function orPage(
  c: AppContext,
  answer: Response,
  show: (refused: Refused) => Promise<Response>,
): Promise<Response> {
  const isForm = !readsJson(c) && saysItsSite(c.req.raw) && isSameOrigin(c.req.raw);
  if (!isForm || answer.status < 400 || answer.status > 499) return answer;
  const said = await answer.json<Pick<Refused, "reason" | "detail">>();
  return show({ ...said, status: answer.status });
}

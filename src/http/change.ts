/** How every change on the desk is answered: forms by the page that shows it, programs by JSON, both refused for the same reasons. */
import type { Result } from "../core/result.ts";
import type { Done } from "../ui/done.tsx";
import { doneCookie, refusedFor } from "./done.ts";
import { type Failure, failureResponse } from "./failures.ts";
import { readsJson } from "./fields.ts";
import { here } from "./here.ts";
import { isSameOrigin, saysItsSite } from "./same-origin.ts";
import type { AppContext } from "./services.ts";
import { type Asked, orUnavailable } from "./unless-away.ts";

/** What was done: what a program is told of it, and the address that shows it. */
export interface Changed {
  readonly said: object;
  readonly leadsTo: string;
  /** What the page at that address is to say of it. */
  readonly done?: Done;
  /** Of the JSON: 202 for what is only begun, by default 200. */
  readonly status?: 200 | 202;
}

/** Whom a change asks, and where the form stands. */
export interface ChangeFacts {
  readonly asked?: Asked;
  /** The page that says why a form of this very site was refused, once it was; without it that is said in JSON. */
  readonly formAt?: () => string | undefined;
}

/**
 * 303 to where `act` leads; JSON for who asks for it or sent some. 403 for what another site sent, without an act; what `act`
 * refuses (303 to `formAt` for its form); 503 where it rejects, because the index, the log or KV is away: then the same may be sent
 * again.
 */
export async function answerChange(
  c: AppContext,
  act: () => Promise<Result<Changed, Failure>>,
  { asked = "index", formAt }: ChangeFacts = {},
): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return failureResponse({ reason: "cross-site" });
  const changed = await orUnavailable(c, act, asked);
  if (!changed.ok) {
    const refused = failureResponse(changed);
    const isForm = saysItsSite(c.req.raw) && !readsJson(c) && refused.status < 500;
    const at = formAt?.();
    if (at === undefined || !isForm) return refused;
    return leadTo(c, at, refusedFor(changed.reason));
  }
  const { said, leadsTo, done, status = 200 } = changed.value;
  return readsJson(c) ? c.json(said, status) : leadTo(c, leadsTo, done);
}

function leadTo(c: AppContext, path: string, done: Done | undefined): Response {
  const at = here(c, path);
  if (done !== undefined) c.header("Set-Cookie", doneCookie(done, new URL(at, c.req.url)));
  return c.redirect(at, 303);
}

/** What was made, and is shown to nobody else and never again. */
export interface Shown {
  readonly shown: readonly string[];
  readonly leadsTo: string;
  /** The id of what was made. */
  readonly made?: string;
}

/** As `answerChange`; but where something is to be shown once, the page that shows it is the answer itself: no address has it. */
export async function answerShown(
  c: AppContext,
  act: () => Promise<Result<Shown, Failure>>,
  show: (shown: readonly string[]) => Promise<Response>,
): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return failureResponse({ reason: "cross-site" });
  const changed = await orUnavailable(c, act, "registry");
  if (!changed.ok) return failureResponse(changed);
  const { leadsTo, ...said } = changed.value;
  if (readsJson(c)) return c.json(said);
  return said.shown.length > 0 ? show(said.shown) : c.redirect(leadsTo, 303);
}

/** How every change on the desk is answered: forms by the page that shows it, programs by JSON, both refused for the same reasons. */
import type { Result } from "../../core/result.ts";
import type { Flash } from "../../ui/layout/flash-message.tsx";
import type { AppContext } from "../context.ts";
import { type Failure, toFailureResponse } from "../failures.ts";
import { toProjectUrl } from "../project-url.ts";
import { type Dependency, runOrUnavailable } from "../unavailable.ts";
import { hasOriginHeaders, isSameOrigin } from "./csrf.ts";
import { createFlashCookie, toFailureFlash } from "./flash-cookie.ts";
import { isJsonClient } from "./form-body.ts";

/** What was done: what a program is told of it, and the address that shows it. */
export interface ActionResult {
  readonly body: object;
  readonly redirectTo: string;
  /** What the page at that address is to say of it. */
  readonly flash?: Flash;
  /** Of the JSON: 202 for what is only begun, by default 200. */
  readonly status?: 200 | 202;
}

/** Whom a change asks, and where the form stands. */
export interface ActionOptions {
  readonly dependency?: Dependency;
  /** The page that says why a form of this very site was refused, once it was; without it that is said in JSON. */
  readonly getFormPath?: () => string | undefined;
}

/**
 * 303 to where `act` leads; JSON for who asks for it or sent some. 403 for what another site sent, without an act; what `act`
 * refuses (303 to `formAt` for its form); 503 where it rejects, because the index, the log or KV is away: then the same may be sent
 * again.
 */
export async function respondToAction(
  c: AppContext,
  perform: () => Promise<Result<ActionResult, Failure>>,
  { dependency = "index", getFormPath }: ActionOptions = {},
): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  const result = await runOrUnavailable(c, perform, dependency);
  if (!result.ok) {
    const failureResponse = toFailureResponse(result);
    const isForm = hasOriginHeaders(c.req.raw) && !isJsonClient(c) && failureResponse.status < 500;
    const targetPath = getFormPath?.();
    if (targetPath === undefined || !isForm) return failureResponse;
    return redirectWithFlash(c, targetPath, toFailureFlash(result.reason));
  }
  const { body, redirectTo, flash, status = 200 } = result.value;
  return isJsonClient(c) ? c.json(body, status) : redirectWithFlash(c, redirectTo, flash);
}

function redirectWithFlash(c: AppContext, path: string, done: Flash | undefined): Response {
  const targetPath = toProjectUrl(c, path);
  if (done !== undefined)
    c.header("Set-Cookie", createFlashCookie(done, new URL(targetPath, c.req.url)));
  return c.redirect(targetPath, 303);
}

/** What was made, and is shown to nobody else and never again. */
export interface SecretResult {
  readonly secrets: readonly string[];
  readonly redirectTo: string;
  /** The id of what was made. */
  readonly createdId?: string;
}

/** As `answerChange`; but where something is to be shown once, the page that shows it is the answer itself: no address has it. */
export async function respondWithSecret(
  c: AppContext,
  perform: () => Promise<Result<SecretResult, Failure>>,
  show: (shown: readonly string[]) => Promise<Response>,
): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  const result = await runOrUnavailable(c, perform, "registry");
  if (!result.ok) return toFailureResponse(result);
  const { redirectTo, ...body } = result.value;
  if (isJsonClient(c)) return c.json(body);
  return body.secrets.length > 0 ? show(body.secrets) : c.redirect(redirectTo, 303);
}

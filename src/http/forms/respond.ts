/**
 * Responds to changes: a redirect for forms, JSON for programs, with the same failures for both.
 */
import type { Result } from "../../core/result.ts";
import type { Dependency } from "../../operations/operation.ts";
import { expectNewMarks } from "../alert-marks.ts";
import type { AppContext } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import type { Failure } from "../failures.ts";
import { toProjectUrl } from "../project-url.ts";
import { runOrUnavailable } from "../unavailable.ts";
import { hasOriginHeaders, isSameOrigin } from "./csrf.ts";
import { createFlashCookie } from "./flash-cookie.ts";
import { isJsonClient } from "./form-body.ts";
import { type StoredFlash, toFailureFlash } from "./messages.ts";

/** The result of a change: the JSON body, and the URL that shows it. */
export interface ActionResult {
  readonly body: object;
  readonly redirectTo: string;
  /** The message on that page. */
  readonly flash?: StoredFlash | undefined;
  /** Status of the JSON response: 202 if the work has only started, 200 by default. */
  readonly status?: 200 | 202;
}

/** The request of a change and the page of its form. */
interface ActionOptions {
  readonly dependency?: Dependency;
  /** The path of the page that shows why a form was rejected. Without it, the rejection is JSON. */
  readonly getFormPath?: (failure: Failure) => string | undefined | Promise<string | undefined>;
}

/**
 * Performs a change and responds: 303 to `redirectTo`, or JSON. 403 for a request of another site,
 * without performing the change; the failure of `perform` (303 to the form's page for a form); 503
 * if `perform` rejects because the index, the log or KV is unavailable. The request can then be
 * sent again.
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
    const targetPath = isForm ? await getFormPath?.(result) : undefined;
    if (targetPath === undefined) return failureResponse;
    return redirectWithFlash(c, targetPath, toFailureFlash(result));
  }
  expectNewMarks({ services: c.get("services"), project: c.get("project") });
  const { body, redirectTo, flash, status = 200 } = result.value;
  return isJsonClient(c) ? c.json(body, status) : redirectWithFlash(c, redirectTo, flash);
}

/** The id with which a person can undo the action of this request; programs have none. */
export function createUndoId(c: AppContext): string | undefined {
  return isJsonClient(c) ? undefined : c.get("services").newId();
}

function redirectWithFlash(c: AppContext, path: string, flash: StoredFlash | undefined): Response {
  const targetPath = toProjectUrl(c, path);
  if (flash !== undefined)
    c.header("Set-Cookie", createFlashCookie(flash, new URL(targetPath, c.req.url)));
  return c.redirect(targetPath, 303);
}

/** The result of a change that creates secrets, which are shown only once. */
interface SecretResult {
  readonly secrets: readonly string[];
  readonly redirectTo: string;
  /** The id of the created object. */
  readonly createdId?: string;
  /** The message on that page. */
  readonly flash?: StoredFlash | undefined;
}

/**
 * Like `respondToAction`, but secrets are shown on the response page itself, because no URL may
 * contain them.
 */
export async function respondWithSecret(
  c: AppContext,
  perform: () => Promise<Result<SecretResult, Failure>>,
  show: (shown: readonly string[]) => Promise<Response>,
  dependency: Dependency = "registry",
): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  const result = await runOrUnavailable(c, perform, dependency);
  if (!result.ok) return toFailureResponse(result);
  const { redirectTo, flash, ...body } = result.value;
  if (isJsonClient(c)) return c.json(body);
  return body.secrets.length > 0 ? show(body.secrets) : redirectWithFlash(c, redirectTo, flash);
}

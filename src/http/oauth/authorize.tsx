/**
 * `/oauth/authorize`: a program asks for access in the name of the signed-in person (OAuth 2.1 §
 * 4.1.1). The person allows or denies it on a page, and the browser brings the answer to the
 * program.
 */

import {
  type AuthorizationFailure,
  type AuthorizationRequest,
  parseAuthorizationRequest,
  readParameter,
  toRedirectUrl,
} from "../../core/oauth/authorization-request.ts";
import { isLoopbackRedirect, isRegisteredRedirect } from "../../core/oauth/client-metadata.ts";
import { parseConsent } from "../../core/oauth/consent-form.ts";
import { OAUTH_PATHS } from "../../core/oauth/endpoints.ts";
import { Layout } from "../../ui/layout/layout.tsx";
import { ConsentPage } from "../../ui/oauth/consent-page.tsx";
import { ProblemPage, ReturnPage } from "../../ui/oauth/outcome-pages.tsx";
import type { AppContext } from "../context.ts";
import { describeFailureText, toFailureResponse } from "../failure-response.ts";
import { type Failure, RATE_LIMITED } from "../failures.ts";
import { isSameOrigin } from "../forms/csrf.ts";
import { isJsonClient, readFormBody } from "../forms/form-body.ts";
import type { RejectedForm } from "../forms/form-error-page.ts";
import { sendPage } from "../send-page.tsx";
import { runOrUnavailable } from "../unavailable.ts";
import { getIssuer } from "./availability.ts";
import { findOfferedAccess, openRequest, type ShownRequest, sealRequest } from "./consent.ts";

const TITLE = "Connect a program";
const ROUTE = OAUTH_PATHS.authorize;

/** Shows the page of consent, or why there is none. */
export async function serveAuthorization(c: AppContext): Promise<Response> {
  // Each request reads the metadata of a program.
  if (!(await isWithinLimit(c))) return refuse(c, RATE_LIMITED);
  const { searchParams: query, host } = new URL(c.req.url);
  const [clientId, redirectUri] = ["client_id", "redirect_uri"].map((name) =>
    readParameter(query, name),
  );
  if (!clientId || !redirectUri) return refuse(c, badRequest("client_id and redirect_uri, once"));
  const client = await c.get("services").readClient(clientId, host);
  if (!client.ok) return refuse(c, client);
  // Before this is known, the browser must not go there.
  if (!isRegisteredRedirect(redirectUri, client.value.redirectUris))
    return refuse(c, badRequest("redirect_uri to be one of the metadata of the program"));
  const origin = getIssuer(c);
  const parsed = parseAuthorizationRequest(query, { clientId, redirectUri, origin });
  if (!parsed.ok) {
    const state = readParameter(query, "state") ?? undefined;
    return sendError(c, { redirectUri, state }, parsed, origin);
  }
  const { id, name } = client.value;
  return sendConsentPage(c, { ...parsed.value, client: { id, name } });
}

/**
 * `POST /oauth/authorize`: `request` of the page, `decision` (`allow` or `deny`), `role`, `project`
 * (an id or `all`), `lowestTrust` and `days`. A page that leads back to the program; JSON:
 * `{"redirectTo"}`.
 */
export async function decideAuthorization(c: AppContext): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  if (!(await isWithinLimit(c))) return refuse(c, RATE_LIMITED);
  const fields = await readFormBody(c.req.raw);
  if (!fields.ok) return toFailureResponse(fields);
  const { request: sealed, ...others } = Object.fromEntries(fields.value);
  const request = await openRequest(c, sealed);
  if (request === null)
    return refuse(c, badRequest("the page of this browser, at most ten minutes old"));
  const parsed = parseConsent(request, others);
  if (!parsed.ok)
    return rejectForm(c, request, { reason: "bad-settings", expected: parsed.expected });
  const origin = getIssuer(c);
  if (parsed.value === null) {
    const denied = { error: "access_denied", description: "The person denied it." } as const;
    return sendBack(c, request, toErrorUrl(request, denied, origin));
  }
  const { registry } = c.get("services");
  const { redirectUri, challenge, resource } = request;
  const allowed = { ...parsed.value, redirectUri, challenge, resource };
  const code = await runOrUnavailable(
    c,
    () => registry.oauth.allowRequest(c.get("principal").actor, allowed),
    "registry",
  );
  if (!code.ok) return rejectForm(c, request, code);
  return sendBack(c, request, toRedirectUrl(request, { code: code.value }, origin));
}

/** By person: each page calls a stranger, and each decision is a write. */
function isWithinLimit(c: AppContext): Promise<boolean> {
  const { person } = c.get("principal");
  return c.get("services").limiters.signIn(`oauth ${person?.id}`);
}

function badRequest(expected: string) {
  return { reason: "bad-request", expected } as const;
}

function toErrorUrl(
  request: Pick<AuthorizationRequest, "redirectUri" | "state">,
  { error, description }: Pick<AuthorizationFailure, "error" | "description">,
  issuer: string,
): string {
  return toRedirectUrl(request, { error, error_description: description }, issuer);
}

/**
 * An error that the program is told. On this machine, a redirect tells it. Anyone can publish the
 * metadata of a program, so the browser goes to other addresses only if the person follows the link:
 * Errata would be an open redirector otherwise (RFC 9700 § 4.11.2).
 */
async function sendError(
  c: AppContext,
  request: Pick<AuthorizationRequest, "redirectUri" | "state">,
  failure: AuthorizationFailure,
  issuer: string,
): Promise<Response> {
  const url = toErrorUrl(request, failure, issuer);
  if (isLoopbackRedirect(request.redirectUri)) return c.redirect(url, 303);
  const { error, description } = failure;
  if (isJsonClient(c))
    return Response.json({ error, error_description: description }, { status: 400 });
  return sendPage(c, {
    title: TITLE,
    route: ROUTE,
    status: 400,
    content: (
      <Layout isSignedIn>
        <ProblemPage detail={description} returnUrl={url} />
      </Layout>
    ),
  });
}

/** A failure that the program must not be told, because it is unknown who asks. */
async function refuse(c: AppContext, failure: Failure): Promise<Response> {
  const response = toFailureResponse(failure);
  if (isJsonClient(c)) return response;
  return sendPage(c, {
    title: TITLE,
    route: ROUTE,
    status: response.status,
    content: (
      <Layout isSignedIn>
        <ProblemPage detail={describeFailureText(failure)} />
      </Layout>
    ),
  });
}

function rejectForm(c: AppContext, request: ShownRequest, failure: Failure) {
  const response = toFailureResponse(failure);
  if (isJsonClient(c)) return response;
  const { reason } = failure;
  const rejected = { reason, detail: describeFailureText(failure), status: response.status };
  return sendConsentPage(c, request, rejected);
}

async function sendConsentPage(
  c: AppContext,
  request: ShownRequest,
  rejected?: RejectedForm,
): Promise<Response> {
  const offered = findOfferedAccess(c, request);
  // A program gets nothing that its person does not have.
  if (offered === null || c.get("principal").person === undefined)
    return refuse(c, { reason: "no-such-project" });
  return sendPage(c, {
    title: TITLE,
    route: ROUTE,
    status: rejected?.status,
    content: (
      <Layout isSignedIn>
        <ConsentPage
          client={request.client}
          redirectUri={request.redirectUri}
          isForMcp={request.resource.kind === "mcp"}
          offered={offered}
          action={OAUTH_PATHS.authorize}
          hidden={{ request: await sealRequest(c, request) }}
          error={rejected?.detail}
        />
      </Layout>
    ),
  });
}

/**
 * Leads the browser back by the header `Refresh`: a redirect after a form may only go where the
 * policy of the page allows forms to go, and a program may be at any address.
 */
async function sendBack(c: AppContext, { client }: ShownRequest, url: string): Promise<Response> {
  if (isJsonClient(c)) return c.json({ redirectTo: url });
  const response = await sendPage(c, {
    title: TITLE,
    route: ROUTE,
    content: (
      <Layout isSignedIn>
        <ReturnPage name={client.name} url={url} />
      </Layout>
    ),
  });
  response.headers.set("Refresh", `0; url=${url}`);
  return response;
}

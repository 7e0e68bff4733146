/**
 * Sign-in and sign-out: `/sign-in` accepts a setup, invitation or recovery code from a form, and
 * passkeys from a script; `/sign-out` ends a session. Attempts are limited by network.
 */

import {
  createAuthenticationOptions,
  createChallenge,
} from "../../auth/passkeys/passkey-options.ts";
import {
  isResponseOf,
  parseCredentialId,
  verifyAuthentication,
} from "../../auth/passkeys/verify-passkey.ts";
import type { Actor } from "../../core/accounts/actors.ts";
import { toPublicSessionId } from "../../core/accounts/profile-changes.ts";
import { getProjectBasePath } from "../../core/accounts/project-path.ts";
import { normalizeCode } from "../../core/accounts/recovery-code.ts";
import { findProject } from "../../core/accounts/registry.ts";
import type { RegistryChange } from "../../core/accounts/registry-changes.ts";
import {
  findDeployer,
  isSetupCode,
  type SignInClient,
} from "../../core/accounts/sign-in-changes.ts";
import { toHex } from "../../core/hex.ts";
import { limits } from "../../core/limits.ts";
import { OAUTH_PATHS } from "../../core/oauth/endpoints.ts";
import { parseName } from "../../core/plain-text.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { SIGN_IN_PATH } from "../../core/scrubbing/own-secrets.ts";
import { truncateText } from "../../core/truncate.ts";
import { type InvitationFacts, SignInPage } from "../../ui/account/sign-in-page.tsx";
import { Layout } from "../../ui/layout/layout.tsx";
import type { AppContext } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import { type Failure, RATE_LIMITED } from "../failures.ts";
import { isSameOrigin } from "../forms/csrf.ts";
import { readFormBody } from "../forms/form-body.ts";
import { type RejectedForm, rerenderFormOnError } from "../forms/form-error-page.ts";
import { type ActionResult, respondToAction } from "../forms/respond.ts";
import { isNetworkWithinLimit } from "../network-limit.ts";
import { toSafePath } from "../safe-path.ts";
import { sendPage, wantsJson } from "../send-page.tsx";
import { respondOrUnavailable } from "../unavailable.ts";
import { authenticate } from "./authenticate.ts";
import { createChallengeCookie, readChallengeCookie } from "./challenge-cookie.ts";
import { closeLiveSocketsAfter } from "./close-live-sockets.ts";
import {
  createExpiredSessionCookie,
  createSessionCookie,
  isSecureOrLoopback,
  readSessionCookie,
  verifySessionCookie,
} from "./session-cookie.ts";

/** After sign-in with a recovery code, the profile offers to add a passkey. */
const AFTER_RECOVERY_PATH = "/profile#passkeys";

/**
 * Serves the page; `?returnTo=…` is the path to continue to. With `?again=1`, a person who is
 * signed in can sign in again. Public.
 */
export async function serveSignIn(c: AppContext): Promise<Response> {
  if (wantsJson(c)) return toFailureResponse({ reason: "unauthenticated" });
  return sendSignInPage(c);
}

/**
 * `POST /sign-in?returnTo=…`: takes `code` (or a link that ends with it), `name` for a new person,
 * and `returnTo`. 303 to the desk with a session; JSON: `{"redirectTo"}`. 403 for an invalid
 * code, 400 or 409 for a missing or taken name; a form gets the page again, with the code if only
 * the name has to change.
 */
export async function signInWithCode(c: AppContext): Promise<Response> {
  let code: unknown;
  const response = await respondToSignIn(c, async (browser) => {
    const fields = await readFormBody(c.req.raw);
    if (!fields.ok) return fields;
    code = fields.value.get("code");
    const hash = hashCode(c, code);
    if (hash === undefined) return fail({ reason: "bad-code" });
    const { config } = c.get("services");
    const principal = await authenticate(c);
    const change = {
      do: "sign-in-with-code",
      hash,
      name: parseName(fields.value.get("name"), limits.maxPersonNameChars),
      setup: config.setup,
      ...browser,
    } as const;
    const returnTo = toSafePath(c, fields.value.get("returnTo") ?? c.req.query("returnTo"));
    const isFirstPage = principal === null && !isConnecting(returnTo);
    return startSession(c, change, {
      actor: principal?.actor ?? null,
      redirectTo: isFirstPage ? await findFirstPage(c, hash) : returnTo,
    });
  });
  return rerenderFormOnError(c, response, (rejected) =>
    sendSignInPage(c, {
      ...rejected,
      ...(rejected.reason.startsWith("name-") && { code: code as string }),
    }),
  );
}

/** True if a program waits for the person, who would not know how to return to it. */
function isConnecting(returnTo: string): boolean {
  const [path] = returnTo.split("?");
  return path === OAUTH_PATHS.authorize || path === OAUTH_PATHS.device;
}

/**
 * The page after a first sign-in: how to connect an application, or the home page if the deployer
 * returns; the home page of the project of an invitation; or the profile after a recovery code.
 */
async function findFirstPage(c: AppContext, hash: string): Promise<string> {
  const { config, registry } = c.get("services");
  const state = await registry.readFresh();
  if (hash === config.setup?.hash) return findDeployer(state) === undefined ? "/connect" : "/";
  const invitation = state.invitations.find((one) => one.hash === hash);
  if (invitation === undefined) return AFTER_RECOVERY_PATH;
  return `${getProjectBasePath(invitation.project)}/`;
}

/**
 * `POST /sign-in/invitation`: takes the `code` of a link; says as JSON who invites to what,
 * `{"by":"Ada","project":"Shop","role":"member"}`, or whom a setup code signs in again,
 * `{"name":"Ada"}`. 403 for any other code. Public: only those who have the link know the code,
 * and they can sign in with it.
 */
export async function serveInvitation(c: AppContext): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  if (!isSecureOrLoopback(c)) return toFailureResponse({ reason: "https-required" });
  if (!(await isWithinSignInLimit(c))) return toFailureResponse(RATE_LIMITED);
  const fields = await readFormBody(c.req.raw);
  if (!fields.ok) return toFailureResponse(fields);
  return respondOrUnavailable(
    c,
    async () => {
      const code = fields.value.get("code");
      const found = (await findReturning(c, code)) ?? (await findInvitation(c, code));
      return found === undefined ? toFailureResponse({ reason: "bad-code" }) : c.json(found);
    },
    "registry",
  );
}

/** Whom a setup code signs in again; undefined before the first sign-in and for another text. */
async function findReturning(c: AppContext, code: unknown): Promise<{ name: string } | undefined> {
  const { config, registry, nowMs } = c.get("services");
  const { setup } = config;
  const hash = hashCode(c, code);
  if (hash === undefined || hash !== setup?.hash) return undefined;
  const state = await registry.readFresh();
  const isValid = isSetupCode(state, { hash, setup, nowMs: nowMs() });
  const person = isValid ? findDeployer(state) : undefined;
  return person && { name: person.name };
}

/** The hash of a code, or of a link that ends with it; undefined if the text is none. */
function hashCode(c: AppContext, code: unknown): string | undefined {
  if (typeof code !== "string" || code.length > limits.maxCredentialChars) return undefined;
  const { sha256 } = c.get("services");
  return toHex(sha256(normalizeCode(code.slice(code.lastIndexOf("#") + 1))));
}

/** Who invites to what; undefined if the text is not the code of an invitation. */
async function findInvitation(c: AppContext, code: unknown): Promise<InvitationFacts | undefined> {
  const hash = hashCode(c, code);
  if (hash === undefined) return undefined;
  const { registry, nowMs } = c.get("services");
  const state = await registry.readFresh();
  const invitation = state.invitations.find((one) => one.hash === hash && one.expiresMs > nowMs());
  const project = invitation && findProject(state, invitation.project);
  if (invitation === undefined || project === undefined) return undefined;
  return { by: invitation.by, project: project.name, role: invitation.role };
}

/** `POST /sign-in/options`: the WebAuthn request options, as JSON. */
export async function servePasskeySignInOptions(c: AppContext): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  if (!isSecureOrLoopback(c)) return toFailureResponse({ reason: "https-required" });
  if (!(await isWithinSignInLimit(c))) return toFailureResponse(RATE_LIMITED);
  return respondOrUnavailable(
    c,
    async () => {
      const { registry, newId } = c.get("services");
      const { secret } = await registry.readCopy();
      const challenge = createChallenge(newId);
      c.header("Set-Cookie", createChallengeCookie(c, "sign-in", { challenge, secret }));
      return createAuthenticationOptions({ hostname: new URL(c.req.url).hostname, challenge });
    },
    "registry",
  );
}

/**
 * `POST /sign-in/passkey`: takes the passkey's `response` as JSON; returns `{"redirectTo"}` with a
 * session. 403 for an invalid response.
 */
export function signInWithPasskey(c: AppContext): Promise<Response> {
  return respondToSignIn(c, async (browser) => {
    const fields = await readFormBody(c.req.raw);
    if (!fields.ok) return fields;
    const response = fields.value.get("response");
    const id = parseCredentialId(response);
    const { registry } = c.get("services");
    const registryCopy = await registry.readFresh();
    const pendingChallenge = readChallengeCookie(c, "sign-in", registryCopy.secret);
    const owned = registryCopy.people
      .flatMap(({ id: person, passkeys }) => passkeys.map((passkey) => ({ person, passkey })))
      .find(({ passkey }) => passkey.id === id);
    if (pendingChallenge === null || owned === undefined) return fail({ reason: "bad-passkey" });
    const { person, passkey } = owned;
    if (!isResponseOf(person, response)) return fail({ reason: "bad-passkey" });
    const { challenge, consumed } = pendingChallenge;
    const counter = await verifyAuthentication(new URL(c.req.url), passkey, challenge, response);
    if (counter === null) return fail({ reason: "bad-passkey" });
    const change = {
      do: "sign-in-with-passkey",
      passkey: passkey.id,
      counter,
      ...consumed,
      ...browser,
    } as const;
    const redirectTo = toSafePath(c, fields.value.get("returnTo"));
    return startSession(c, change, { actor: null, redirectTo });
  });
}

/** `POST /sign-out`: ends the session of this browser, if any, and redirects to `/sign-in`. */
export async function signOut(c: AppContext): Promise<Response> {
  const response = await respondToAction(
    c,
    async () => {
      const { registry } = c.get("services");
      const principal = await authenticate(c);
      if (principal?.actor.kind === "session") {
        await registry.applyChange(principal.actor, {
          do: "end-session",
          session: toPublicSessionId(principal.actor.id),
        });
        const projectIds = principal.projects.map(({ project }) => project.id);
        closeLiveSocketsAfter(c, "end-session", projectIds);
      }
      return ok({ body: { signedOut: true }, redirectTo: SIGN_IN_PATH });
    },
    { dependency: "registry" },
  );
  // If the registry is unavailable, the session still ends in this browser.
  if (response.status !== 403) response.headers.append("Set-Cookie", createExpiredSessionCookie(c));
  return response;
}

async function sendSignInPage(
  c: AppContext,
  rejected?: RejectedForm & { readonly code?: string },
): Promise<Response> {
  const principal = await authenticate(c).catch(() => null);
  const invitation = await findInvitation(c, rejected?.code).catch(() => undefined);
  return sendPage(c, {
    title: "Sign in",
    route: SIGN_IN_PATH,
    content: (
      <Layout isSignedIn={false}>
        <SignInPage
          returnTo={toSafePath(c, c.req.query("returnTo"))}
          name={principal?.name}
          isAgain={c.req.query("again") !== undefined}
          invitation={invitation}
          error={rejected}
        />
      </Layout>
    ),
    status: rejected?.status,
  });
}

async function respondToSignIn(
  c: AppContext,
  act: (browser: SignInClient) => Promise<Result<ActionResult, Failure>>,
): Promise<Response> {
  if (!isSecureOrLoopback(c)) return toFailureResponse({ reason: "https-required" });
  if (!(await isWithinSignInLimit(c))) return toFailureResponse(RATE_LIMITED);
  return respondToAction(c, async () => act(await describeBrowser(c)), { dependency: "registry" });
}

/** The browser's name for the session list, and its previous session, which will end. */
async function describeBrowser(c: AppContext): Promise<SignInClient> {
  const cookie = readSessionCookie(c);
  const { secret } = await c.get("services").registry.readCopy();
  const previousSession = cookie && verifySessionCookie(cookie, secret);
  const agent = truncateText(c.req.header("user-agent") ?? "", limits.maxAgentChars);
  return { userAgent: agent, previousSession: previousSession ?? undefined };
}

async function startSession(
  c: AppContext,
  change: RegistryChange,
  { actor, redirectTo }: { actor: Actor | null; redirectTo: string },
): Promise<Result<ActionResult, Failure>> {
  const result = await c.get("services").registry.applyChange(actor, change);
  if (!result.ok) return result;
  const { sessionId } = result.value;
  if (sessionId !== undefined) {
    const { secret } = await c.get("services").registry.readCopy();
    c.header("Set-Cookie", createSessionCookie(c, sessionId, secret));
  }
  return ok({ body: { redirectTo }, redirectTo });
}

function isWithinSignInLimit(c: AppContext): Promise<boolean> {
  return isNetworkWithinLimit(c.get("services"), c.req.raw, "signIn");
}

/** `/profile`: a person's name, passkeys, recovery codes and sessions. */

import {
  createChallenge,
  createRegistrationOptions,
} from "../../../auth/passkeys/passkey-options.ts";
import { verifyRegistration } from "../../../auth/passkeys/verify-passkey.ts";
import { mayChangeCredentials, toPublicSessionId } from "../../../core/accounts/profile-changes.ts";
import type { Grant, RegistryState, Session } from "../../../core/accounts/registry.ts";
import { parseChangeForm } from "../../../core/accounts/registry-changes.ts";
import { limits } from "../../../core/limits.ts";
import { parseName } from "../../../core/plain-text.ts";
import { fail, ok } from "../../../core/result.ts";
import { ProfilePage } from "../../../ui/account/profile-page.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import { createChallengeCookie, readChallengeCookie } from "../../auth/challenge-cookie.ts";
import { closeLiveSocketsAfter } from "../../auth/close-live-sockets.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failure-response.ts";
import { RATE_LIMITED } from "../../failures.ts";
import { isSameOrigin } from "../../forms/csrf.ts";
import { readForm, readFormBody } from "../../forms/form-body.ts";
import { type RejectedForm, rerenderFormOnError } from "../../forms/form-error-page.ts";
import { respondToAction, respondWithSecret } from "../../forms/respond.ts";
import { ignoreRejection, sendPage, wantsJson } from "../../send-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";

/**
 * Serves the profile. JSON: `{"name","passkeys","recoveryCodes","sessions","programs"}`, without
 * secrets.
 */
export function serveProfile(c: AppContext): Promise<Response> {
  return sendProfilePage(c);
}

/**
 * `POST /profile`: `do` is `rename-person` (with `name`), `remove-passkey` (`passkey`),
 * `new-recovery-codes`, `end-session` (`session`), `end-sessions` (all but the current one) or
 * `disconnect-program` (`grant`).
 * Redirects to the page, or shows new codes once. JSON: `{"secrets":[…]}`. 401 `sign-in-again` for
 * `remove-passkey` and `new-recovery-codes` if the sign-in is not recent.
 */
export async function updateProfile(c: AppContext): Promise<Response> {
  const { actor, person } = c.get("principal");
  // Each change is a write and an entry in the audit log.
  if (!(await c.get("services").limiters.signIn(`profile ${person?.id}`)))
    return toFailureResponse(RATE_LIMITED);
  const response = await respondWithSecret(
    c,
    async () => {
      const except = actor.kind === "session" ? actor.id : undefined;
      const change = await readForm(c.req.raw, "bad-settings", (fields) =>
        parseChangeForm("person", Object.fromEntries(fields), { except }),
      );
      if (!change.ok) return change;
      const result = await c.get("services").registry.applyChange(actor, change.value);
      if (!result.ok) return result;
      const projectIds = c.get("principal").projects.map(({ project }) => project.id);
      closeLiveSocketsAfter(c, change.value.do, projectIds);
      return ok({ secrets: result.value.secrets ?? [], redirectTo: "/profile" });
    },
    (codes) => sendProfilePage(c, { codes }),
  );
  return rerenderFormOnError(c, response, (rejected) => sendProfilePage(c, { rejected }));
}

/**
 * `POST /profile/passkeys/options`: the WebAuthn creation options, as JSON. 401 `sign-in-again` if
 * the sign-in is not recent.
 */
export async function servePasskeyCreationOptions(c: AppContext): Promise<Response> {
  const { actor, person } = c.get("principal");
  const { registry, nowMs, newId } = c.get("services");
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  if (person === undefined) return toFailureResponse({ reason: "forbidden" });
  const registryCopy = await registry.readCopy();
  if (!mayChangeCredentials(registryCopy, actor, person, nowMs()))
    return toFailureResponse({ reason: "sign-in-again" });
  const { secret } = registryCopy;
  const challenge = createChallenge(newId);
  c.header(
    "Set-Cookie",
    createChallengeCookie(c, `add-passkey ${person.id}`, { challenge, secret }),
  );
  const { hostname } = new URL(c.req.url);
  return c.json(createRegistrationOptions({ hostname, challenge }, person));
}

/** `POST /profile/passkeys`: takes `response` and `name`, as JSON. 403 for an invalid response. */
export function addPasskey(c: AppContext): Promise<Response> {
  return respondToAction(
    c,
    async () => {
      const fields = await readFormBody(c.req.raw);
      if (!fields.ok) return fields;
      const { registry } = c.get("services");
      const { secret } = await registry.readCopy();
      const change = readChallengeCookie(c, `add-passkey ${c.get("principal").person?.id}`, secret);
      if (change === null) return fail({ reason: "bad-passkey" });
      const response = fields.value.get("response");
      const passkey = await verifyRegistration(new URL(c.req.url), change.challenge, response);
      if (passkey === null) return fail({ reason: "bad-passkey" });
      const name = parseName(fields.value.get("name"), limits.maxPersonNameChars) ?? "Passkey";
      const result = await registry.applyChange(c.get("principal").actor, {
        do: "add-passkey",
        passkey: { ...passkey, name },
        ...change.consumed,
      });
      return result.ok ? ok({ body: { redirectTo: "/profile" }, redirectTo: "/profile" }) : result;
    },
    { dependency: "registry" },
  );
}

async function sendProfilePage(
  c: AppContext,
  {
    codes = [],
    rejected,
  }: { readonly codes?: readonly string[]; readonly rejected?: RejectedForm } = {},
): Promise<Response> {
  const { registry, nowMs } = c.get("services");
  const { actor, person: signedIn } = c.get("principal");
  const registryCopy = await registry.readCopy();
  // Reads the data again, because this request may have just changed it.
  const person = registryCopy.people.find(({ id }) => id === signedIn?.id);
  const current = actor.kind === "session" ? actor.id : undefined;
  const sessions = registryCopy.sessions.filter((session) => session.person === person?.id);
  const grants = (registryCopy.grants ?? []).filter((grant) => grant.person === person?.id);
  const programs = listPrograms(grants, registryCopy);
  const uses = ignoreRejection(awaitOrNull(c, registry.getLastUses()).then((found) => found ?? {}));
  if (wantsJson(c)) {
    const lastUsed = await uses;
    return c.json({
      name: c.get("principal").name ?? null,
      passkeys: (person?.passkeys ?? []).map(({ id, name, createdMs }) => ({
        id,
        name,
        createdMs,
      })),
      recoveryCodes: person?.recoveryCodeHashes.length ?? 0,
      sessions: sessions.map(({ id, createdMs, expiresMs, userAgent }) => ({
        id: toPublicSessionId(id),
        createdMs,
        expiresMs,
        userAgent,
        usedMs: lastUsed[id] ?? createdMs,
        isCurrent: id === current,
      })),
      programs: programs.map((one) => ({ ...one, usedMs: lastUsed[one.id] })),
    });
  }
  return sendPage(c, {
    title: "You",
    route: "/profile",
    status: rejected?.status,
    content: (
      <Layout current="profile" isSignedIn>
        <ProfilePage
          person={person}
          isThroughAccess={actor.kind === "access"}
          mayChangeCredentials={
            person !== undefined && mayChangeCredentials(registryCopy, actor, person, nowMs())
          }
          sessions={sessions.map(({ id, createdMs, expiresMs, userAgent }) => ({
            id: toPublicSessionId(id),
            createdMs,
            expiresMs,
            userAgent,
            isCurrent: id === current,
          }))}
          programs={programs}
          lastUsed={ignoreRejection(
            uses.then((lastUsed) => ({ ...lastUsed, ...indexByPublicId(sessions, lastUsed) })),
          )}
          newRecoveryCodes={codes}
          error={rejected?.detail}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
}

/** The connected programs, without hashes. Those that have not fetched a token yet are not. */
function listPrograms(grants: readonly Grant[], { projects }: RegistryState) {
  return grants
    .filter(({ access }) => access !== undefined)
    .map(({ id, client, name, role, project, isForMcp, lowestTrust, createdMs, expiresMs }) => ({
      ...{ id, client, name, role, createdMs, expiresMs },
      project: project && (projects.find((one) => one.id === project)?.name ?? project),
      isForMcp: isForMcp ?? false,
      lowestTrust: lowestTrust ?? "public",
    }));
}

/** Keyed by public session ids, because full ids are part of the cookie and secret. */
function indexByPublicId(sessions: readonly Session[], lastUsed: Readonly<Record<string, number>>) {
  return Object.fromEntries(
    sessions.map(({ id, createdMs }) => [toPublicSessionId(id), lastUsed[id] ?? createdMs]),
  );
}

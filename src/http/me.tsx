/**
 * `/me`: what people see and change of themselves: their name, their passkeys, their recovery codes, and where they are signed in.
 */
import { limits } from "../core/limits.ts";
import { sessionName } from "../core/registry/own-changes.ts";
import type { Session } from "../core/registry/registry.ts";
import { fail, ok } from "../core/result.ts";
import { askForNewPasskey, newPasskeyOf } from "../doors/passkeys.ts";
import { Layout } from "../ui/layout.tsx";
import { MePage } from "../ui/pages/me-page.tsx";
import { challengeCookie, challengeOf } from "./challenge-cookie.ts";
import { answerChange, answerShown } from "./change.ts";
import { failureResponse, TOO_MANY } from "./failures.ts";
import { nameIn } from "./field-values.ts";
import { readFields } from "./fields.ts";
import { ownChangeOf } from "./own-change.ts";
import { optional, sendPage, wantsJson } from "./page.tsx";
import { orPage, type Refused } from "./refused.ts";
import { dismissAfter } from "./rights-taken.ts";
import { isSameOrigin } from "./same-origin.ts";
import type { AppContext } from "./services.ts";
import { unlessAway } from "./unless-away.ts";

/** The page. JSON: `{"name","passkeys","recoveryCodes","sessions"}`, without a secret in it. */
export function me(c: AppContext): Promise<Response> {
  return sendMe(c);
}

/**
 * `POST /me`: `do` is `rename-me` (with `name`), `remove-passkey` (`passkey`), `new-recovery-codes`, `end-session` (`session`) or
 * `end-sessions` (all but this one). Leads to the page; new codes are on it, once. JSON: `{"shown":[…]}`.
 */
export async function changeMe(c: AppContext): Promise<Response> {
  const { actor, person } = c.get("visitor");
  // Each is a write, and a line in somebody's log.
  if (!(await c.get("services").limiters.enter(`me ${person?.id}`)))
    return failureResponse(TOO_MANY);
  const answer = await answerShown(
    c,
    async () => {
      const fields = await readFields(c.req.raw);
      const asked = fields.ok
        ? ownChangeOf(fields.value, actor.is === "session" ? actor.id : undefined)
        : fields;
      if (!asked.ok) return asked;
      const made = await c.get("services").registry.change(actor, asked.value);
      if (!made.ok) return made;
      const own = c.get("visitor").projects.map(({ project }) => project.id);
      dismissAfter(c, asked.value.do, own);
      return ok({ shown: made.value.shown ?? [], leadsTo: "/me" });
    },
    (codes) => sendMe(c, { codes }),
  );
  return orPage(c, answer, (refused) => sendMe(c, { refused }));
}

/** `POST /me/passkeys/options`: what a browser is asked to make a passkey, as JSON. */
export async function newPasskeyOptions(c: AppContext): Promise<Response> {
  const { person } = c.get("visitor");
  if (!isSameOrigin(c.req.raw)) return failureResponse({ reason: "cross-site" });
  if (person === undefined) return failureResponse({ reason: "not-allowed" });
  const { secret } = await c.get("services").registry.copy();
  const { challenge, options } = await askForNewPasskey(new URL(c.req.url), person);
  c.header("Set-Cookie", challengeCookie(c, `add-passkey ${person.id}`, { challenge, secret }));
  return c.json(options);
}

/** `POST /me/passkeys`: takes the `answer` and a `name`, as JSON. 403 for an answer that does not hold. */
export function addPasskey(c: AppContext): Promise<Response> {
  return answerChange(
    c,
    async () => {
      const fields = await readFields(c.req.raw);
      if (!fields.ok) return fields;
      const { registry } = c.get("services");
      const { secret } = await registry.copy();
      const asked = challengeOf(c, `add-passkey ${c.get("visitor").person?.id}`, secret);
      if (asked === null) return fail({ reason: "bad-passkey" });
      const answer = fields.value.get("answer");
      const passkey = await newPasskeyOf(new URL(c.req.url), asked.challenge, answer);
      if (passkey === null) return fail({ reason: "bad-passkey" });
      const name = nameIn(fields.value.get("name"), limits.maxPersonNameChars) ?? "Passkey";
      const made = await registry.change(c.get("visitor").actor, {
        do: "add-passkey",
        passkey: { ...passkey, name },
        ...asked.answered,
      });
      return made.ok ? ok({ said: { leadsTo: "/me" }, leadsTo: "/me" }) : made;
    },
    { asked: "registry" },
  );
}

async function sendMe(
  c: AppContext,
  { codes = [], refused }: { readonly codes?: readonly string[]; readonly refused?: Refused } = {},
): Promise<Response> {
  const { registry, nowMs } = c.get("services");
  const { actor, person: before } = c.get("visitor");
  const known = await registry.copy();
  // As it is behind a change.
  const person = known.people.find(({ id }) => id === before?.id);
  const current = actor.is === "session" ? actor.id : undefined;
  const sessions = known.sessions.filter((one) => one.person === person?.id);
  const uses = optional(unlessAway(c, registry.uses()).then((found) => found ?? {}));
  if (wantsJson(c)) {
    const used = await uses;
    return c.json({
      name: c.get("visitor").name ?? null,
      passkeys: (person?.passkeys ?? []).map(({ id, name, createdMs }) => ({
        id,
        name,
        createdMs,
      })),
      recoveryCodes: person?.recoveryHashes.length ?? 0,
      sessions: sessions.map(({ id, createdMs, endsMs, agent }) => ({
        id: sessionName(id),
        createdMs,
        endsMs,
        agent,
        usedMs: used[id] ?? createdMs,
        isThis: id === current,
      })),
    });
  }
  return sendPage(c, {
    title: "You",
    route: "/me",
    ...(refused && { status: refused.status }),
    content: (
      <Layout current="me" deskOpen>
        <MePage
          person={person}
          isAccess={actor.is === "access"}
          sessions={sessions.map(({ id, createdMs, endsMs, agent }) => ({
            id: sessionName(id),
            createdMs,
            endsMs,
            agent,
            isThis: id === current,
          }))}
          uses={optional(uses.then((used) => byName(sessions, used)))}
          codes={codes}
          problem={refused?.detail}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
}

/** By the names of sessions: their ids are half of what their cookies have. */
function byName(sessions: readonly Session[], used: Readonly<Record<string, number>>) {
  return Object.fromEntries(
    sessions.map(({ id, createdMs }) => [sessionName(id), used[id] ?? createdMs]),
  );
}

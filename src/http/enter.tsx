/**
 * How people come in: `/enter` takes the code of a link, of an invitation or of recovery by a plain form, and a passkey by a script.
 * Whoever leaves does so at `/leave`. Tries are limited by address.
 */
import { cutText } from "../core/cut.ts";
import { hexOf } from "../core/hex.ts";
import { limits } from "../core/limits.ts";
import { networkOf } from "../core/network.ts";
import type { EnterChange } from "../core/registry/entering.ts";
import { sessionName } from "../core/registry/own-changes.ts";
import { plainCode } from "../core/registry/recovery-code.ts";
import type { Actor } from "../core/registry/rights.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { answeredBy, askForPasskey, passkeyIdOf } from "../doors/passkeys.ts";
import { Layout } from "../ui/layout.tsx";
import { EnterPage } from "../ui/pages/enter-page.tsx";
import { challengeCookie, challengeOf } from "./challenge-cookie.ts";
import { answerChange, type Changed } from "./change.ts";
import { type Failure, failureResponse, TOO_MANY } from "./failures.ts";
import { nameIn } from "./field-values.ts";
import { readFields } from "./fields.ts";
import { sendPage, wantsJson } from "./page.tsx";
import { orPage, type Refused } from "./refused.ts";
import { dismissAfter } from "./rights-taken.ts";
import { isSameOrigin } from "./same-origin.ts";
import type { AppContext } from "./services.ts";
import {
  isGuarded,
  noSessionCookie,
  sealedSession,
  sessionCookie,
  sessionIdOf,
} from "./session-cookie.ts";
import { answerOrUnavailable } from "./unless-away.ts";
import { visitorOf } from "./visitor.ts";

/** Where those are led who have come by a code: they may want a passkey. */
const AFTER_CODE = "/me#passkeys";

/** The page; `?to=…` is where it leads. Public, and the same for everybody who is not signed in. */
export async function enter(c: AppContext): Promise<Response> {
  if (wantsJson(c)) return failureResponse({ reason: "sign-in" });
  return sendEnter(c);
}

/**
 * `POST /enter?to=…`: takes `code` (or the link that it ends), for whoever is new a `name`, and `to`. 303 to the desk, with a
 * session; JSON: `{"leadsTo"}`. 403 for a code that opens nothing, for a form with the page.
 */
export async function enterByCode(c: AppContext): Promise<Response> {
  const answer = await answerEntering(c, async (browser) => {
    const fields = await readFields(c.req.raw);
    if (!fields.ok) return fields;
    const code = fields.value.get("code");
    if (typeof code !== "string" || code.length > limits.maxCredentialChars)
      return fail({ reason: "bad-code" });
    const { config, sha256 } = c.get("services");
    const visitor = await visitorOf(c);
    const change = {
      do: "enter-by-code",
      hash: hexOf(sha256(plainCode(code.slice(code.lastIndexOf("#") + 1)))),
      name: nameIn(fields.value.get("name"), limits.maxPersonNameChars),
      setup: config.setup,
      ...browser,
    } as const;
    return begin(c, change, {
      actor: visitor?.actor ?? null,
      leadsTo:
        visitor === null ? AFTER_CODE : pathOf(c, fields.value.get("to") ?? c.req.query("to")),
    });
  });
  return orPage(c, answer, (refused) => sendEnter(c, refused));
}

/** `POST /enter/options`: what the browser's passkey is asked, as JSON. */
export async function enterOptions(c: AppContext): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return failureResponse({ reason: "cross-site" });
  if (!isGuarded(c)) return failureResponse({ reason: "insecure" });
  if (!(await mayTry(c))) return failureResponse(TOO_MANY);
  return answerOrUnavailable(
    c,
    async () => {
      const { secret } = await c.get("services").registry.copy();
      const { challenge, options } = await askForPasskey(new URL(c.req.url));
      c.header("Set-Cookie", challengeCookie(c, "enter", { challenge, secret }));
      return options;
    },
    "registry",
  );
}

/** `POST /enter/passkey`: takes the passkey's `answer`, as JSON; answers `{"leadsTo"}`, with a session. 403 for one that does not hold. */
export function enterByPasskey(c: AppContext): Promise<Response> {
  return answerEntering(c, async (browser) => {
    const fields = await readFields(c.req.raw);
    if (!fields.ok) return fields;
    const answer = fields.value.get("answer");
    const id = passkeyIdOf(answer);
    const { registry } = c.get("services");
    const known = await registry.now();
    const asked = challengeOf(c, "enter", known.secret);
    const passkey = known.people.flatMap(({ passkeys }) => passkeys).find((one) => one.id === id);
    if (asked === null || passkey === undefined) return fail({ reason: "bad-passkey" });
    const counter = await answeredBy(new URL(c.req.url), passkey, asked.challenge, answer);
    if (counter === null) return fail({ reason: "bad-passkey" });
    const change = {
      do: "enter-by-passkey",
      passkey: passkey.id,
      counter,
      ...asked.answered,
      ...browser,
    } as const;
    return begin(c, change, { actor: null, leadsTo: pathOf(c, fields.value.get("to")) });
  });
}

/** `POST /leave`: ends this browser's session. Leads to `/enter`, whether there was one or not. */
export async function leave(c: AppContext): Promise<Response> {
  const answer = await answerChange(
    c,
    async () => {
      const { registry } = c.get("services");
      const visitor = await visitorOf(c);
      if (visitor?.actor.is === "session") {
        await registry.change(visitor.actor, {
          do: "end-session",
          session: sessionName(visitor.actor.id),
        });
        const own = visitor.projects.map(({ project }) => project.id);
        dismissAfter(c, "end-session", own);
      }
      return ok({ said: { left: true }, leadsTo: "/enter" });
    },
    { asked: "registry" },
  );
  // While the registry is away the session ends at least in this browser.
  if (answer.status !== 403) answer.headers.append("Set-Cookie", noSessionCookie(c));
  return answer;
}

async function sendEnter(c: AppContext, refused?: Refused): Promise<Response> {
  const visitor = await visitorOf(c).catch(() => null);
  return sendPage(c, {
    title: "Sign in",
    route: "/enter",
    content: (
      <Layout deskOpen={false}>
        <EnterPage to={pathOf(c, c.req.query("to"))} name={visitor?.name} problem={refused} />
      </Layout>
    ),
    ...(refused && { status: refused.status }),
  });
}

type Browser = Pick<Extract<EnterChange, { do: "enter-by-code" }>, "agent" | "before">;

async function answerEntering(
  c: AppContext,
  act: (browser: Browser) => Promise<Result<Changed, Failure>>,
): Promise<Response> {
  if (!isGuarded(c)) return failureResponse({ reason: "insecure" });
  if (!(await mayTry(c))) return failureResponse(TOO_MANY);
  return answerChange(c, async () => act(await browserOf(c)), { asked: "registry" });
}

/** What a session says of its browser, and the session that it had: that one ends. */
async function browserOf(c: AppContext): Promise<Browser> {
  const cookie = sealedSession(c);
  const { secret } = await c.get("services").registry.copy();
  const before = cookie === undefined ? undefined : sessionIdOf(cookie, secret);
  const agent = cutText(c.req.header("user-agent") ?? "", limits.maxAgentChars);
  return { agent, ...(before && { before }) };
}

async function begin(
  c: AppContext,
  change: EnterChange,
  { actor, leadsTo }: { readonly actor: Actor | null; readonly leadsTo: string },
): Promise<Result<Changed, Failure>> {
  const made = await c.get("services").registry.change(actor, change);
  if (!made.ok) return made;
  const { session } = made.value;
  if (session !== undefined) {
    const { secret } = await c.get("services").registry.copy();
    c.header("Set-Cookie", sessionCookie(c, session, secret));
  }
  return ok({ said: { leadsTo }, leadsTo });
}

async function mayTry(c: AppContext): Promise<boolean> {
  const address = c.req.header("cf-connecting-ip");
  return address === undefined || c.get("services").limiters.enter(networkOf(address));
}

/** A path of this very host; the start page for any other address. */
export function pathOf(c: AppContext, to: unknown): string {
  const { origin } = new URL(c.req.url);
  const path = typeof to === "string" && to.startsWith("/") ? URL.parse(to, origin) : null;
  const isHere = path?.origin === origin && !path.pathname.startsWith("//");
  return isHere ? path.pathname + path.search : "/";
}

/**
 * The challenge of a passkey, while a browser answers it: sealed, in a cookie, for five minutes. It is answered once: the registry
 * remembers the hash of one that was.
 */
import { getCookie } from "hono/cookie";
import { hexOf } from "../core/hex.ts";
import type { AnsweredChallenge } from "../core/registry/own-changes.ts";
import { type Purpose, sealed, unsealed } from "../doors/seal.ts";
import type { AppContext } from "./services.ts";
import { hostOnlyName, setCookieHeader } from "./set-cookie.ts";

const NAME = "errata-challenge";
const GOOD_FOR_MS = 300_000;
const MAX_CHARS = 300;

/** The `Set-Cookie` of a challenge that a browser is about to answer. */
export function challengeCookie(
  c: AppContext,
  purpose: Purpose,
  { challenge, secret }: { readonly challenge: string; readonly secret: string },
): string {
  const untilMs = c.get("services").nowMs() + GOOD_FOR_MS;
  const value = sealed(purpose, `${challenge}.${untilMs}`, secret);
  return setCookieHeader(NAME, value, {
    url: new URL(c.req.url),
    seconds: GOOD_FOR_MS / 1000,
    sameSite: "Strict",
    isHostOnly: true,
  });
}

/** The challenge that a request answers, and what the registry is told of it; null where it was not asked here, or too long ago. */
export function challengeOf(
  c: AppContext,
  purpose: Purpose,
  secret: string,
): { readonly challenge: string; readonly answered: AnsweredChallenge } | null {
  const { nowMs, sha256 } = c.get("services");
  const value = getCookie(c, hostOnlyName(NAME, new URL(c.req.url)));
  const text = value && value.length <= MAX_CHARS ? unsealed(purpose, value, secret) : null;
  const [challenge = "", until] = text?.split(".") ?? [];
  const untilMs = Number(until);
  if (challenge === "" || !(untilMs > nowMs())) return null;
  return { challenge, answered: { challenge: hexOf(sha256(challenge)), untilMs } };
}

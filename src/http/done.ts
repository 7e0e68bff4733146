/**
 * Has the page that a change leads to say what was done, or why it was not, once. A cookie carries it there, for that path and a minute: neither the
 * address nor the history has it, and what is shown afterwards has forgotten it.
 */
import { getCookie } from "hono/cookie";
import type { Choice } from "../core/decision.ts";
import { type Did, type Done, doneSentence, isDid } from "../ui/done.tsx";
import { type Page, sendPage } from "./page.tsx";
import type { AppContext } from "./services.ts";
import { setCookieHeader } from "./set-cookie.ts";

const COOKIE = "errata-done";
const COOKIE_SECONDS = 60;

/** The `Set-Cookie` that has the page at `url` say it. */
export function doneCookie({ did, count }: Done, url: URL): string {
  return cookie(`${did}.${count}`, COOKIE_SECONDS, url);
}

/** Sends the page, whose frame says what was done right before it; its title says it to those who listen. */
export async function sendPageAfter(
  c: AppContext,
  pageAfter: (done: Done | undefined) => Page,
): Promise<Response> {
  const done = doneIn(c);
  const page = pageAfter(done);
  if (done === undefined) return sendPage(c, page);
  const response = await sendPage(c, { ...page, title: `${doneSentence(done)} ${page.title}` });
  response.headers.append("Set-Cookie", cookie("", 0, new URL(c.req.url)));
  return response;
}

function doneIn(c: AppContext): Done | undefined {
  const [, did = "", count] = /^([a-z-]+)\.(\d{1,6})$/.exec(getCookie(c, COOKIE) ?? "") ?? [];
  return isDid(did) ? { did, count: Number(count) } : undefined;
}

function cookie(value: string, seconds: number, url: URL): string {
  return setCookieHeader(COOKIE, value, { url, seconds, path: url.pathname });
}

/** What the page says of a change that was refused for a reason of `failureResponse`. */
export function refusedFor(reason: string): Done {
  return { did: REFUSED.get(reason) ?? "not-done", count: 0 };
}

const REFUSED: ReadonlyMap<string, Did> = new Map([
  ["unknown-digest", "not-known"],
  ["unknown-report", "not-known"],
  ["bad-note", "not-noted"],
  ["bad-choice", "not-decided"],
  ["bad-selection", "not-decided"],
  ["bad-view", "not-saved"],
  ["bad-erasure", "not-erased"],
]);

/** What a choice about so many issues came to; "merge" took them into one. */
export function doneTo(count: number, choice: Choice | "merge"): Done {
  if (choice === "merge") return { did: count === 0 ? "unmerged" : "merged", count };
  if (count === 0) return { did: "unknown", count };
  const isInNext = choice.state === "resolved" && choice.inNext === true;
  return { did: isInNext ? "resolved-next" : choice.state, count };
}

/**
 * Has the page that a change leads to say what was done, or why it was not, once. A cookie carries it there, for that path and a minute: neither the
 * address nor the history has it, and what is shown afterwards has forgotten it.
 */
import { getCookie } from "hono/cookie";
import type { DecisionInput } from "../../core/issue/decision.ts";
import {
  type Flash,
  type FlashKind,
  formatFlash,
  isFlashKind,
} from "../../ui/layout/flash-message.tsx";
import type { AppContext } from "../context.ts";
import { type PageOptions, sendPage } from "../send-page.tsx";
import { formatSetCookieHeader } from "../set-cookie.ts";

const COOKIE = "errata-flash";
const COOKIE_SECONDS = 60;

/** The `Set-Cookie` that has the page at `url` say it. */
export function createFlashCookie({ kind, count }: Flash, url: URL): string {
  return createCookie(`${kind}.${count}`, COOKIE_SECONDS, url);
}

/** Sends the page, whose frame says what was done right before it; its title says it to those who listen. */
export async function sendPageWithFlash(
  c: AppContext,
  createPage: (done: Flash | undefined) => PageOptions,
): Promise<Response> {
  const done = readFlash(c);
  const page = createPage(done);
  if (done === undefined) return sendPage(c, page);
  const response = await sendPage(c, { ...page, title: `${formatFlash(done)} ${page.title}` });
  response.headers.append("Set-Cookie", createCookie("", 0, new URL(c.req.url)));
  return response;
}

function readFlash(c: AppContext): Flash | undefined {
  const [, kind = "", count] = /^([a-z-]+)\.(\d{1,6})$/.exec(getCookie(c, COOKIE) ?? "") ?? [];
  return isFlashKind(kind) ? { kind, count: Number(count) } : undefined;
}

function createCookie(value: string, seconds: number, url: URL): string {
  return formatSetCookieHeader(COOKIE, value, { url, maxAgeSeconds: seconds, path: url.pathname });
}

/** What the page says of a change that was refused for a reason of `failureResponse`. */
export function toFailureFlash(reason: string): Flash {
  return { kind: FLASH_BY_REASON.get(reason) ?? "not-changed", count: 0 };
}

const FLASH_BY_REASON: ReadonlyMap<string, FlashKind> = new Map([
  ["unknown-digest", "not-found"],
  ["unknown-report", "not-found"],
  ["bad-annotation", "not-annotated"],
  ["bad-decision", "not-decided"],
  ["bad-bulk-action", "not-decided"],
  ["bad-view", "not-saved"],
  ["bad-erasure", "not-erased"],
]);

/** What a choice about so many issues came to; "merge" took them into one. */
export function toDecisionFlash(count: number, choice: DecisionInput | "merge"): Flash {
  if (choice === "merge") return { kind: count === 0 ? "not-merged" : "merged", count };
  if (count === 0) return { kind: "issues-unknown", count };
  const isInNext = choice.state === "resolved" && choice.inNextRelease === true;
  return { kind: isInNext ? "resolved-next" : choice.state, count };
}

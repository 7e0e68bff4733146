/**
 * Shows the result of a change once, on the page that follows. A cookie for that path carries it
 * for a minute, so it is in neither the URL nor the history.
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

/** The `Set-Cookie` header that makes the page at `url` show the message. */
export function createFlashCookie({ kind, count }: Flash, url: URL): string {
  return createCookie(`${kind}.${count}`, COOKIE_SECONDS, url);
}

/**
 * Sends a page with its flash message, if any. The message is in the title too, for screen readers.
 */
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

/** The message for a change that failed with this reason. */
export function toFailureFlash(reason: string): Flash {
  return { kind: FLASH_BY_REASON.get(reason) ?? "not-changed", count: 0 };
}

const FLASH_BY_REASON: ReadonlyMap<string, FlashKind> = new Map([
  ["unknown-digest", "not-found"],
  ["unknown-report", "not-found"],
  ["unknown-upload", "upload-unknown"],
  ["bad-annotation", "not-annotated"],
  ["bad-decision", "not-decided"],
  ["bad-bulk-action", "not-decided"],
  ["bad-view", "not-saved"],
  ["bad-erasure", "not-erased"],
]);

/** The message for a decision about `count` issues. */
export function toDecisionFlash(count: number, choice: DecisionInput | "merge"): Flash {
  if (choice === "merge") return { kind: count === 0 ? "nothing-merged" : "merged", count };
  if (count === 0) return { kind: "issues-unknown", count };
  const isInNext = choice.state === "resolved" && choice.inNextRelease === true;
  return { kind: isInNext ? "resolved-next" : choice.state, count };
}

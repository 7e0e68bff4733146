/**
 * Shows the result of a change once, on the page that follows. A cookie for that path carries it
 * for a minute, so it is neither in the URL nor in the history.
 */
import { Buffer } from "node:buffer";
import { getCookie } from "hono/cookie";
import { LOCAL_ASSIGNEE, listMemberNames } from "../../core/accounts/names.ts";
import { FIRST_PROJECT_ID } from "../../core/accounts/project-path.ts";
import { parseDigest } from "../../core/grouping/parse-digest.ts";
import type { ShownFlash } from "../../ui/layout/flash-message.tsx";
import type { AppContext } from "../context.ts";
import { type PageOptions, sendPage } from "../send-page.tsx";
import { formatSetCookieHeader } from "../set-cookie.ts";
import { type StoredFlash, toShownFlash } from "./messages.ts";

const COOKIE = "errata-flash";
const COOKIE_SECONDS = 60;
/** Kind, count, id for undoing, digest and the assignee's name in base64url. */
const COOKIE_VALUE =
  /^([a-z][a-z\d-]*)\.(\d{1,6})\.([0-9a-f]{32})?\.([0-9A-Z-]{9})?(?:\.([\w-]{1,400}))?$/;

/** The `Set-Cookie` header that makes the page at `url` show the message. */
export function createFlashCookie(flash: StoredFlash, url: URL): string {
  const { kind, count, digest = "", assignee = "", undoId = "" } = flash;
  const name = assignee && `.${Buffer.from(assignee).toString("base64url")}`;
  return createCookie(`${kind}.${count}.${undoId}.${digest}${name}`, COOKIE_SECONDS, url);
}

/**
 * Sends a page with its flash message, if any. The message is in the title too, for screen readers.
 */
export async function sendPageWithFlash(
  c: AppContext,
  createPage: (flash: ShownFlash | undefined) => PageOptions,
): Promise<Response> {
  const flash = readFlash(c);
  const page = createPage(flash);
  if (flash === undefined) return sendPage(c, page);
  const response = await sendPage(c, { ...page, title: `${flash.text} ${page.title}` });
  response.headers.append("Set-Cookie", createCookie("", 0, new URL(c.req.url)));
  return response;
}

function readFlash(c: AppContext): ShownFlash | undefined {
  const [, kind, count, undoId, digestText = "", name = ""] =
    COOKIE_VALUE.exec(getCookie(c, COOKIE) ?? "") ?? [];
  if (kind === undefined) return undefined;
  const digest = parseDigest(digestText);
  const assignee = Buffer.from(name, "base64url").toString();
  return toShownFlash({
    kind,
    count: Number(count),
    undoId,
    digest: digest.ok ? digest.value : undefined,
    assignee: isKnownAssignee(c, assignee) ? assignee : undefined,
  });
}

/** True for a name of a member, in the copy of the registry that authentication has read. */
function isKnownAssignee(c: AppContext, name: string): boolean {
  if (name === LOCAL_ASSIGNEE) return c.get("principal").actor.kind === "local";
  const known = c.get("services").registry.getLastCopy();
  return (
    known !== null && listMemberNames(known, c.get("project") ?? FIRST_PROJECT_ID).includes(name)
  );
}

function createCookie(value: string, seconds: number, url: URL): string {
  return formatSetCookieHeader(COOKIE, value, { url, maxAgeSeconds: seconds, path: url.pathname });
}

/**
 * Shows the result of a change once, on the page that follows. A cookie for that path carries it
 * for a minute, so it is neither in the URL nor in the history.
 */
import { Buffer } from "node:buffer";
import { getCookie } from "hono/cookie";
import { LOCAL_ASSIGNEE, listMemberNames } from "../../core/accounts/names.ts";
import { FIRST_PROJECT_ID } from "../../core/accounts/registry.ts";
import { parseDigest } from "../../core/grouping/parse-digest.ts";
import type { DecisionInput } from "../../core/issue/decision.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { Digest } from "../../core/report.ts";
import {
  type Flash,
  type FlashKind,
  formatFlash,
  isFlashKind,
} from "../../ui/layout/flash-message.tsx";
import type { AppContext } from "../context.ts";
import type { Failure } from "../failures.ts";
import { type PageOptions, sendPage } from "../send-page.tsx";
import { formatSetCookieHeader } from "../set-cookie.ts";

const COOKIE = "errata-flash";
const COOKIE_SECONDS = 60;
/** Kind, count, id for undoing, digest and the assignee's name in base64url. */
const COOKIE_VALUE =
  /^([a-z-]+)\.(\d{1,6})\.([0-9a-f]{32})?\.([0-9A-Z-]{9})?(?:\.([\w-]{1,400}))?$/;

/** The `Set-Cookie` header that makes the page at `url` show the message. */
export function createFlashCookie(flash: Flash, url: URL): string {
  const { kind, count, digest = "", assignee = "", undoId = "" } = flash;
  const name = assignee && `.${Buffer.from(assignee).toString("base64url")}`;
  return createCookie(`${kind}.${count}.${undoId}.${digest}${name}`, COOKIE_SECONDS, url);
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
  const [, kind = "", count, undoId, digestText = "", name = ""] =
    COOKIE_VALUE.exec(getCookie(c, COOKIE) ?? "") ?? [];
  if (!isFlashKind(kind)) return undefined;
  const digest = parseDigest(digestText);
  const assignee = Buffer.from(name, "base64url").toString();
  return {
    kind,
    count: Number(count),
    ...omitUndefined({
      undoId,
      digest: digest.ok ? digest.value : undefined,
      assignee: isKnownAssignee(c, assignee) ? assignee : undefined,
    }),
  };
}

/** As `isMember`, but from the copy of the registry that authentication has read. */
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

/** The message for a change that failed. */
export function toFailureFlash(failure: Failure): Flash {
  const { reason } = failure;
  const ownKind = reason === "too-many" ? FLASH_BY_CAUSE.get(failure.limit) : undefined;
  return { kind: ownKind ?? FLASH_BY_CAUSE.get(reason) ?? "not-changed", count: 0 };
}

/** The messages by the reason of a failure; by the limit, if that one has its own. */
const FLASH_BY_CAUSE: ReadonlyMap<string, FlashKind> = new Map([
  ["unknown-digest", "not-found"],
  ["unknown-report", "not-found"],
  ["unknown-upload", "upload-unknown"],
  ["bad-annotation", "not-annotated"],
  ["bad-decision", "not-decided"],
  ["bad-bulk-action", "not-decided"],
  ["bad-view", "not-saved"],
  ["unknown-member", "not-assigned"],
  ["maxSplitDigests", "not-split"],
  ["too-many", "not-stored"],
  ["forbidden", "not-allowed"],
  ["bad-erasure", "not-erased"],
]);

/** The message for a decision about issues, which `undoId` undoes. */
export function toDecisionFlash(
  digests: readonly Digest[],
  { state, ...conditions }: DecisionInput,
  undoId?: string,
): Flash {
  if (digests.length === 0) return { kind: "issues-unknown", count: 0 };
  const isInNext = state === "resolved" && "inNextRelease" in conditions;
  return toActionFlash(isInNext ? "resolved-next" : state, digests, undoId);
}

/** The message for an action that changed issues. */
export function toActionFlash(kind: FlashKind, digests: readonly Digest[], undoId?: string): Flash {
  const [digest, ...others] = digests;
  const only = others.length === 0 ? digest : undefined;
  return { kind, count: digests.length, ...omitUndefined({ digest: only, undoId }) };
}

/** The message for an assignment of issues to `to`; undefined removes the assignee. */
export function toAssignmentFlash(
  to: string | undefined,
  digests: readonly Digest[],
  undoId?: string,
): Flash {
  if (to === undefined) return toActionFlash("unassigned", digests, undoId);
  return { ...toActionFlash("assigned", digests, undoId), assignee: to };
}

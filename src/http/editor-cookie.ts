/** The editor of this browser for one project, stored in a cookie: `vscode /home/ada/shop`. */
import { getCookie } from "hono/cookie";
import {
  type EditorSetting,
  parseEditorName,
  parseRoot,
} from "../core/repositories/editor-link.ts";
import type { AppContext } from "./context.ts";
import { formatSetCookieHeader } from "./set-cookie.ts";

const COOKIE_SECONDS = 365 * 86_400;

/** The stored setting of the project; null without a valid one. */
export function readEditorCookie(c: AppContext, project: string): EditorSetting | null {
  const [, word = "", rest = ""] = /^(\S+) (.*)$/.exec(getCookie(c, toName(project)) ?? "") ?? [];
  const [editor, root] = [parseEditorName(word), parseRoot(rest)];
  return editor === undefined || root === undefined ? null : { editor, root };
}

/** The `Set-Cookie` header that stores the setting for a year; null deletes the cookie. */
export function createEditorCookie(
  project: string,
  setting: EditorSetting | null,
  url: Pick<URL, "protocol">,
): string {
  const value = setting === null ? "" : `${setting.editor} ${setting.root}`;
  const maxAgeSeconds = setting === null ? 0 : COOKIE_SECONDS;
  return formatSetCookieHeader(toName(project), value, { url, maxAgeSeconds });
}

function toName(project: string): string {
  return `errata-editor-${project}`;
}

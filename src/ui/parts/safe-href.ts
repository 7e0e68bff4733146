/**
 * Decides whether a reported string may become a link. Reports are hostile input: everything but
 * http and https stays text (`javascript:`, `data:`, `blob:`, relative URLs).
 */

import { EDITORS } from "../../core/repositories/editor-link.ts";

/** The URL to link to without its credentials, or undefined if `url` must stay text. */
export function safeHref(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return undefined;
  parsed.username = "";
  parsed.password = "";
  return parsed.href;
}

/** The URL if it opens a file in a known editor (`EDITORS`), otherwise undefined. */
export function safeEditorHref(url: string | undefined): string | undefined {
  const isKnown = Object.keys(EDITORS).some((scheme) => url?.startsWith(`${scheme}://`));
  return isKnown ? url : undefined;
}

/**
 * Decides whether a reported string may become a link. Reports are hostile input: everything but
 * http and https stays text (`javascript:`, `data:`, `blob:`, relative URLs).
 */

/** The URL to link to without its credentials, or undefined if `url` must stay text. */
export function safeHref(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return undefined;
  parsed.username = "";
  parsed.password = "";
  return parsed.href;
}

/**
 * The one gate between a reported string and a link. Reports are hostile input: what is not plainly http or https is shown
 * as text (`javascript:`, `data:`, `blob:`, anything relative).
 */

/** The address to link to, or undefined when `url` must stay text. Credentials in it are left out. */
export function safeHref(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return undefined;
  parsed.username = "";
  parsed.password = "";
  return parsed.href;
}

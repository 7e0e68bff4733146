/** An address out of a report: a link when it is http(s), otherwise the text that it is. */
import { safeHref } from "./safe-href.ts";

/** The address as reported, linked only if `safeHref` allows; the link tells its target nothing of the desk. */
export function ReportedUrl({ url }: { readonly url: string }) {
  const href = safeHref(url);
  if (href === undefined) return <bdi className="url">{url}</bdi>;
  return (
    <a className="url" href={href} rel="noreferrer noopener nofollow ugc">
      <bdi>{url}</bdi>
    </a>
  );
}

/** A URL from a report: a link if it is http(s), otherwise text. */
import { safeHref } from "./safe-href.ts";

/** The URL as reported, linked if `safeHref` permits it, without a referrer. */
export function ReportedUrl({ url }: { readonly url: string }) {
  const href = safeHref(url);
  if (href === undefined) return <bdi>{url}</bdi>;
  return (
    <a href={href} rel="noreferrer noopener nofollow ugc">
      <bdi>{url}</bdi>
    </a>
  );
}

/** Adds URLs to what operations say about issues: they know none. */
import { toIssueUrl, toPlaceUrl } from "../ui/urls/issue-urls.ts";
import type { AppContext } from "./context.ts";
import { toProjectUrl } from "./project-url.ts";

/** The output with `url`, if it is about an issue, and with the `url` of each of its places. */
export function addIssueUrls(c: AppContext, output: object): object {
  const { digest, places }: { readonly digest?: unknown; readonly places?: unknown } = output;
  if (typeof digest !== "string") return output;
  const withUrl = { ...output, url: toProjectUrl(c, toIssueUrl(digest)) };
  if (!Array.isArray(places)) return withUrl;
  const addUrl = (place: { readonly key: string }) => {
    return { ...place, url: toProjectUrl(c, toPlaceUrl(digest, place.key)) };
  };
  return { ...withUrl, places: places.map(addUrl) };
}

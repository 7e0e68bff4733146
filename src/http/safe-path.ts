/** Restricts redirects to paths on this host. */
import type { AppContext } from "./context.ts";

/** The path and query of a path on this host; "/" for any other value, including other hosts. */
export function toSafePath(c: AppContext, path: unknown): string {
  const { origin } = new URL(c.req.url);
  const url = typeof path === "string" && path.startsWith("/") ? URL.parse(path, origin) : null;
  // A serialized path that begins with two slashes would lead to another host.
  const isSafe = url?.origin === origin && !url.pathname.startsWith("//");
  return isSafe ? url.pathname + url.search : "/";
}

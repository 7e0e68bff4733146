/** What the hooks of React Router know of a request: its route, and what was refused by design. */

import { readString } from "../core/read-property.ts";
import { PAGE_FACTS_HEADER, readPageFact } from "./page-facts.ts";
import { addPageFacts } from "./served-request.ts";

const routes = new WeakMap<Request, string>();

/** Keeps the pattern of the request's route, for hooks that are not told of it. */
export function recordRoute(known: {
  readonly request: Request;
  readonly matches?: readonly { readonly route: { readonly path?: string | undefined } }[];
}): void {
  // React Router 7 has the pattern under the second name.
  const pattern = readString(known, "pattern") ?? readString(known, "unstable_pattern");
  const paths = known.matches?.flatMap(({ route }) => route.path ?? []);
  const route = pattern ?? paths?.join("/");
  if (route === undefined || (route === "" && routes.has(known.request))) return;
  routes.set(known.request, `/${route}`.replace(/\/{2,}/g, "/"));
}

/** The pattern of the request's route. Without a record, that which `params` tell. */
export function findRoute(
  request: Request,
  params: Readonly<Record<string, string | undefined>> = {},
): string {
  const known = routes.get(request);
  if (known !== undefined) return known;
  const path = new URL(request.url).pathname.replace(/\.data$/, "");
  return Object.entries(params).reduceRight((pattern, [name, value]) => {
    const part = `/${(value ?? "").split("/").map(encodeURIComponent).join("/")}`;
    const start = pattern.lastIndexOf(part);
    const rest = pattern.slice(start + part.length);
    if (part === "/" || start < 0 || !/^(?:\/|$)/.test(rest)) return pattern;
    return `${pattern.slice(0, start)}/${name === "*" ? "*" : `:${name}`}${rest}`;
  }, path);
}

/**
 * True for the error with which React Router refuses a form of another site, with status 400. It
 * has no type or member of its own.
 */
export function isRefusedPost(thrown: unknown, request: Request): boolean {
  const origin = request.headers.get("origin");
  if (origin === null || origin === new URL(request.url).origin) return false;
  return /Aborting the action\.$|^Bad Request$/.test(readString(thrown, "message") ?? "");
}

/** The response with the facts of its request in `Server-Timing`, once for all hooks. */
export async function addFacts(response: Response, request: Request): Promise<Response> {
  const isDone = readPageFact(response.headers.get(PAGE_FACTS_HEADER), "trace") !== undefined;
  return isDone ? response : addPageFacts(response, request);
}

/**
 * The paths of the site that the front answers: the reporter's script, from this Worker, so that no
 * page waits for Errata, and everything below the same path, from Errata.
 */

import { reporterScript } from "./reporter-script.ts";

/** Where Errata is. */
export interface Desk {
  /** `https://errata.example`. */
  readonly origin: string;
  readonly project: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** The paths of the script below that of the front: of any contents, and of a version. */
const SCRIPT = /^\/errata(?:-([\da-f]{12}))?\.js$/;
const YEAR_SECONDS = 31_536_000;
const SHORT_SECONDS = 300;

/** The path of the script in a page. It changes with the script's bytes. */
export function toScriptPath(path: string): string {
  return `${path}/errata-${reporterScript.version}.js`;
}

/** The part of a path behind that of the front, `/errata.js`; undefined for paths of the site. */
export function readOwnPath(pathname: string, path: string): string | undefined {
  if (!pathname.startsWith(path)) return undefined;
  const rest = pathname.slice(path.length);
  return rest === "" || rest.startsWith("/") ? rest : undefined;
}

/** The response of the front to one of its paths. Never rejects. */
export async function answerOwnPath(request: Request, rest: string, desk: Desk): Promise<Response> {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const script = SCRIPT.exec(rest);
  if (isRead && script !== null) return respondWithScript(request, script[1]);
  try {
    return await forward(request, rest, desk);
  } catch {
    return new Response(null, { status: 503, headers: { "cache-control": "no-store" } });
  }
}

/** Another version than the asked one is kept for a short time: both run during a deployment. */
function respondWithScript({ method, headers: asked }: Request, askedVersion?: string): Response {
  const { text, version } = reporterScript;
  const isVersioned = askedVersion === version;
  const etag = `"${version}"`;
  const headers = {
    "cache-control": isVersioned
      ? `public, max-age=${YEAR_SECONDS}, immutable`
      : `public, max-age=${SHORT_SECONDS}`,
    "content-type": "text/javascript; charset=utf-8",
    "x-content-type-options": "nosniff",
    etag,
  };
  const known = asked.get("if-none-match") ?? "";
  if (known.includes(etag)) return new Response(null, { status: 304, headers });
  return new Response(method === "HEAD" ? null : text, { headers });
}

/**
 * Headers that belong to the site and its visitors. The user name of a site's basic authentication
 * would be taken for an ingest key.
 */
const PRIVATE_HEADERS = ["cookie", "host", "proxy-authorization"];

/** Sends a request to Errata as the visitor's browser has sent it, without the site's secrets. */
async function forward(request: Request, rest: string, desk: Desk): Promise<Response> {
  const { method, body } = request;
  const { search } = new URL(request.url);
  const headers = new Headers(request.headers);
  for (const name of PRIVATE_HEADERS) headers.delete(name);
  if (/^basic\b/i.test(headers.get("authorization") ?? "")) headers.delete("authorization");
  const path = rest === "" || rest === "/" ? `/${desk.project}` : rest;
  const response = await desk.fetch(`${desk.origin}/monitoring${path}${search}`, {
    method,
    headers,
    body,
    redirect: "manual",
  });
  const answered = new Response(response.body, response);
  answered.headers.delete("set-cookie");
  return answered;
}

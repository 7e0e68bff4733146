/**
 * Sends a page: the one way from a handler to `renderPage`. It decides the form (streamed or whole), the headers and the
 * reporting of failures, so that no page can forget them.
 */
import { getCookie } from "hono/cookie";
import type { ReactNode } from "react";
import { ownTrace } from "../core/own-trace.ts";
import { projectBase } from "../core/project-path.ts";
import { FIRST_PROJECT } from "../core/registry/registry.ts";
import type { RenderOptions } from "../render/stream.tsx";
import { AtPlace, NOWHERE, type PlaceFacts } from "../ui/place.tsx";
import { tellTrace } from "./correlation.ts";
import { failureSink } from "./own-failures.ts";
import { pageHeaders } from "./security.ts";
import type { AppContext } from "./services.ts";
import { setCookieHeader } from "./set-cookie.ts";
import { themeOf } from "./theme-cookie.ts";

/** Asks for the whole page, and the cookie that remembers it. */
const WHOLE = "whole";
const WHOLE_COOKIE = "errata-whole";
const WHOLE_COOKIE_SECONDS = 86_400;

/** A page: what stands in it, and what it is called. `route` is its pattern, `/d/:digest`. */
export interface Page {
  readonly title: string;
  readonly route: string;
  readonly status?: number;
  readonly content: ReactNode;
  readonly deadlineMs?: number;
  readonly script?: RenderOptions["script"];
  readonly failurePage?: RenderOptions["failurePage"];
}

/** Streams a page, or sends it whole to a browser that runs no scripts. */
export async function sendPage(c: AppContext, page: Page): Promise<Response> {
  // With the first page: reports need no React, and a Worker starts in a third less time without it.
  const { renderPage } = await import("../render/stream.tsx");
  const services = c.get("services");
  const { config } = services;
  const url = new URL(c.req.url);
  const nonce = services.nonce();
  const headers = pageHeaders(url, nonce);
  const traceId = ownTrace(services.mintId());
  tellTrace(headers, traceId, url);
  if (url.searchParams.has(WHOLE)) headers.append("Set-Cookie", wholeCookie(url));
  const content = <AtPlace place={placeOf(c)}>{page.content}</AtPlace>;
  return renderPage(content, {
    title: page.title,
    nonce,
    headers,
    route: page.route,
    environment: config.environment,
    release: config.release,
    theme: themeOf(c),
    path: url.pathname + url.search,
    wholeUrl: wantsWhole(c) ? undefined : wholeUrl(url),
    deadlineMs: page.deadlineMs ?? config.renderDeadlineMs,
    failures: failureSink(services, c.req.raw, { route: page.route, traceId }),
    ...(page.status !== undefined && { status: page.status }),
    ...(page.script !== undefined && { script: page.script }),
    ...(page.failurePage !== undefined && { failurePage: page.failurePage }),
  });
}

/** Where the page stands, and for whom: nowhere for whoever has not come through the door. */
function placeOf(c: AppContext): PlaceFacts {
  const visitor = c.get("visitor");
  const current = c.get("project") ?? FIRST_PROJECT;
  if (visitor === undefined) return { ...NOWHERE, base: projectBase(current) };
  return {
    base: projectBase(current),
    role: visitor.projects.find(({ project }) => project.id === current)?.role ?? null,
    name: visitor.name,
    projects: visitor.projects.map(({ project: { id, name } }) => ({
      id,
      name,
      url: `${projectBase(id)}/`,
      isCurrent: id === current,
    })),
  };
}

/** True for a browser that gets whole pages: nothing on them should be waited for that may not come. */
export function wantsWhole(c: AppContext): boolean {
  const isSwap = c.req.header("errata-swap") !== undefined;
  return isSwap || c.req.query(WHOLE) !== undefined || getCookie(c, WHOLE_COOKIE) !== undefined;
}

/** True when the client asks for JSON rather than a page. */
export function wantsJson(c: AppContext): boolean {
  if (c.req.path.endsWith(".json")) return true;
  const accept = c.req.header("accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

/**
 * A promise that may stay unread: when a page's shell fails, nobody will ever look at what its boundaries waited for, and
 * a rejection must not be counted as unhandled.
 */
export function optional<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** The same address, relative to itself: a path that begins with two slashes would lead to another host. */
function wholeUrl(url: URL): string {
  const query = new URLSearchParams(url.search);
  query.set(WHOLE, "1");
  return `?${query}`;
}

/** Readable for the page's script, which removes it: a browser in which that script runs needs no whole pages. */
function wholeCookie(url: URL): string {
  return setCookieHeader(WHOLE_COOKIE, "1", {
    url,
    seconds: WHOLE_COOKIE_SECONDS,
    isReadable: true,
  });
}

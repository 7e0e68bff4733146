/**
 * Until sign-in is configured the desk answers on a local address alone. Anywhere else it is closed, with one clear sentence:
 * an error desk holds the worst secrets of a company, and nothing is open by default.
 */
import { createMiddleware } from "hono/factory";
import { CLOSED_SENTENCE, ClosedPage } from "../ui/pages/closed-page.tsx";
import { sendPage, wantsJson } from "./page.tsx";
import type { AppEnv } from "./services.ts";

const LOCAL_HOST = /^(localhost|([a-z0-9-]+\.)+localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
const LOCAL_PEER = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

/**
 * True when the address that was asked for is local and nothing says that the request came from farther away: a proxy in
 * front of a local server makes it reachable from elsewhere, whatever name it passes on.
 */
export function isLocal(request: Request): boolean {
  const { headers } = request;
  if (!LOCAL_HOST.test(new URL(request.url).hostname)) return false;
  if (headers.has("forwarded") || headers.has("x-forwarded-for") || headers.has("x-real-ip"))
    return false;
  const peer = headers.get("cf-connecting-ip");
  return peer === null || LOCAL_PEER.test(peer);
}

/** Lets local requests through and answers all others with 503. */
export const localOnly = createMiddleware<AppEnv>(async function localOnly(c, next) {
  if (isLocal(c.req.raw)) return next();
  if (wantsJson(c)) return c.json({ reason: "closed", detail: CLOSED_SENTENCE }, 503);
  return sendPage(c, {
    title: "The desk is closed",
    route: "closed",
    status: 503,
    content: <ClosedPage />,
  });
});

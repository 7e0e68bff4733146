/** Responses for unknown URLs and for errors that handlers throw. */
import { Layout } from "../../ui/layout/layout.tsx";
import { NotFoundPage } from "../../ui/layout/not-found-page.tsx";
import { authenticate } from "../auth/authenticate.ts";
import type { AppContext } from "../context.ts";
import { sendPage, wantsJson } from "../send-page.tsx";

/** 404 for an unknown URL. */
export async function serveNotFound(c: AppContext): Promise<Response> {
  if (wantsJson(c))
    return c.json({ reason: "not-found", detail: "There is nothing at this address." }, 404);
  // Signed-in visitors get links to the desk.
  const visitor = await authenticate(c).catch(() => null);
  return sendPage(c, {
    title: "Page not found",
    route: "not-found",
    status: 404,
    content: (
      <Layout isSignedIn={visitor !== null}>
        <NotFoundPage />
      </Layout>
    ),
  });
}

/**
 * A thrown error is handled like a failed shell: a failure page with a digest, a log entry and a
 * report.
 */
export function serveError(thrown: Error, c: AppContext): Response | Promise<Response> {
  if (c.get("services") === undefined) throw thrown;
  return sendPage(c, {
    title: "Application error",
    route: c.req.routePath,
    content: <Rethrow thrown={thrown} />,
  });
}

function Rethrow({ thrown }: { readonly thrown: unknown }): never {
  throw thrown;
}

/** The two ends that no handler chose: an address that does not exist, and something that was thrown. */
import { Layout } from "../../ui/layout/layout.tsx";
import { NotFoundPage } from "../../ui/layout/not-found-page.tsx";
import { authenticate } from "../auth/authenticate.ts";
import type { AppContext } from "../context.ts";
import { sendPage, wantsJson } from "../send-page.tsx";

/** 404 for an address that Errata does not have. */
export async function serveNotFound(c: AppContext): Promise<Response> {
  if (wantsJson(c))
    return c.json({ reason: "not-found", detail: "There is nothing at this address." }, 404);
  // Who is known is led back to the desk.
  const visitor = await authenticate(c).catch(() => null);
  return sendPage(c, {
    title: "Nothing here",
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
 * What a handler throws is handled like a shell that failed: it becomes a digest on the failure page, in the log and in the
 * store.
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

/** Responses for unknown URLs and for errors that handlers throw. */
import { Layout } from "../../ui/layout/layout.tsx";
import { NotFoundPage } from "../../ui/layout/not-found-page.tsx";
import { authenticate } from "../auth/authenticate.ts";
import { getHomeProject } from "../auth/authorize.tsx";
import type { AppContext } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import { reportThrown } from "../report-own-failures.ts";
import { sendPage, wantsJson } from "../send-page.tsx";

/** 404 for an unknown URL. */
export async function serveNotFound(c: AppContext): Promise<Response> {
  if (wantsJson(c) || isForPrograms(c))
    return c.json({ reason: "not-found", detail: "Page not found." }, 404);
  // Signed-in visitors get the desk of their project.
  const visitor = await authenticate(c).catch(() => null);
  if (visitor !== null) {
    const [, projectId] = /^\/p\/(\d+)(?:\/|$)/.exec(c.req.path) ?? [];
    const isMember = visitor.projects.some(({ project }) => project.id === projectId);
    c.set("principal", visitor);
    c.set("project", projectId !== undefined && isMember ? projectId : getHomeProject(visitor));
  }
  return sendPage(c, {
    title: "Page not found",
    route: "not-found",
    status: 404,
    content: (
      <Layout isSignedIn={visitor !== null}>
        <NotFoundPage isSignedIn={visitor !== null} />
      </Layout>
    ),
  });
}

/**
 * A thrown error is handled like a failed shell: a failure page with a digest, a log entry and a
 * report. Programs get JSON with the digest.
 */
export function serveError(thrown: Error, c: AppContext): Response | Promise<Response> {
  const services: AppContext["var"]["services"] | undefined = c.get("services");
  if (services === undefined) throw thrown;
  if (wantsJson(c) || isForPrograms(c)) {
    const digest = reportThrown(services, c.req.raw, thrown, c.req.routePath);
    return toFailureResponse({ reason: "internal-error", status: 500, digest });
  }
  return sendPage(c, {
    title: "Application error",
    route: c.req.routePath,
    content: <Rethrow thrown={thrown} />,
  });
}

/** True for `/api`, `/v1`, `/mcp` and the paths below them, which have no pages. */
function isForPrograms(c: AppContext): boolean {
  return /^\/+(?:p\/\d+\/)?(?:api|v1|mcp)(?:\/|$)/.test(c.req.path);
}

function Rethrow({ thrown }: { thrown: unknown }): never {
  throw thrown;
}

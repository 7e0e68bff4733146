/**
 * The door of the desk. Every route names what it needs; whoever comes is looked up, and gets in, or an answer that says no more than
 * he may know. A change is asked of the registry itself, so that who was locked out a second ago changes nothing.
 */
import { createMiddleware } from "hono/factory";
import { hasRole } from "../../core/accounts/permissions.ts";
import { getProjectBasePath, toProjectPath } from "../../core/accounts/project-path.ts";
import { FIRST_PROJECT_ID, type Role } from "../../core/accounts/registry.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { ForbiddenPage } from "../../ui/account/forbidden-page.tsx";
import { NotSetUpPage } from "../../ui/account/not-set-up-page.tsx";
import { Layout } from "../../ui/layout/layout.tsx";
import { NotFoundPage } from "../../ui/layout/not-found-page.tsx";
import type { AppContext, AppEnv, Principal } from "../context.ts";
import { type AuthorizationFailure, toFailureResponse } from "../failures.ts";
import { hasOriginHeaders, isSameOrigin } from "../forms/csrf.ts";
import { sendPage, wantsJson } from "../send-page.tsx";
import { authenticate } from "./authenticate.ts";

/** What a route needs: a role in the project that its address names; or that somebody is known at all. */
export type RequiredRole = Role | "person";

/**
 * How a route differs from those that read when they are asked by GET, and change otherwise: it reads although it is posted; its changes
 * are the registry's own, which looks up the rights and notes them itself; or it reads so much that it is noted.
 */
export type RouteMode = "read-only-post" | "registry-checked" | "audited-read";

/** Lets in who has what the route needs. */
export function authorize(requiredRole: RequiredRole, routeMode?: RouteMode) {
  return createMiddleware<AppEnv>(async function authorizeRequest(c, next) {
    let access: Result<Principal, AuthorizationFailure>;
    try {
      access = await checkAccess(c, requiredRole, routeMode);
    } catch (cause) {
      c.get("services").logProblem(cause);
      return toFailureResponse({ reason: "registry-unavailable" });
    }
    if (!access.ok) return deny(c, access, requiredRole);
    const project = requiredRole === "person" ? getHomeProject(access.value) : getProjectId(c);
    c.set("project", project);
    if (project !== FIRST_PROJECT_ID) c.set("services", c.get("services").forProject(project));
    await next();
    prefixRedirect(c, project);
  });
}

async function checkAccess(
  c: AppContext,
  requiredRole: RequiredRole,
  routeMode: RouteMode | undefined,
): Promise<Result<Principal, AuthorizationFailure>> {
  const { registry } = c.get("services");
  const isWrite = c.req.method !== "GET" && c.req.method !== "HEAD";
  const isChange = isWrite && routeMode !== "read-only-post";
  const principal = await authenticate(c);
  if (principal === null) {
    return fail({ reason: (await canAnyoneSignIn(c)) ? "unauthenticated" : "not-set-up" });
  }
  c.set("principal", principal);
  if (isChange && !isTrustedOrigin(c, principal)) return fail({ reason: "cross-site" });
  if (requiredRole === "person") return ok(principal);
  const project = getProjectId(c);
  const role =
    principal.projects.find((membership) => membership.project.id === project)?.role ?? null;
  if (role === null) return fail({ reason: "no-such-project" });
  if (!hasRole(role, requiredRole)) return fail({ reason: "forbidden" });
  const { actor } = principal;
  const isAudited = routeMode === "audited-read" || (isChange && routeMode !== "registry-checked");
  if (isAudited && actor.kind !== "local") {
    const action = `${c.req.method} ${c.req.routePath.replace(/^\/p\/:project/, "")}`;
    const subject = c.req.param("digest");
    if (!(await registry.authorizeAction(actor, { project, requiredRole, action, subject }))) {
      return fail({ reason: "forbidden" });
    }
  }
  return ok(principal);
}

/**
 * False for what another site had a browser send. What browsers add by themselves proves nothing unless they say whose page it was;
 * a token is added by nobody but who has it.
 */
function isTrustedOrigin(c: AppContext, { actor }: Principal): boolean {
  if (actor.kind === "token") return true;
  if (!isSameOrigin(c.req.raw)) return false;
  return actor.kind === "local" || hasOriginHeaders(c.req.raw);
}

/** The project that an address names; the first one where it names none. */
function getProjectId(c: AppContext): string {
  return c.req.param("project") ?? FIRST_PROJECT_ID;
}

/** Where somebody is at home: in the first project, or in the first of his own. */
function getHomeProject({ projects }: Principal): string {
  const projectIds = projects.map(({ project }) => project.id);
  return projectIds.includes(FIRST_PROJECT_ID)
    ? FIRST_PROJECT_ID
    : (projectIds[0] ?? FIRST_PROJECT_ID);
}

/** True when there is a way to enter: Access, a code of this deployment, or somebody who has entered before. */
async function canAnyoneSignIn(c: AppContext): Promise<boolean> {
  const { config, registry, nowMs } = c.get("services");
  if (config.access !== undefined) return true;
  if (config.setup !== undefined && config.setup.expiresMs > nowMs()) return true;
  return (await registry.readCopy()).people.length > 0;
}

/** Redirects of the desk name places within the project. */
function prefixRedirect(c: AppContext, project: string): void {
  const location = c.res.headers.get("Location");
  if (location?.startsWith("/") && project !== FIRST_PROJECT_ID) {
    c.res.headers.set("Location", toProjectPath(getProjectBasePath(project), location));
  }
}

function deny(
  c: AppContext,
  failure: AuthorizationFailure,
  requiredRole: RequiredRole,
): Response | Promise<Response> {
  if (wantsJson(c) || c.req.method !== "GET") return toFailureResponse(failure);
  switch (failure.reason) {
    case "unauthenticated": {
      const { pathname, search } = new URL(c.req.url);
      const query = pathname === "/" ? "" : `?returnTo=${encodeURIComponent(pathname + search)}`;
      return c.redirect(`/sign-in${query}`, 303);
    }
    case "not-set-up":
      return sendPage(c, {
        title: "The desk is closed",
        route: "not-set-up",
        status: 503,
        content: <NotSetUpPage />,
      });
    case "no-such-project": {
      const principal = c.get("principal");
      // The address of the whole desk, and not that of a project.
      if (c.req.path === "/") {
        const home =
          principal.projects.length > 0
            ? `${getProjectBasePath(getHomeProject(principal))}/`
            : "/projects";
        return c.redirect(home, 303);
      }
      return sendPage(c, {
        title: "Nothing here",
        route: "not-found",
        status: 404,
        content: (
          <Layout isSignedIn={false}>
            <NotFoundPage />
          </Layout>
        ),
      });
    }
    case "forbidden":
      c.set("project", getProjectId(c));
      return sendPage(c, {
        title: "Not yours to open",
        route: "forbidden",
        status: 403,
        content: (
          <Layout isSignedIn>
            <ForbiddenPage requiredRole={requiredRole === "owner" ? "owner" : "member"} />
          </Layout>
        ),
      });
    case "cross-site":
      return toFailureResponse(failure);
  }
}

/**
 * Authorizes requests. `routes-by-role.ts` names the role that each route needs. The registry
 * itself authorizes changes, so removed members lose access immediately.
 */
import type { MiddlewareHandler } from "hono";
import { hasRole } from "../../core/accounts/actors.ts";
import {
  FIRST_PROJECT_ID,
  getProjectBasePath,
  toProjectPath,
} from "../../core/accounts/project-path.ts";
import type { Role } from "../../core/accounts/registry.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { SIGN_IN_PATH } from "../../core/scrubbing/own-secrets.ts";
import { ForbiddenPage, NotSetUpPage, SignedOutPage } from "../../ui/account/denied-pages.tsx";
import { Layout } from "../../ui/layout/layout.tsx";
import { NotFoundPage } from "../../ui/layout/not-found-page.tsx";
import type { AppContext, AppEnv, Principal } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import type { AuthorizationFailure } from "../failures.ts";
import { hasOriginHeaders, isSameOrigin } from "../forms/csrf.ts";
import { toSafePath } from "../safe-path.ts";
import { sendPage, wantsJson } from "../send-page.tsx";
import { authenticate, hasInsecureToken, readBearerToken } from "./authenticate.ts";

/** The role that a route needs in its project; "person" for any signed-in person. */
type RequiredRole = Role | "person";

/**
 * Modes of routes that differ from "GET reads, other methods change": a POST that only reads; a
 * change that an operation or the registry authorizes and audits itself; a read that is audited; a
 * change whose response has no reported text.
 */
type RouteMode = "read-only-post" | "operation" | "registry-checked" | "audited-read" | "upload";

/** Middleware that admits principals with the required role. */
export function authorize(
  requiredRole: RequiredRole,
  routeMode?: RouteMode,
): MiddlewareHandler<AppEnv> {
  return async function authorizeRequest(c, next) {
    const access = await checkAccess(c, requiredRole, routeMode);
    if (!access.ok) return deny(c, access, requiredRole);
    // Pages, exports and live reports have reported text of every level.
    const { lowestTrust = "public" } = access.value;
    if (lowestTrust !== "public" && routeMode !== "upload")
      return toFailureResponse({ reason: "api-only" });
    const project = requiredRole === "person" ? getHomeProject(access.value) : getProjectId(c);
    selectProject(c, project);
    await next();
    prefixRedirect(c, project);
  };
}

/**
 * The principal of a request, if it has the required role in the project of the URL, or is an
 * upload token of the project and the request is one of those that `acceptsUploads` permits.
 */
export async function checkAccess(
  c: AppContext,
  requiredRole: RequiredRole,
  routeMode: RouteMode | undefined,
  acceptsUploads = false,
): Promise<Result<Principal, AuthorizationFailure>> {
  try {
    return await readAccess(c, requiredRole, routeMode, acceptsUploads);
  } catch (cause) {
    c.get("services").logProblem(cause);
    return fail({ reason: "registry-unavailable" });
  }
}

/** Rejects while the registry is unavailable. */
async function readAccess(
  c: AppContext,
  requiredRole: RequiredRole,
  routeMode: RouteMode | undefined,
  acceptsUploads: boolean,
): Promise<Result<Principal, AuthorizationFailure>> {
  const { registry } = c.get("services");
  const isWrite = c.req.method !== "GET" && c.req.method !== "HEAD";
  const isChange = isWrite && routeMode !== "read-only-post";
  if (hasInsecureToken(c)) return fail({ reason: "https-required" });
  const principal = await authenticate(c, acceptsUploads, getProjectId(c));
  if (principal === null)
    return fail({ reason: (await canAnyoneSignIn(c)) ? "unauthenticated" : "not-set-up" });
  c.set("principal", principal);
  if (principal.actor.kind === "local" && !isOwnPageOrNavigation(c.req.raw))
    return fail({ reason: "cross-site" });
  if (isChange && !isTrustedOrigin(c, principal)) return fail({ reason: "cross-site" });
  if (requiredRole === "person") return ok(principal);
  const project = getProjectId(c);
  if (principal.uploadProject === project) return ok(principal);
  const role =
    principal.projects.find((membership) => membership.project.id === project)?.role ?? null;
  if (role === null) return fail({ reason: "no-such-project" });
  const mayUpload = acceptsUploads ? principal.mayUpload : undefined;
  if (!(mayUpload ?? hasRole(role, requiredRole))) return fail({ reason: "forbidden" });
  const { actor } = principal;
  const isCheckedLater = routeMode === "operation" || routeMode === "registry-checked";
  const isAudited = routeMode === "audited-read" || (isChange && !isCheckedLater);
  if (isAudited && actor.kind !== "local") {
    const action = `${c.req.method} ${c.req.routePath.replace(/^\/p\/:project/, "")}`;
    const subject = c.req.param("digest");
    c.set("project", project);
    const audited = { project, requiredRole, action, subject };
    if ((await registry.authorizeAction(actor, audited)) === null)
      return fail({ reason: "forbidden" });
  }
  return ok(principal);
}

/** Sets the project of the request, and its services. */
export function selectProject(c: AppContext, project = getProjectId(c)): void {
  c.set("project", project);
  if (project !== FIRST_PROJECT_ID) c.set("services", c.get("services").forProject(project));
}

/**
 * False for a request that another site made a browser send. Browsers add cookies to all requests,
 * so they must also state the origin. A token needs no origin, since only its owner can send it.
 */
function isTrustedOrigin(c: AppContext, { actor }: Principal): boolean {
  if (actor.kind === "token") return true;
  if (!isSameOrigin(c.req.raw)) return false;
  return actor.kind === "local" || hasOriginHeaders(c.req.raw);
}

/**
 * False for a request of another site's page, except navigation. Local access needs no cookie, so
 * pages of any site could otherwise make requests as the owner.
 */
function isOwnPageOrNavigation(request: Request): boolean {
  return isSameOrigin(request) || request.headers.get("sec-fetch-mode") === "navigate";
}

/** The project that the URL names; the first project if it names none. */
function getProjectId(c: AppContext): string {
  return c.req.param("project") ?? FIRST_PROJECT_ID;
}

/** The principal's home project: the first project if accessible, else the first of their own. */
export function getHomeProject({ projects }: Principal): string {
  const projectIds = projects.map(({ project }) => project.id);
  return projectIds.includes(FIRST_PROJECT_ID)
    ? FIRST_PROJECT_ID
    : (projectIds[0] ?? FIRST_PROJECT_ID);
}

/** True if anyone can sign in: by Access, by the setup code, or as an existing person. */
async function canAnyoneSignIn(c: AppContext): Promise<boolean> {
  const { config, registry, nowMs } = c.get("services");
  if (config.access !== undefined) return true;
  if (config.setup !== undefined && config.setup.expiresMs > nowMs()) return true;
  return (await registry.readCopy()).people.length > 0;
}

/** Adds the prefix of the project to redirects, which are relative to it. */
function prefixRedirect(c: AppContext, project: string): void {
  const location = c.res.headers.get("Location");
  if (location?.startsWith("/") && project !== FIRST_PROJECT_ID)
    c.res.headers.set("Location", toProjectPath(getProjectBasePath(project), location));
}

/** True if a page of Errata sent a form natively; its response is shown as a page. */
function isOwnForm(c: AppContext): boolean {
  const acceptsPage = c.req.header("accept")?.includes("text/html") === true;
  return acceptsPage && hasOriginHeaders(c.req.raw) && isSameOrigin(c.req.raw);
}

async function sendSignedOutPage(c: AppContext): Promise<Response> {
  const response = await sendPage(c, {
    title: "You are signed out",
    route: "signed-out",
    status: 401,
    content: <SignedOutPage formPath={readFormPath(c)} />,
  });
  // RFC 9110 § 15.5.2.
  response.headers.set("WWW-Authenticate", "Bearer");
  return response;
}

/** The path of the page that has the form; "/" if the browser does not state it. */
function readFormPath(c: AppContext): string {
  const referrer = URL.parse(c.req.header("referer") ?? "");
  const isOwn = referrer?.origin === new URL(c.req.url).origin;
  return toSafePath(c, isOwn ? referrer.pathname + referrer.search : "/");
}

function deny(
  c: AppContext,
  failure: AuthorizationFailure,
  requiredRole: RequiredRole,
): Response | Promise<Response> {
  const isProgram = wantsJson(c) || readBearerToken(c) !== undefined;
  const isChange = c.req.method !== "GET";
  if (isProgram || (isChange && !isOwnForm(c))) return toFailureResponse(failure);
  switch (failure.reason) {
    case "unauthenticated": {
      if (isChange) return sendSignedOutPage(c);
      const { pathname, search } = new URL(c.req.url);
      const query = pathname === "/" ? "" : `?returnTo=${encodeURIComponent(pathname + search)}`;
      return c.redirect(`${SIGN_IN_PATH}${query}`, 303);
    }
    case "not-set-up":
      return sendPage(c, {
        title: "Setup required",
        route: "not-set-up",
        status: 503,
        content: <NotSetUpPage />,
      });
    case "no-such-project": {
      const principal = c.get("principal");
      // The root URL, which belongs to no project.
      if (c.req.path === "/") {
        const home =
          principal.projects.length > 0
            ? `${getProjectBasePath(getHomeProject(principal))}/`
            : "/projects";
        return c.redirect(home, 303);
      }
      c.set("project", getHomeProject(principal));
      return sendPage(c, {
        title: "Page not found",
        route: "not-found",
        status: 404,
        content: (
          <Layout isSignedIn>
            <NotFoundPage isSignedIn />
          </Layout>
        ),
      });
    }
    case "forbidden":
      c.set("project", getProjectId(c));
      return sendPage(c, {
        title: "Access denied",
        route: "forbidden",
        status: 403,
        content: (
          <Layout isSignedIn>
            <ForbiddenPage requiredRole={requiredRole === "owner" ? "owner" : "member"} />
          </Layout>
        ),
      });
    case "cross-site":
    case "https-required":
    case "api-only":
    case "registry-unavailable":
      return toFailureResponse(failure);
  }
}

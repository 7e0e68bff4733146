/**
 * The door of the desk. Every route names what it needs; whoever comes is looked up, and gets in, or an answer that says no more than
 * he may know. A change is asked of the registry itself, so that who was locked out a second ago changes nothing.
 */
import { createMiddleware } from "hono/factory";
import { inProject, projectBase } from "../core/project-path.ts";
import { FIRST_PROJECT, type Role } from "../core/registry/registry.ts";
import { reaches } from "../core/registry/rights.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { Layout } from "../ui/layout.tsx";
import { ClosedPage } from "../ui/pages/closed-page.tsx";
import { MissingPage } from "../ui/pages/missing-page.tsx";
import { NotAllowedPage } from "../ui/pages/not-allowed-page.tsx";
import { type DoorFailure, failureResponse } from "./failures.ts";
import { sendPage, wantsJson } from "./page.tsx";
import { isSameOrigin, saysItsSite } from "./same-origin.ts";
import type { AppContext, AppEnv, Visitor } from "./services.ts";
import { visitorOf } from "./visitor.ts";

/** What a route needs: a role in the project that its address names; or that somebody is known at all. */
export type Needs = Role | "person";

/**
 * How a route differs from those that read when they are asked by GET, and change otherwise: it reads although it is posted; its changes
 * are the registry's own, which looks up the rights and notes them itself; or it reads so much that it is noted.
 */
export type Way = "reads" | "is-registry" | "is-noted";

/** Lets in who has what the route needs. */
export function door(needs: Needs, way?: Way) {
  return createMiddleware<AppEnv>(async function atTheDoor(c, next) {
    let entered: Result<Visitor, DoorFailure>;
    try {
      entered = await letIn(c, needs, way);
    } catch (cause) {
      c.get("services").logProblem(cause);
      return failureResponse({ reason: "registry-unavailable" });
    }
    if (!entered.ok) return turnedAway(c, entered, needs);
    const project = needs === "person" ? homeOf(entered.value) : projectOf(c);
    c.set("project", project);
    if (project !== FIRST_PROJECT) c.set("services", c.get("services").of(project));
    await next();
    stayInProject(c, project);
  });
}

async function letIn(
  c: AppContext,
  needs: Needs,
  way: Way | undefined,
): Promise<Result<Visitor, DoorFailure>> {
  const { registry } = c.get("services");
  const isPosted = c.req.method !== "GET" && c.req.method !== "HEAD";
  const isChange = isPosted && way !== "reads";
  const visitor = await visitorOf(c);
  if (visitor === null) {
    return fail({ reason: (await canAnybody(c)) ? "sign-in" : "nobody-may-enter" });
  }
  c.set("visitor", visitor);
  if (isChange && !isOwnPage(c, visitor)) return fail({ reason: "cross-site" });
  if (needs === "person") return ok(visitor);
  const project = projectOf(c);
  const role = visitor.projects.find((one) => one.project.id === project)?.role ?? null;
  if (role === null) return fail({ reason: "no-such-project" });
  if (!reaches(role, needs)) return fail({ reason: "not-allowed" });
  const { actor } = visitor;
  const isNoted = way === "is-noted" || (isChange && way !== "is-registry");
  if (isNoted && actor.is !== "local") {
    const deed = `${c.req.method} ${c.req.routePath.replace(/^\/p\/:project/, "")}`;
    const subject = c.req.param("digest");
    if (!(await registry.admit(actor, { project, needs, deed, subject }))) {
      return fail({ reason: "not-allowed" });
    }
  }
  return ok(visitor);
}

/**
 * False for what another site had a browser send. What browsers add by themselves proves nothing unless they say whose page it was;
 * a token is added by nobody but who has it.
 */
function isOwnPage(c: AppContext, { actor }: Visitor): boolean {
  if (actor.is === "token") return true;
  if (!isSameOrigin(c.req.raw)) return false;
  return actor.is === "local" || saysItsSite(c.req.raw);
}

/** The project that an address names; the first one where it names none. */
function projectOf(c: AppContext): string {
  return c.req.param("project") ?? FIRST_PROJECT;
}

/** Where somebody is at home: in the first project, or in the first of his own. */
function homeOf({ projects }: Visitor): string {
  const own = projects.map(({ project }) => project.id);
  return own.includes(FIRST_PROJECT) ? FIRST_PROJECT : (own[0] ?? FIRST_PROJECT);
}

/** True when there is a way to enter: Access, a code of this deployment, or somebody who has entered before. */
async function canAnybody(c: AppContext): Promise<boolean> {
  const { config, registry, nowMs } = c.get("services");
  if (config.access !== undefined) return true;
  if (config.setup !== undefined && config.setup.untilMs > nowMs()) return true;
  return (await registry.copy()).people.length > 0;
}

/** Redirects of the desk name places within the project. */
function stayInProject(c: AppContext, project: string): void {
  const location = c.res.headers.get("Location");
  if (location?.startsWith("/") && project !== FIRST_PROJECT) {
    c.res.headers.set("Location", inProject(projectBase(project), location));
  }
}

function turnedAway(
  c: AppContext,
  failure: DoorFailure,
  needs: Needs,
): Response | Promise<Response> {
  if (wantsJson(c) || c.req.method !== "GET") return failureResponse(failure);
  switch (failure.reason) {
    case "sign-in": {
      const { pathname, search } = new URL(c.req.url);
      const to = pathname === "/" ? "" : `?to=${encodeURIComponent(pathname + search)}`;
      return c.redirect(`/enter${to}`, 303);
    }
    case "nobody-may-enter":
      return sendPage(c, {
        title: "The desk is closed",
        route: "closed",
        status: 503,
        content: <ClosedPage />,
      });
    case "no-such-project": {
      const visitor = c.get("visitor");
      // The address of the whole desk, and not that of a project.
      if (c.req.path === "/") {
        const home = visitor.projects.length > 0 ? `${projectBase(homeOf(visitor))}/` : "/projects";
        return c.redirect(home, 303);
      }
      return sendPage(c, {
        title: "Nothing here",
        route: "missing",
        status: 404,
        content: (
          <Layout deskOpen={false}>
            <MissingPage />
          </Layout>
        ),
      });
    }
    case "not-allowed":
      c.set("project", projectOf(c));
      return sendPage(c, {
        title: "Not yours to open",
        route: "not-allowed",
        status: 403,
        content: (
          <Layout deskOpen>
            <NotAllowedPage needs={needs === "owner" ? "owner" : "member"} />
          </Layout>
        ),
      });
    case "cross-site":
      return failureResponse(failure);
  }
}

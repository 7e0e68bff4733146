/** `/projects`: lists a person's projects and creates new ones. */

import { getProjectBasePath } from "../../../core/accounts/project-path.ts";
import { limits } from "../../../core/limits.ts";
import { parseName } from "../../../core/plain-text.ts";
import { ok } from "../../../core/result.ts";
import { ProjectsPage } from "../../../ui/account/projects-page.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import type { AppContext } from "../../context.ts";
import { expected, type FormFields, type Parsed, readForm } from "../../forms/form-body.ts";
import { type RejectedForm, rerenderFormOnError } from "../../forms/form-error-page.ts";
import { respondToAction } from "../../forms/respond.ts";
import { sendPage, wantsJson } from "../../send-page.tsx";

/** Serves the list. JSON: `{"projects":[{"id","name","role","url"}]}`. */
export async function serveProjects(c: AppContext): Promise<Response> {
  return sendProjectsPage(c);
}

async function sendProjectsPage(c: AppContext, rejected?: RejectedForm): Promise<Response> {
  const listedProjects = c.get("principal").projects.map(({ project, role }) => ({
    id: project.id,
    name: project.name,
    role,
    url: `${getProjectBasePath(project.id)}/`,
    isArchived: project.archivedMs !== undefined,
  }));
  if (wantsJson(c)) return c.json({ projects: listedProjects });
  return sendPage(c, {
    title: "Projects",
    route: "/projects",
    ...(rejected && { status: rejected.status }),
    content: (
      <Layout current="projects" isSignedIn>
        <ProjectsPage
          projects={listedProjects}
          canCreate={listedProjects.some(({ role }) => role === "owner")}
          error={rejected?.detail}
        />
      </Layout>
    ),
  });
}

/**
 * `POST /projects`: takes `name`. Redirects to the setup of the new project; JSON: `{"project"}`.
 */
export async function createProjectFromForm(c: AppContext): Promise<Response> {
  const response = await respondToAction(
    c,
    async () => {
      const name = await readForm(c.req.raw, "bad-settings", parseProjectName);
      if (!name.ok) return name;
      const { registry } = c.get("services");
      const { actor } = c.get("principal");
      const result = await registry.applyChange(actor, { do: "create-project", name: name.value });
      if (!result.ok) return result;
      const project = result.value.createdId ?? "";
      return ok({ body: { project }, redirectTo: `${getProjectBasePath(project)}/connect` });
    },
    { dependency: "registry" },
  );
  return rerenderFormOnError(c, response, (rejected) => sendProjectsPage(c, rejected));
}

function parseProjectName(fields: FormFields): Parsed<string> {
  const name = parseName(fields.get("name"), limits.maxProjectNameChars);
  return name === undefined
    ? expected(`a name of at most ${limits.maxProjectNameChars} characters`)
    : ok(name);
}

/** `/projects`: lists a person's projects and creates new ones. */

import { getProjectBasePath } from "../../../core/accounts/project-path.ts";
import { parseChangeForm } from "../../../core/accounts/registry-changes.ts";
import { ok } from "../../../core/result.ts";
import { ProjectsPage } from "../../../ui/account/projects-page.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import type { AppContext } from "../../context.ts";
import { readForm } from "../../forms/form-body.ts";
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
    status: rejected?.status,
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
      const form = await readForm(c.req.raw, "bad-settings", (fields) =>
        parseChangeForm("any-owner", { do: "create-project", name: fields.get("name") }, {}),
      );
      if (!form.ok) return form;
      const { registry } = c.get("services");
      const { actor } = c.get("principal");
      const result = await registry.applyChange(actor, form.value);
      if (!result.ok) return result;
      const project = result.value.createdId ?? "";
      return ok({ body: { project }, redirectTo: `${getProjectBasePath(project)}/connect` });
    },
    { dependency: "registry" },
  );
  return rerenderFormOnError(c, response, (rejected) => sendProjectsPage(c, rejected));
}

/** `/projects`: the projects that somebody may enter, and how an owner makes another one. */
import { limits } from "../core/limits.ts";
import { projectBase } from "../core/project-path.ts";
import { fail, ok } from "../core/result.ts";
import { Layout } from "../ui/layout.tsx";
import { ProjectsPage } from "../ui/pages/projects-page.tsx";
import { answerChange } from "./change.ts";
import { nameIn } from "./field-values.ts";
import { readFields } from "./fields.ts";
import { sendPage, wantsJson } from "./page.tsx";
import { orPage, type Refused } from "./refused.ts";
import type { AppContext } from "./services.ts";

/** The page. JSON: `{"projects":[{"id","name","role","url"}]}`. */
export async function projects(c: AppContext): Promise<Response> {
  return sendProjects(c);
}

async function sendProjects(c: AppContext, refused?: Refused): Promise<Response> {
  const own = c.get("visitor").projects.map(({ project, role }) => ({
    id: project.id,
    name: project.name,
    role,
    url: `${projectBase(project.id)}/`,
    isArchived: project.archivedMs !== undefined,
  }));
  if (wantsJson(c)) return c.json({ projects: own });
  return sendPage(c, {
    title: "Projects",
    route: "/projects",
    ...(refused && { status: refused.status }),
    content: (
      <Layout current="projects" deskOpen>
        <ProjectsPage
          projects={own}
          mayCreate={own.some(({ role }) => role === "owner")}
          problem={refused?.detail}
        />
      </Layout>
    ),
  });
}

/** `POST /projects`: takes a `name`. Leads to the lines that connect an application to the new project; JSON: `{"project"}`. */
export async function createProject(c: AppContext): Promise<Response> {
  const answer = await answerChange(
    c,
    async () => {
      const fields = await readFields(c.req.raw);
      if (!fields.ok) return fields;
      const name = nameIn(fields.value.get("name"), limits.maxProjectNameChars);
      if (name === undefined) {
        const expected = `a name of at most ${limits.maxProjectNameChars} characters`;
        return fail({ reason: "bad-settings", expected });
      }
      const { registry } = c.get("services");
      const { actor } = c.get("visitor");
      const made = await registry.change(actor, { do: "create-project", name });
      if (!made.ok) return made;
      const project = made.value.made ?? "";
      return ok({ said: { project }, leadsTo: `${projectBase(project)}/connect` });
    },
    { asked: "registry" },
  );
  return orPage(c, answer, (refused) => sendProjects(c, refused));
}

/** The page at `/projects`: the person's projects, and a form to create one. */

import type { Role } from "../../core/accounts/registry.ts";
import { FormError } from "../parts/form-error.tsx";
import { ChangeNameField } from "../settings/change-form.tsx";
import { formatRole } from "../settings/role-select.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";

interface ProjectsPageProps {
  readonly projects: readonly ListedProject[];
  readonly canCreate: boolean;
  /** Why a project was not created. */
  readonly error?: string | undefined;
}

interface ListedProject {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly url: string;
  readonly isArchived: boolean;
}

export function ProjectsPage({ projects, canCreate, error }: ProjectsPageProps) {
  return (
    <div className="projects-page">
      <header className="page-header">
        <h1>Projects</h1>
        <p>
          Each project has its own keys, members and reports. Members see only their own projects.
        </p>
      </header>
      <FormError message={error} />
      {projects.length === 0 ? (
        <p className="empty-state">No projects yet. Ask a project owner for an invitation.</p>
      ) : (
        <ul className="entries">
          {projects.map(({ id, name, role, url, isArchived }) => (
            <SettingsEntry
              key={id}
              heading="h2"
              name={
                <a href={url} target="_self">
                  <bdi>{name}</bdi>
                </a>
              }
              badge={isArchived && <span className="badge">archived</span>}
              facts={[formatRole(role)]}
            >
              {role === "owner" && (
                <p className="entry-actions">
                  <a href={`${url}settings`} aria-label={`Settings of ${name}`}>
                    Settings
                  </a>
                </p>
              )}
            </SettingsEntry>
          ))}
        </ul>
      )}
      {canCreate && (
        <section aria-labelledby="new-project">
          <h2 id="new-project">New project</h2>
          <p className="muted">You become its owner. It starts with one ingest key.</p>
          <form method="post" action="/projects" className="form-row-inline">
            <ChangeNameField change="create-project" id="project-name" placeholder="Web shop" />
            <button type="submit">Create project</button>
          </form>
        </section>
      )}
    </div>
  );
}

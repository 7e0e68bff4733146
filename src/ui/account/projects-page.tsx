/** The projects that somebody may enter, and how an owner makes another one. */

import type { Role } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { FormError } from "../parts/form-error.tsx";
import { SettingsEntry } from "../settings/entry.tsx";
import { formatRole } from "../settings/role-select.tsx";

/** What the page is made of. */
export interface ProjectsPageProps {
  readonly projects: readonly ListedProject[];
  readonly canCreate: boolean;
  /** Why another one was not made. */
  readonly error?: string | undefined;
}

/** One of them. */
export interface ListedProject {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly url: string;
  readonly isArchived: boolean;
}

/** The page at `/projects`. */
export function ProjectsPage({ projects, canCreate, error }: ProjectsPageProps) {
  return (
    <div className="projects-page">
      <header className="page-header">
        <h1>Projects</h1>
        <p>
          Reports that belong together, each with keys and members of its own. Who is in one sees
          nothing of another.
        </p>
      </header>
      <FormError message={error} />
      {projects.length === 0 ? (
        <p className="empty-state">
          You are in no project. An owner of one can send you an invitation; it leads you in as who
          you are.
        </p>
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
          <h2 id="new-project">Another project</h2>
          <p className="muted">You own it then. It has a key at once, and shows how to use it.</p>
          <form method="post" action="/projects" className="form-row-inline">
            <label>
              <span>Name</span>
              <input
                name="name"
                type="text"
                required
                maxLength={limits.maxProjectNameChars}
                placeholder="Web shop"
                autoComplete="off"
                dir="auto"
              />
            </label>
            <button type="submit">Make project</button>
          </form>
        </section>
      )}
    </div>
  );
}

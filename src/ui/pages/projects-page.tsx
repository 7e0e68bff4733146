/** The projects that somebody may enter. */
import type { Role } from "../../core/registry/registry.ts";

/** What the page is made of. */
export interface ProjectsPageProps {
  readonly projects: readonly OwnProject[];
  readonly mayCreate: boolean;
}

/** One of them. */
export interface OwnProject {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly url: string;
  readonly isArchived: boolean;
}

/** The page at `/projects`. */
export function ProjectsPage({ projects }: ProjectsPageProps) {
  return (
    <ul>
      {projects.map(({ id, name, url }) => (
        <li key={id}>
          <a href={url}>{name}</a>
        </li>
      ))}
    </ul>
  );
}

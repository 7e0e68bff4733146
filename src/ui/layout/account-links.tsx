/** The header links of the signed-in person: their projects and their profile. */

import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import { ChevronIcon } from "../parts/icons.tsx";

/**
 * The current project as a menu of all of the person's projects; nothing with fewer than two. Each
 * project is loaded as a document of its own, with its own live socket.
 */
export function ProjectMenu() {
  const { projects } = useDesk();
  const current = projects.find(({ isCurrent }) => isCurrent);
  if (projects.length < 2) return null;
  return (
    <div className="project-switch">
      <button type="button" className="menu-button borderless" popoverTarget="projects">
        <span className="visually-hidden">Project: </span>
        <bdi>{current?.name ?? "Projects"}</bdi>
        <ChevronIcon />
      </button>
      <div id="projects" className="menu" popover="auto">
        <ul>
          {projects.map(({ id, name, url, isCurrent }) => (
            <li key={id}>
              <a href={url} target="_self" aria-current={isCurrent ? "true" : undefined}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
          <li>
            <DeskLink href="/projects">All projects</DeskLink>
          </li>
        </ul>
      </div>
    </div>
  );
}

/** Links to the profile under the person's name; nothing under `ERRATA_LOCAL`. */
export function ProfileLink({ isCurrent }: { readonly isCurrent: boolean }) {
  const { name } = useDesk();
  if (name === undefined) return null;
  return (
    <DeskLink
      className="profile-link"
      href="/profile"
      aria-current={isCurrent ? "page" : undefined}
    >
      <span className="visually-hidden">You: </span>
      <bdi>{name}</bdi>
    </DeskLink>
  );
}

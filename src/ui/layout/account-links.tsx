/** Links that belong to whoever looks: the project that he is in and his others, and himself. */

import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import { ChevronIcon } from "../parts/icons.tsx";

/**
 * The project that the page is of, which opens the others; nothing for who has one alone. Another project is another document, which
 * hears of its own arrivals.
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

/** The visitor's own page, by the name that others see; nothing for whoever is local. */
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

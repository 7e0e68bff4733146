/** Links that belong to whoever looks: the project that he is in and his others, and himself. */
import { Chevron } from "./marks.tsx";
import { A, usePlace } from "./place.tsx";

/**
 * The project that the page is of, which opens the others; nothing for who has one alone. Another project is another document, which
 * hears of its own arrivals.
 */
export function ProjectSwitch() {
  const { projects } = usePlace();
  const current = projects.find(({ isCurrent }) => isCurrent);
  if (projects.length < 2) return null;
  return (
    <div className="project-switch">
      <button type="button" className="opener quiet" popoverTarget="projects">
        <span className="unseen">Project: </span>
        <bdi>{current?.name ?? "Projects"}</bdi>
        <Chevron />
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
            <A href="/projects">All projects</A>
          </li>
        </ul>
      </div>
    </div>
  );
}

/** The visitor's own page, by the name that others see; nothing for whoever is local. */
export function OwnLink({ isCurrent }: { readonly isCurrent: boolean }) {
  const { name } = usePlace();
  if (name === undefined) return null;
  return (
    <A className="own" href="/me" aria-current={isCurrent ? "page" : undefined}>
      <span className="unseen">You: </span>
      <bdi>{name}</bdi>
    </A>
  );
}

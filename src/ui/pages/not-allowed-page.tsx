/** The page of what somebody may not open in a project that is otherwise his. */
import { usePlace } from "../place.tsx";

/** Says whose page it is, and who could change that. */
export function NotAllowedPage({ needs }: { readonly needs: "member" | "owner" }) {
  const project = usePlace().projects.find(({ isCurrent }) => isCurrent);
  return (
    <article className="prose">
      <h1>Not yours to open</h1>
      <p>
        This page is for {needs}s of <bdi>{project?.name ?? "the project"}</bdi>. Its owners can
        change what you may.
      </p>
    </article>
  );
}

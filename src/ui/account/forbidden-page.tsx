/** The page of what somebody may not open in a project that is otherwise his. */
import { useDesk } from "../parts/desk-context.tsx";

/** Says whose page it is, and who could change that. */
export function ForbiddenPage({ requiredRole }: { readonly requiredRole: "member" | "owner" }) {
  const project = useDesk().projects.find(({ isCurrent }) => isCurrent);
  return (
    <article className="prose">
      <h1>Not yours to open</h1>
      <p>
        This page is for {requiredRole}s of <bdi>{project?.name ?? "the project"}</bdi>. Its owners
        can change what you may.
      </p>
    </article>
  );
}

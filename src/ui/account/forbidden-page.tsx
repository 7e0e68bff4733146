/** The 403 page for members whose role is too low. */
import { useDesk } from "../parts/desk-context.tsx";

/** Names the required role and the project. */
export function ForbiddenPage({ requiredRole }: { readonly requiredRole: "member" | "owner" }) {
  const project = useDesk().projects.find(({ isCurrent }) => isCurrent);
  return (
    <article className="prose">
      <h1>Access denied</h1>
      <p>
        This page is for {requiredRole}s of <bdi>{project?.name ?? "the project"}</bdi>. Ask a
        project owner for access.
      </p>
    </article>
  );
}

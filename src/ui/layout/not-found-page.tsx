/** The 404 page. */
import { DeskLink } from "../parts/desk-context.tsx";

/** The page. Visitors who are not signed in can have a digest. */
export function NotFoundPage({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <article className="prose">
      <h1>Page not found</h1>
      {isSignedIn ? (
        <p>
          This page does not exist, or belongs to a project that you are not a member of. Go to the{" "}
          <DeskLink href="/">home page</DeskLink> or{" "}
          <DeskLink href="/projects">all projects</DeskLink>.
        </p>
      ) : (
        <p>
          If you have a digest, look it up at <code>/e/</code> followed by the digest.
        </p>
      )}
    </article>
  );
}

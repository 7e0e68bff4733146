/** The page of what somebody may not open in a project that is otherwise his. */

/** Says so, and who could change it. */
export function NotAllowedPage() {
  return (
    <article className="prose">
      <h1>Not yours to open</h1>
      <p>
        This page is for the owners of the project, or for its members. An owner can change what you
        may in the project’s settings.
      </p>
      <p>
        <a href="/projects">Your projects</a>
      </p>
    </article>
  );
}

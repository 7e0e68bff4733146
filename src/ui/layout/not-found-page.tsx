/** The page of an address that does not exist. */

/** Says so, and where to go. */
export function NotFoundPage() {
  return (
    <article className="prose">
      <h1>Nothing here</h1>
      <p>
        This address does not exist. If you have a digest, its receipt is at <code>/e/</code>{" "}
        followed by the digest.
      </p>
    </article>
  );
}

/** The 404 page. */
export function NotFoundPage() {
  return (
    <article className="prose">
      <h1>Page not found</h1>
      <p>
        If you have a digest, look it up at <code>/e/</code> followed by the digest.
      </p>
    </article>
  );
}

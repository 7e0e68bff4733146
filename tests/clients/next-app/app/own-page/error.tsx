"use client";

// The team's own error page, with the digest that Next.js hands to it.
export default function Failed({ error }: { error: Error & { digest?: string } }) {
  return (
    <main>
      <h1>Application error</h1>
      <p>Digest: {error.digest}</p>
    </main>
  );
}

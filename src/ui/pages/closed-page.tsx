/** What anyone gets who asks for the desk before it is known who may enter (status 503). It brings its own frame. */
import { Layout } from "../layout.tsx";

/** The one sentence, as the JSON answer says it too. */
export const CLOSED_SENTENCE =
  "The desk is closed: it answers on a local address only, until sign-in exists.";

/** The page: one sentence, and what still works. */
export function ClosedPage() {
  return (
    <Layout deskOpen={false}>
      <div className="slip-page">
        <section className="slip">
          <h1>{CLOSED_SENTENCE}</h1>
          <p>Reports are taken in all the same, and receipts answer. Nothing is lost.</p>
        </section>
      </div>
    </Layout>
  );
}

/** What anyone gets who asks for the desk before it is known who may enter (status 503). It brings its own frame. */
import { Layout } from "../layout.tsx";

/** The one sentence, as the JSON answer says it too. */
export const CLOSED_SENTENCE =
  "The desk is closed: nobody has been let in yet. Whoever deployed Errata has a link that opens it.";

/** The page: one sentence, how it is opened, and what still works. */
export function ClosedPage() {
  return (
    <Layout deskOpen={false}>
      <div className="slip-page">
        <section className="slip">
          <h1>{CLOSED_SENTENCE}</h1>
          <p>
            <code>npm run deploy</code> and <code>npm start</code> print it: it is good once, for a
            day. Or put the desk behind Cloudflare Access, with <code>ERRATA_ACCESS_TEAM</code> and{" "}
            <code>ERRATA_ACCESS_AUD</code>.
          </p>
          <p>Reports are taken in all the same, and receipts answer. Nothing is lost.</p>
        </section>
      </div>
    </Layout>
  );
}

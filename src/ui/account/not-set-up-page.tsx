/** What anyone gets who asks for the desk before it is known who may enter (status 503). It brings its own frame. */
import { Layout } from "../layout/layout.tsx";

const HEADING = "The desk is closed";
const EXPLANATION = "Nobody has been let in yet; whoever deployed Errata has a link that opens it.";

/** What the JSON answer says. */
export const NOT_SET_UP_DETAIL = `${HEADING}: ${EXPLANATION}`;

/** The page: why it is closed, how it is opened, and what still works. */
export function NotSetUpPage() {
  return (
    <Layout isSignedIn={false}>
      <div className="card-page">
        <section className="card">
          <h1>{HEADING}</h1>
          <p>{EXPLANATION}</p>
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

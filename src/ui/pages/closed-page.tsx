/** What anyone gets who asks for the desk before it is known who may enter (status 503). It brings its own frame. */
import { Layout } from "../layout.tsx";

const HEAD = "The desk is closed";
const WHY = "Nobody has been let in yet; whoever deployed Errata has a link that opens it.";

/** What the JSON answer says. */
export const CLOSED_SENTENCE = `${HEAD}: ${WHY}`;

/** The page: why it is closed, how it is opened, and what still works. */
export function ClosedPage() {
  return (
    <Layout deskOpen={false}>
      <div className="slip-page">
        <section className="slip">
          <h1>{HEAD}</h1>
          <p>{WHY}</p>
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

/** The 503 page before the first sign-in, with its own layout. */
import { Layout } from "../layout/layout.tsx";

const HEADING = "Setup required";
const EXPLANATION = "To create the first account, open the setup link that the deployment printed.";

/** The detail of the JSON response. */
export const NOT_SET_UP_DETAIL = `${HEADING}: ${EXPLANATION}`;

export function NotSetUpPage() {
  return (
    <Layout isSignedIn={false}>
      <div className="card-page">
        <section className="card">
          <h1>{HEADING}</h1>
          <p>{EXPLANATION}</p>
          <p>
            <code>npm run deploy</code> and <code>npm start</code> print the link. It works once and
            expires after a day. Or put Errata behind Cloudflare Access with{" "}
            <code>ERRATA_ACCESS_TEAM</code> and <code>ERRATA_ACCESS_AUD</code>.
          </p>
          <p>Reports are already being accepted, and receipts work.</p>
        </section>
      </div>
    </Layout>
  );
}

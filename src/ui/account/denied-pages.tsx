/** The pages of denied requests: the role is too low, the session ended, or no account exists. */
import type { ReactNode } from "react";
import { SIGN_IN_PATH } from "../../core/scrubbing/own-secrets.ts";

import { Layout } from "../layout/layout.tsx";
import { useDesk } from "../parts/desk-context.tsx";

/** The 403 page for members whose role is too low: names the required role and the project. */
export function ForbiddenPage({ requiredRole }: { requiredRole: "member" | "owner" }) {
  const project = useDesk().projects.find(({ isCurrent }) => isCurrent);
  return (
    <article className="prose">
      <h1>Access denied</h1>
      <p>
        This page is for {requiredRole}s of <bdi>{project?.name ?? "the project"}</bdi>. Ask a
        project owner for access.
      </p>
    </article>
  );
}

/**
 * The 401 page for a form that was sent after the session ended. Links to the sign-in page, which
 * continues to the page with the form, `formPath`.
 */
export function SignedOutPage({ formPath }: { formPath: string }) {
  return (
    <CardPage heading="You are signed out">
      <p>
        Your session has ended, so nothing was saved. To copy what you typed, go back in your
        browser.
      </p>
      <p>
        <a href={`${SIGN_IN_PATH}?returnTo=${encodeURIComponent(formPath)}`}>Sign in</a>
      </p>
    </CardPage>
  );
}

const HEADING = "Setup required";
const EXPLANATION = "To create the first account, open the setup link that the deployment printed.";

/** The detail of the JSON response. */
export const NOT_SET_UP_DETAIL = `${HEADING}: ${EXPLANATION}`;

/** The 503 page before the first sign-in. */
export function NotSetUpPage() {
  return (
    <CardPage heading={HEADING}>
      <p>{EXPLANATION}</p>
      <p>
        <code>npm run deploy</code> and <code>npm start</code> print the link. It works once and
        expires after a day. Or put Errata behind Cloudflare Access with{" "}
        <code>ERRATA_ACCESS_TEAM</code> and <code>ERRATA_ACCESS_AUD</code>.
      </p>
      <p>Reports are already being accepted, and receipts work.</p>
    </CardPage>
  );
}

/** A page with its own layout, for requests without a member. */
function CardPage({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Layout isSignedIn={false}>
      <div className="card-page">
        <section className="card">
          <h1>{heading}</h1>
          {children}
        </section>
      </div>
    </Layout>
  );
}

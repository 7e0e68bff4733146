/** The 401 page for a form that was sent after the session ended, with its own layout. */
import { Layout } from "../layout/layout.tsx";

interface SignedOutPageProps {
  /** The path of the page that has the form. */
  readonly formPath: string;
}

/** Links to the sign-in page, which continues to the page of the form. */
export function SignedOutPage({ formPath }: SignedOutPageProps) {
  return (
    <Layout isSignedIn={false}>
      <div className="card-page">
        <section className="card">
          <h1>You are signed out</h1>
          <p>
            Your session has ended, so nothing was saved. To copy what you typed, go back in your
            browser.
          </p>
          <p>
            <a href={`/sign-in?returnTo=${encodeURIComponent(formPath)}`}>Sign in</a>
          </p>
        </section>
      </div>
    </Layout>
  );
}

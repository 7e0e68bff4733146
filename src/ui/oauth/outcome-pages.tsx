/** The pages after a decision about a program, and in place of one. */
import { describeRedirect } from "./describe-redirect.ts";

/** The answer is on its way. Without the header `Refresh`, the link brings it. */
export function ReturnPage({ name, url }: { readonly name: string; readonly url: string }) {
  return (
    <div className="card-page">
      <section className="card">
        <h1>
          Return to <bdi>{name}</bdi>
        </h1>
        <p>Your browser brings your decision to the program. You can close this page then.</p>
        <p>
          <a href={url} data-oauth-return="">
            Continue to <bdi>{name}</bdi>
          </a>
        </p>
      </section>
    </div>
  );
}

/** The request of a program that Errata cannot answer. At `returnUrl`, the program hears it. */
export function ProblemPage({
  detail,
  returnUrl,
}: {
  readonly detail: string;
  readonly returnUrl?: string | undefined;
}) {
  return (
    <div className="card-page">
      <section className="card">
        <h1>The program cannot be connected</h1>
        <p>{detail}</p>
        {returnUrl !== undefined && (
          <p>
            <a href={returnUrl} data-oauth-return="">
              Return to <bdi>{describeRedirect(returnUrl)}</bdi>
            </a>
          </p>
        )}
        <p className="muted">
          Nothing was allowed. Start again in the program, or tell its authors. See{" "}
          <a href="/docs/access-and-roles#connected-programs">connected programs</a>.
        </p>
      </section>
    </div>
  );
}

/** The page that lists the environments of a project, and the periods. */
import { EnvironmentForm, listScopedPages, PeriodForm } from "../parts/scope-switch.tsx";

/** `isComplete` is false if the index did not answer, or has more environments. */
export function ScopePage({
  environments,
  isComplete,
}: {
  readonly environments: readonly string[];
  readonly isComplete: boolean;
}) {
  return (
    <article className="prose scope-page">
      <h1>Environment and period</h1>
      <p>This browser remembers both.</p>
      <section aria-labelledby="environments">
        <h2 id="environments">Environment</h2>
        <p className="muted">{listScopedPages("environment").join(" · ")}</p>
        <EnvironmentForm names={environments} />
        {!isComplete && <p className="muted">Some environments may be missing.</p>}
      </section>
      <section aria-labelledby="periods">
        <h2 id="periods">Period</h2>
        <p className="muted">{listScopedPages("period").join(" · ")}</p>
        <PeriodForm />
      </section>
    </article>
  );
}

/** The page that lists the environments of a project, and the periods. */
import { EnvironmentForm, PeriodForm } from "../parts/scope-switch.tsx";

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
      <p>
        This browser remembers both. The list of issues uses both. The home page, the chart of an
        issue, releases, policies and the issues of all projects use the period. Live uses the
        environment.
      </p>
      <section aria-labelledby="environments">
        <h2 id="environments">Environment</h2>
        <EnvironmentForm names={environments} />
        {!isComplete && <p className="muted">Some environments may be missing.</p>}
      </section>
      <section aria-labelledby="periods">
        <h2 id="periods">Period</h2>
        <PeriodForm />
      </section>
    </article>
  );
}

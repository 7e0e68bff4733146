/** How a release gets into reports, while none has. */
import { CopyButton } from "../parts/copy-button.tsx";

const EXAMPLES: readonly (readonly [where: string, lines: string])[] = [
  ["Any Sentry SDK", 'Sentry.init({ release: "1.4.0" })'],
  [
    "A page with Errata’s reporter",
    '<meta name="errata" content="/monitoring" data-release="1.4.0">',
  ],
  ["OpenTelemetry", "OTEL_RESOURCE_ATTRIBUTES=service.version=1.4.0"],
];

/** The empty state. */
export function NoReleasesYet() {
  return (
    <div className="empty-state">
      <p className="empty-heading">No report has named a release yet.</p>
      <p>
        A release is whatever name your build gives itself: a version, a commit. With it the desk
        knows what is new, what came back, and what a fix has mended.
      </p>
      <dl className="ways">
        {EXAMPLES.map(([where, lines]) => (
          <div key={where}>
            <dt>{where}</dt>
            <dd className="snippet">
              <pre>{lines}</pre>
              <CopyButton text={lines} label={`the line for: ${where}`} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

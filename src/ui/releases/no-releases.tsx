/** The empty state of the releases: how to set a release in reports. */
import { CopyButton } from "../parts/copy-button.tsx";

const EXAMPLES: readonly (readonly [sender: string, code: string])[] = [
  ["Any Sentry SDK", 'Sentry.init({ release: "1.4.0" })'],
  ["Errata’s browser reporter", '<meta name="errata" content="/monitoring" data-release="1.4.0">'],
  ["OpenTelemetry", "OTEL_RESOURCE_ATTRIBUTES=service.version=1.4.0"],
];

/** The explanation with an example per kind of sender. */
export function NoReleasesYet() {
  return (
    <div className="empty-state">
      <p className="empty-heading">No releases yet.</p>
      <p>
        A release is a name that your build chooses, such as a version or a commit. Set it in
        reports to see which issues are new, regressed or resolved in each release.
      </p>
      <dl className="ways">
        {EXAMPLES.map(([sender, code]) => (
          <div key={sender}>
            <dt>{sender}</dt>
            <dd className="snippet">
              <pre>{code}</pre>
              <CopyButton text={code} label={`the example for ${sender}`} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

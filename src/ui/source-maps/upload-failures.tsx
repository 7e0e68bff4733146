/** Failures of uploads. Plugins of bundlers hide them: the build succeeds. */
import type { SourceMapSummary } from "../../core/ports/source-maps-port.ts";
import { abbreviate } from "../parts/long-text.tsx";
import { pluralize } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";

const DETAIL_CHARS = 400;
const MAX_SHOWN_FAILURES = 5;

/** The newest failures; the older ones are folded. `failures` is not empty. */
export function UploadFailures({
  failures,
  nowMs,
}: {
  failures: SourceMapSummary["failures"];
  nowMs: number;
}) {
  const older = failures.slice(MAX_SHOWN_FAILURES);
  return (
    <div className="upload-failures">
      <h3>
        {failures.length === 1
          ? "An upload failed"
          : `${pluralize(failures.length, "upload")} failed`}
      </h3>
      <p className="muted">Most upload tools do not show the reason, and the build succeeds.</p>
      <FailureList failures={failures.slice(0, MAX_SHOWN_FAILURES)} nowMs={nowMs} />
      {older.length > 0 && (
        <details>
          <summary>{pluralize(older.length, "older failure")}</summary>
          <FailureList failures={older} nowMs={nowMs} />
        </details>
      )}
    </div>
  );
}

function FailureList({
  failures,
  nowMs,
}: {
  failures: SourceMapSummary["failures"];
  nowMs: number;
}) {
  return (
    <ul>
      {failures.map(({ atMs, detail }, n) => (
        <li key={n}>
          <RelativeTime atMs={atMs} nowMs={nowMs} /> <bdi>{abbreviate(detail, DETAIL_CHARS)}</bdi>
        </li>
      ))}
    </ul>
  );
}

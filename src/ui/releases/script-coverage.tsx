/** "12 of 14 scripts have maps", with a list of the others. */
import { use } from "react";
import type { ScriptCoverage } from "../../core/ports/source-maps-port.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { toFileCheckUrl } from "../urls/source-map-urls.ts";

const FILE_CHARS = 200;

/** The coverage; nothing if the stacks of the release name no script, or while it is unknown. */
export function ReleaseScripts({
  coverage,
  release,
}: {
  readonly coverage: Promise<readonly ScriptCoverage[] | null>;
  readonly release: string;
}) {
  const scripts = use(coverage) ?? [];
  if (scripts.length === 0) return null;
  const missing = scripts.filter(({ hasMap }) => !hasMap);
  return (
    <div className="script-coverage">
      <p data-complete={missing.length === 0 ? "" : undefined}>
        {formatNumber(scripts.length - missing.length)} of {pluralize(scripts.length, "script")} in
        the stacks of this release {scripts.length === 1 ? "has a map" : "have maps"}.
      </p>
      {missing.length > 0 && (
        <details>
          <summary>{pluralize(missing.length, "script")} without a map</summary>
          <ul>
            {missing.map(({ file }) => (
              <li key={file}>
                <DeskLink href={toFileCheckUrl(file, release)}>
                  <bdi>{abbreviate(file, FILE_CHARS)}</bdi>
                </DeskLink>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** The versions of the stored data of each Durable Object, and what is still being filled. */
import { use } from "react";
import type { NamedVersion, ObjectVersion } from "../../core/stats/object-version.ts";
import { formatNumber } from "../parts/number.tsx";

/** One sentence while all data is of this release; otherwise a table. */
export function DataVersions({ versions }: { versions: Promise<readonly NamedVersion[]> }) {
  const objects = use(versions);
  const isCurrent = objects.every(
    ({ version }) => version?.state.kind === "ready" && version.backfills.length === 0,
  );
  if (isCurrent) return <p>Stored data: all objects have the version of this release.</p>;
  return (
    <table className="number-table">
      <caption className="visually-hidden">Versions of stored data by object</caption>
      <thead>
        <tr>
          <th scope="col">Object</th>
          <th scope="col">Stored data</th>
          <th scope="col" className="number">
            Version
          </th>
          <th scope="col" className="number">
            This release
          </th>
        </tr>
      </thead>
      <tbody>
        {objects.map(({ object, name, version }) => (
          <tr key={`${object} ${name}`}>
            <th scope="row">
              {object} <bdi>{name}</bdi>
            </th>
            <td>{version === null ? "Temporarily unavailable" : describeState(version)}</td>
            <td className="number">{version?.data}</td>
            <td className="number">{version?.code}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function describeState({ state, backfills }: ObjectVersion): string {
  const rows = backfills.reduce((sum, { visited }) => sum + visited, 0);
  switch (state.kind) {
    case "ready":
      return backfills.length === 0 ? "Ready" : `Filling a column: ${formatNumber(rows)} rows`;
    case "newer":
      return "Of a later release: deploy that release again. Reports are kept.";
    case "too-old":
      return "Of a release that is too old: deploy the releases in between first";
    case "failed":
      return `Migration ${state.migration} failed: ${state.problem}. Errata tries again.`;
  }
}

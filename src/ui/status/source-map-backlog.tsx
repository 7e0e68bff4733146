/** The pending work of uploaded source maps. */
import { use } from "react";
import type { SourceMapBacklog } from "../../core/ports/source-maps-port.ts";
import { formatNumber, pluralize } from "../parts/number.tsx";

/** A sentence with the KV writes; nothing for a project without uploads. */
export function SourceMapBacklogNote({
  backlog,
}: {
  readonly backlog: Promise<SourceMapBacklog | undefined>;
}) {
  const found = use(backlog);
  if (found === undefined) return null;
  const { converting, unsaved, waitMs, failedWrites, usedToday, perDay } = found;
  return (
    <>
      {failedWrites > 0 && (
        <p className="warning">
          <b>KV refused {pluralize(failedWrites, "write")} of source maps.</b> Errata will try
          again. Until then, the uploads are in the Durable Object only.
        </p>
      )}
      <p>
        Source maps: {pluralize(converting, "upload")} to convert, {pluralize(unsaved, "upload")} to
        copy to KV
        {waitMs > 0 && ` in ${pluralize(Math.ceil(waitMs / 60_000), "minute")}`}. KV writes today:{" "}
        {formatNumber(usedToday)} of {formatNumber(perDay)}.
      </p>
    </>
  );
}

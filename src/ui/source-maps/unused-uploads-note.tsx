/** States that no upload resolved a frame within a day, probably because of a wrong setup. */
import { DeskLink } from "../parts/desk-context.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { SOURCE_MAPS_URL } from "../urls/source-map-urls.ts";

/** The note. `sinceMs` is the time of the first upload. */
export function UnusedUploadsNote({ sinceMs, nowMs }: { sinceMs: number; nowMs: number }) {
  return (
    <p className="callout">
      <b>No stack uses the uploaded source maps.</b> The first ones were uploaded{" "}
      <RelativeTime atMs={sinceMs} nowMs={nowMs} />.{" "}
      <DeskLink href={`${SOURCE_MAPS_URL}#check`}>Check a script</DeskLink>
    </p>
  );
}

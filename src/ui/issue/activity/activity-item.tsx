/** One entry of an issue's activity as text: "Resolved in 1.4.0 by Ada". */
import type { ReactNode } from "react";
import type { ActivityEntry } from "../../../core/issue/annotations.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { pluralize } from "../../parts/number.tsx";
import { UntilTime } from "../../parts/time.tsx";

const NAME_CHARS = 80;

const ACTION_TEXTS: Readonly<Record<ActivityEntry["action"], string>> = {
  commented: "Comment",
  assigned: "Assigned to ",
  unassigned: "Unassigned",
  opened: "Reopened",
  muted: "Muted",
  trusted: "Reopened by the first report of a higher trust level",
  resolved: "Resolved",
  ignored: "Ignored",
  regressed: "Regressed",
  merged: "Merged ",
  split: "Split off ",
};

/** The action, and its author if that person was signed in. */
export function ActivityItem({ entry, nowMs }: { entry: ActivityEntry; nowMs: number }) {
  return (
    <>
      {ACTION_TEXTS[entry.action]}
      {formatObject(entry, nowMs)}
      {entry.by !== undefined && (
        <>
          {" "}
          by <bdi>{abbreviate(entry.by, NAME_CHARS)}</bdi>
        </>
      )}
    </>
  );
}

/** The object of the action: a person, a release, a digest or a limit. */
function formatObject(entry: ActivityEntry, nowMs: number): ReactNode {
  switch (entry.action) {
    case "assigned":
      return <bdi>{abbreviate(entry.to, NAME_CHARS)}</bdi>;
    case "resolved":
      return entry.inNextRelease ? " in the next release" : <InRelease release={entry.release} />;
    case "regressed":
      return <InRelease release={entry.release} />;
    case "ignored":
      return <IgnoredUntil entry={entry} nowMs={nowMs} />;
    case "merged":
      return <code>{entry.from}</code>;
    case "split":
      return <code>{entry.digest}</code>;
    default:
      return null;
  }
}

/** ` in 1.4.0`, or nothing if the release is unknown. */
export function InRelease({ release }: { release: string | undefined }) {
  if (release === undefined) return null;
  return (
    <>
      {" "}
      in <bdi>{abbreviate(release, NAME_CHARS)}</bdi>
    </>
  );
}

function IgnoredUntil({
  entry: { untilMs, untilCount },
  nowMs,
}: {
  entry: Extract<ActivityEntry, { action: "ignored" }>;
  nowMs: number;
}) {
  return (
    <>
      {untilMs !== undefined && (
        <>
          {" "}
          until <UntilTime atMs={untilMs} nowMs={nowMs} />
        </>
      )}
      {untilCount !== undefined && ` until seen ${pluralize(untilCount, "time")}`}
    </>
  );
}

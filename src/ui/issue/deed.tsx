/** One line of an issue's activity in words: "Resolved in 1.4.0 by Ada". */
import type { ReactNode } from "react";
import type { Activity } from "../../core/notes.ts";
import { counted } from "../figure.tsx";
import { headOf } from "../long-text.tsx";
import { Until } from "../time.tsx";

const NAME_CHARS = 80;

const SAID: Readonly<Record<Activity["did"], string>> = {
  commented: "Comment",
  assigned: "Assigned to ",
  unassigned: "Unassigned",
  opened: "Reopened",
  muted: "Muted",
  resolved: "Resolved",
  ignored: "Ignored",
  regressed: "Returned",
  merged: "Took in ",
  split: "Split off ",
};

/** What was done, and by whom where somebody signed in. */
export function Deed({ done, nowMs }: { readonly done: Activity; readonly nowMs: number }) {
  return (
    <>
      {SAID[done.did]}
      {objectOf(done, nowMs)}
      {done.by !== undefined && (
        <>
          {" "}
          by <bdi>{headOf(done.by, NAME_CHARS)}</bdi>
        </>
      )}
    </>
  );
}

/** What stands behind the word. */
function objectOf(done: Activity, nowMs: number): ReactNode {
  switch (done.did) {
    case "assigned":
      return <bdi>{headOf(done.to, NAME_CHARS)}</bdi>;
    case "resolved":
      return done.inNext ? " in the next release" : <In release={done.release} />;
    case "regressed":
      return <In release={done.release} />;
    case "ignored":
      return <UntilWhen done={done} nowMs={nowMs} />;
    case "merged":
      return <code>{done.from}</code>;
    case "split":
      return <code>{done.off}</code>;
    default:
      return null;
  }
}

/** ` in 1.4.0`; nothing where no release is known. */
export function In({ release }: { release: string | undefined }) {
  if (release === undefined) return null;
  return (
    <>
      {" "}
      in <bdi>{headOf(release, NAME_CHARS)}</bdi>
    </>
  );
}

function UntilWhen({
  done: { untilMs, untilCount },
  nowMs,
}: {
  done: Extract<Activity, { did: "ignored" }>;
  nowMs: number;
}) {
  return (
    <>
      {untilMs !== undefined && (
        <>
          {" "}
          until <Until atMs={untilMs} nowMs={nowMs} />
        </>
      )}
      {untilCount !== undefined && ` until it has been seen ${counted(untilCount, "time")}`}
    </>
  );
}

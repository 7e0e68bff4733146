/** The progress of a job on the whole project. */
import { use } from "react";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";

/** Props. `startedJob` is the job that was just started from this page. */
interface JobProgressProps {
  readonly health: Promise<StoreHealth | null>;
  readonly startedJob?: string | undefined;
}

/** The running job with its progress, or the result of `startedJob`; otherwise nothing. */
export function JobProgress({ health: store, startedJob = "" }: JobProgressProps) {
  const health = use(store);
  if (health === null) return null;
  const { work } = health;
  const isKnownJob = Object.hasOwn(JOB_TEXTS, startedJob);
  if (work === undefined)
    return isKnownJob ? <p className="success">{JOB_TEXTS[startedJob]?.finished}</p> : null;
  const { running, unit } = JOB_TEXTS[work.job] ?? { running: "Working", unit: "key" };
  return (
    <p className="warning">
      <b>{running}:</b>{" "}
      {work.total > 0 && `${formatNumber(work.done)} of ${pluralize(work.total, unit)}, `}
      {work.phase === "" ? "starting" : `phase “${work.phase}”`}
      {work.jobs > 1 && `, then ${pluralize(work.jobs - 1, "more job")}`}. It continues in the
      background.{" "}
      <DeskLink href={isKnownJob ? `/status?startedJob=${startedJob}` : "/status"}>
        Refresh
      </DeskLink>
    </p>
  );
}

interface JobText {
  readonly running: string;
  readonly unit: string;
  readonly finished: string;
}

/** The texts by the name of the job in the store. */
const JOB_TEXTS: Readonly<Record<string, JobText>> = {
  rebuild: { running: "Rebuilding from KV", unit: "chunk", finished: "Rebuilt from KV." },
  "erase-issue": { running: "Erasing an issue", unit: "chunk", finished: "Issue erased." },
  "erase-text": {
    running: "Erasing personal data",
    unit: "chunk",
    finished: "Personal data erased.",
  },
  "preview-erasure": {
    running: "Previewing an erasure",
    unit: "chunk",
    finished: "The preview of the erasure is ready.",
  },
  "erase-sessions": { running: "Erasing sessions", unit: "chunk", finished: "Sessions erased." },
  "erase-project": { running: "Erasing everything", unit: "key", finished: "All data erased." },
};

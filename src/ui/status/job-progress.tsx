/** What goes on over the whole project, in words. */
import { use } from "react";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { pluralize } from "../parts/number.tsx";

/** What the sentence is made of. `begun` is the task that somebody has just begun here. */
export interface JobProgressProps {
  readonly health: Promise<StoreHealth | null>;
  readonly startedJob?: string | undefined;
}

/** The task under way and how far it is; that it is done; nothing when nobody has begun one. */
export function JobProgress({ health: store, startedJob = "" }: JobProgressProps) {
  const health = use(store);
  if (health === null) return null;
  const { work } = health;
  const isKnownJob = Object.hasOwn(JOB_TEXTS, startedJob);
  if (work === undefined) {
    return isKnownJob ? <p className="success">{JOB_TEXTS[startedJob]?.finished}</p> : null;
  }
  const { running, unit } = JOB_TEXTS[work.job] ?? { running: "At work", unit: "key" };
  return (
    <p className="warning">
      <b>{running}:</b>{" "}
      {work.steps === 0 ? "just begun, or nearly done" : `${pluralize(work.steps, unit)} to go`}
      {work.jobs > 1 && `, then ${pluralize(work.jobs - 1, "more task")}`}. It goes on by itself.{" "}
      <DeskLink href={isKnownJob ? `/status?startedJob=${startedJob}` : "/status"}>
        Look again
      </DeskLink>
    </p>
  );
}

interface JobText {
  readonly running: string;
  /** What it goes through. */
  readonly unit: string;
  readonly finished: string;
}

/** By the task's name in the store. */
const JOB_TEXTS: Readonly<Record<string, JobText>> = {
  rebuild: { running: "Rebuilding from KV", unit: "chunk", finished: "Rebuilt from KV." },
  "erase-issue": { running: "Erasing an issue", unit: "chunk", finished: "The issue is erased." },
  "erase-text": { running: "Erasing a person", unit: "chunk", finished: "The person is erased." },
  "erase-project": {
    running: "Erasing everything",
    unit: "key",
    finished: "Everything is erased.",
  },
};

/** What goes on over the whole project, in words. */
import { use } from "react";
import type { StoreHealth } from "../../core/store-health.ts";
import { counted } from "../figure.tsx";
import { A } from "../place.tsx";

/** What the sentence is made of. `begun` is the task that somebody has just begun here. */
export interface WorkProps {
  readonly store: Promise<StoreHealth | null>;
  readonly begun?: string | undefined;
}

/** The task under way and how far it is; that it is done; nothing when nobody has begun one. */
export function Work({ store, begun = "" }: WorkProps) {
  const health = use(store);
  if (health === null) return null;
  const { work } = health;
  const isNamed = Object.hasOwn(TASKS, begun);
  if (work === undefined) {
    return isNamed ? <p className="done">{TASKS[begun]?.done}</p> : null;
  }
  const { doing, over } = TASKS[work.task] ?? { doing: "At work", over: "key" };
  return (
    <p className="behind">
      <b>{doing}:</b>{" "}
      {work.stops === 0 ? "just begun, or nearly done" : `${counted(work.stops, over)} to go`}
      {work.tasks > 1 && `, then ${counted(work.tasks - 1, "more task")}`}. It goes on by itself.{" "}
      <A href={isNamed ? `/status?begun=${begun}` : "/status"}>Look again</A>
    </p>
  );
}

interface TaskWords {
  readonly doing: string;
  /** What it goes through. */
  readonly over: string;
  readonly done: string;
}

/** By the task's name in the store. */
const TASKS: Readonly<Record<string, TaskWords>> = {
  rebuild: { doing: "Rebuilding from KV", over: "chunk", done: "Rebuilt from KV." },
  "erase-issue": { doing: "Erasing an issue", over: "chunk", done: "The issue is erased." },
  "erase-text": { doing: "Erasing a person", over: "chunk", done: "The person is erased." },
  "erase-project": { doing: "Erasing everything", over: "key", done: "Everything is erased." },
};

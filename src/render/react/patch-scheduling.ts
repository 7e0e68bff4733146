/**
 * React's build for Bun renders only asynchronously: `renderToPipeableStream` queues a microtask
 * that renders, and a timer for what follows. This module replaces `queueMicrotask` and
 * `setTimeout` with functions that hand these two to the caller, who runs them at once, while
 * `collectTasks` runs. At all other times they call the originals.
 *
 * React has a `renderToString`, but in another build, which would be 30 kB of the Worker (gzip).
 */

/** A callback of `queueMicrotask` or `setTimeout`. */
type Task = () => void;

/** Null unless `collectTasks` runs. */
let tasks: Task[] | null = null;

const { queueMicrotask, setTimeout } = globalThis;

Object.assign(globalThis, {
  // React keeps the function that it finds when it is loaded.
  queueMicrotask(task: Task): void {
    if (tasks === null) queueMicrotask(task);
    else tasks.push(task);
  },
  // A timer would cost more than the markup of a part.
  setTimeout: (...args: Parameters<typeof setTimeout>) =>
    tasks === null ? setTimeout(...args) : tasks.push(args[0]),
});

/** True while `collectTasks` runs. */
export function isCollecting(): boolean {
  return tasks !== null;
}

/** The result of `schedule`, and the tasks that it scheduled, in order. They have not run. */
export function collectTasks<Result>(schedule: () => Result): readonly [Result, readonly Task[]] {
  const scheduled: Task[] = [];
  tasks = scheduled;
  try {
    return [schedule(), scheduled];
  } finally {
    tasks = null;
  }
}

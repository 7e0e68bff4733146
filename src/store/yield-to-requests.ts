/** Lets the requests that arrived during this turn of the event loop run before the caller. */
export function yieldToRequests(): Promise<void> {
  return scheduler.wait(0);
}

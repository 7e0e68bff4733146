/** The way of a WebSocket to the index, which tells it what is counted (`watchers.ts`). */
import type { Bindings } from "../env.ts";
import { type ObjectFacts, objectsOf } from "./objects.ts";

/** Ends every watch of a project, so that whoever looks on is let in anew, or not. Rejects while the index is away. */
export function createDismiss(
  bindings: Pick<Bindings, "PROJECT_INDEX" | "REPORT_LOG">,
  facts: ObjectFacts,
): () => Promise<void> {
  return async () => objectsOf(bindings, facts).index().dismissWatchers();
}

/** Answers a request for a WebSocket with one; rejects while the index is away. The address and headers of the request are ignored. */
export function createWatch(
  bindings: Pick<Bindings, "PROJECT_INDEX" | "REPORT_LOG">,
  facts: ObjectFacts,
): () => Promise<Response> {
  return () =>
    objectsOf(bindings, facts)
      .index()
      .fetch("https://index/", { headers: { Upgrade: "websocket" } });
}

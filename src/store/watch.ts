/** The way of a WebSocket to the index, which tells it what is counted (`watchers.ts`). */
import type { Bindings } from "../env.ts";
import { type ObjectFacts, objectsOf } from "./objects.ts";

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

/** The way of a WebSocket to the index, which tells it what is counted (`watchers.ts`). */
import type { Bindings } from "../../config.ts";
import { createStubs, type StubOptions } from "../rpc/stubs.ts";

/** Ends every watch of a project, so that whoever looks on is let in anew, or not. Rejects while the index is away. */
export function createLiveDisconnect(
  bindings: Pick<Bindings, "PROJECT_INDEX" | "REPORT_LOG">,
  options: StubOptions,
): () => Promise<void> {
  return async () => createStubs(bindings, options).index().dismissWatchers();
}

/** Answers a request for a WebSocket with one; rejects while the index is away. The address and headers of the request are ignored. */
export function createLiveConnect(
  bindings: Pick<Bindings, "PROJECT_INDEX" | "REPORT_LOG">,
  options: StubOptions,
): () => Promise<Response> {
  return () =>
    createStubs(bindings, options)
      .index()
      .fetch("https://index/", { headers: { Upgrade: "websocket" } });
}

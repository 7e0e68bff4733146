/** Connects live WebSockets to the index, which broadcasts applied reports (`live-sockets.ts`). */
import type { Bindings } from "../../bindings.ts";
import { createStubs, type StubOptions } from "../rpc/stubs.ts";

/**
 * Opens a WebSocket to the index, which closes it after `endsMs`. Rejects while the index is
 * unavailable.
 */
export function createLiveConnect(
  bindings: Pick<Bindings, "PROJECT_INDEX" | "REPORT_LOG">,
  options: StubOptions,
): (endsMs?: number) => Promise<Response> {
  const { index } = createStubs(bindings, options);
  // The index reads only the query of the URL.
  return (endsMs) =>
    index().fetch(`https://index/?endsMs=${endsMs ?? ""}`, { headers: { Upgrade: "websocket" } });
}

/** Closes every live WebSocket of a project. Rejects while the index is unavailable. */
export function createLiveDisconnect(
  bindings: Pick<Bindings, "PROJECT_INDEX" | "REPORT_LOG">,
  options: StubOptions,
): () => Promise<void> {
  const { index } = createStubs(bindings, options);
  return async () => index().closeLiveSockets();
}

/**
 * `GET /api/v1/live` with `Accept: text/event-stream`: reports as they arrive, as server-sent
 * events. Source: HTML Living Standard, section 9.2 Server-sent events. The events come through a
 * live WebSocket of the index, so a stream ends when access is revoked, like a live page. Clients
 * reconnect with `Last-Event-ID`, which authorizes them again.
 */

import { toHex } from "../../core/hex.ts";
import type { LiveEvent } from "../../core/issue/live-event.ts";
import type { AppContext } from "../context.ts";
import { toProblemResponse } from "../failure-response.ts";
import { RATE_LIMITED } from "../failures.ts";
import { awaitOrNull } from "../unavailable.ts";

/** A comment in this interval keeps proxies from closing the connection. */
const HEARTBEAT_MS = 15_000;
/** A stream ends after ten minutes. */
const MAX_HEARTBEATS = 40;
/** How long clients wait before they reconnect. */
const RETRY_MS = 3_000;
/** Bytes that wait for a slow client. Above, the stream ends, and the client can resume it. */
const MAX_WAITING_BYTES = 256 * 1024;
const HOLDER_CHARS = 16;

/** An event to send. `id` is that of the report. */
export interface StreamedReport {
  readonly id: string;
  readonly value: unknown;
}

/** True for a request that asks for a stream. */
export function acceptsEvents(request: Request): boolean {
  const accept = request.headers.get("accept") ?? "";
  return request.method === "GET" && /(?:^|,)\s*text\/event-stream\b/i.test(accept);
}

/**
 * The stream: first the reports that the list has after `Last-Event-ID`, then each new one, oldest
 * first. `select` returns those of some events that the caller asked for, newest first, as it may
 * read them. 429 if the caller has too many streams, 503 while the index is unavailable.
 */
export async function streamLiveReports(
  c: AppContext,
  holder: string,
  select: (newestFirst: readonly LiveEvent[], after?: string) => readonly StreamedReport[],
): Promise<Response> {
  const { connectLiveSocket, projectStore, sha256, nowMs } = c.get("services");
  const { endsMs = Number.POSITIVE_INFINITY } = c.get("principal");
  const name = toHex(sha256(holder)).slice(0, HOLDER_CHARS);
  const opened = await awaitOrNull(c, connectLiveSocket(c.get("principal").endsMs, name));
  if (opened?.status === 429) return toProblemResponse(RATE_LIMITED);
  const socket = opened?.webSocket ?? null;
  if (socket === null) return toProblemResponse({ reason: "index-unavailable" });

  // Those that arrive before the list may be in it too.
  const early: LiveEvent[] = [];
  let send = (events: readonly LiveEvent[]) => {
    early.push(...events);
  };
  const ended = new AbortController();
  socket.addEventListener("message", ({ data }) => send(JSON.parse(String(data))));
  for (const end of ["close", "error"] as const) socket.addEventListener(end, () => ended.abort());
  socket.accept();
  const listed = await awaitOrNull(c, projectStore.listLiveEvents());
  if (listed === null) {
    socket.close();
    return toProblemResponse({ reason: "index-unavailable" });
  }

  const encoder = new TextEncoder();
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string) => {
          if (ended.signal.aborted) return;
          controller.enqueue(encoder.encode(text));
          if ((controller.desiredSize ?? 0) < 0) ended.abort();
        };
        ended.signal.addEventListener("abort", () => {
          socket.close();
          if (!isCancelled) controller.close();
        });
        const writeReports = (reports: readonly StreamedReport[]) => {
          for (const { id, value } of reports.toReversed())
            write(`id: ${id}\nevent: report\ndata: ${JSON.stringify(value)}\n\n`);
        };
        write(`retry: ${RETRY_MS}\n\n`);
        writeReports(select(listed, c.req.header("last-event-id")));
        const known = new Set(listed.map(({ id }) => id));
        send = (events) => writeReports(select(events.toReversed()));
        send(early.filter(({ id }) => !known.has(id)));
        void beat();

        async function beat(): Promise<void> {
          for (let beats = 0; beats < MAX_HEARTBEATS && nowMs() < endsMs; beats++) {
            await scheduler.wait(HEARTBEAT_MS, { signal: ended.signal }).catch(() => undefined);
            if (ended.signal.aborted) return;
            write(":\n\n");
          }
          ended.abort();
        }
      },
      cancel() {
        isCancelled = true;
        ended.abort();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
  );
  // Compression would hold events back.
  const headers = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store, no-transform",
  };
  return new Response(body, { headers });
}

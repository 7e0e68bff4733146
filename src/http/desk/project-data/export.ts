/**
 * `GET /export`: a project's data as NDJSON, read from the store only as fast as the client reads.
 */

import { isUtcDay, toUtcDay } from "../../../core/utc-time.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failure-response.ts";
import { getExportSource } from "./export-source.ts";

/** The pieces of the body, as the stream reads them. */
type PieceIterator = AsyncIterator<Uint8Array, unknown>;

/**
 * Exports everything, or with `?day=2026-11-21` the reports of that UTC day and all triage. 400 for
 * an invalid `day` or `cursor`, 503 while the store is unavailable. A later failure aborts the
 * body. An export is complete if its last line is `{"end":1,"lines":…}`. If it is
 * `{"next":"…","lines":…}`, a request with that `cursor` continues, because one request reads a
 * limited number of chunks.
 */
export async function exportProject(c: AppContext): Promise<Response> {
  const { config, projectAdmin, nowMs, logProblem } = c.get("services");
  const { day, cursor = "" } = c.req.query();
  if (day !== undefined && !isUtcDay(day)) return toFailureResponse({ reason: "bad-day" });
  if (cursor !== "" && !isExportCursor(cursor)) return toFailureResponse({ reason: "bad-cursor" });
  try {
    const source = await getExportSource(c);
    const options = { day, cursor: cursor === "" ? undefined : cursor, source };
    const pieces = projectAdmin.readExport(options)[Symbol.asyncIterator]();
    // The first piece needs no read. The second proves that the store responds, before the status
    // is sent.
    const firstPieces = [await pieces.next(), await pieces.next()].flatMap((result) =>
      result.done ? [] : result.value,
    );
    const name = day === undefined ? toUtcDay(nowMs()) : `day-${day}`;
    return new Response(toStream(pieces, firstPieces, logProblem), {
      headers: {
        "Content-Type": "application/x-ndjson; charset=utf-8",
        "Content-Disposition": `attachment; filename="errata-${config.project}-${name}.ndjson"`,
      },
    });
  } catch (cause) {
    logProblem(cause);
    return toFailureResponse({ reason: "index-unavailable" });
  }
}

/** A stream of `firstPieces` and the pieces after them, read on demand. */
function toStream(
  pieces: PieceIterator,
  firstPieces: readonly Uint8Array[],
  logProblem: (cause: unknown) => void,
): ReadableStream<Uint8Array> {
  const waiting = [...firstPieces];
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const first = waiting.shift();
          const next = first === undefined ? await pieces.next() : { done: false, value: first };
          if (next.done) controller.close();
          else controller.enqueue(next.value as Uint8Array);
        } catch (cause) {
          logProblem(cause);
          controller.error(cause);
        }
      },
      async cancel() {
        await pieces.return?.();
      },
    },
    // Reads nothing before the client needs it.
    { highWaterMark: 0 },
  );
}

/**
 * The cursor of an export, `0.281999.2026112117,1.282000.end`: for each shard the last exported
 * chunk, and the hour of the next one.
 */
const SHARD_PATTERN = /^[0-9a-z-]{1,32}\.\d{1,15}\.(\d{1,10}|end)$/;
const MAX_SHARDS = 256;

/** True for the `next` of an export. */
function isExportCursor(text: string): boolean {
  const shards = text.split(",");
  return shards.length <= MAX_SHARDS && shards.every((one) => SHARD_PATTERN.test(one));
}

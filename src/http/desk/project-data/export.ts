/**
 * `GET /export`: a project's data as NDJSON, read from the store only as fast as the client reads.
 */

import { toUtcDay } from "../../../core/issue/aggregate-report.ts";
import { isUtcDay } from "../../../core/utc-day.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failures.ts";

/** Size of a piece: a line has about 4 KB, and each piece costs a turn of the event loop. */
const CHARS_PER_CHUNK = 64 * 1024;

/** The lines, as the stream reads them. */
type LineIterator = AsyncIterator<string, unknown>;

/**
 * Exports everything, or with `?day=2026-11-21` the reports of that UTC day. 400 for an invalid
 * `day`, 503 while the store is unavailable. A later failure aborts the body: an export is complete
 * if its last line is `{"end":1,"lines":…}`.
 */
export async function exportProject(c: AppContext): Promise<Response> {
  const { config, projectAdmin, nowMs, logProblem } = c.get("services");
  const day = c.req.query("day");
  if (day !== undefined && !isUtcDay(day)) return toFailureResponse({ reason: "bad-day" });
  const lines = projectAdmin.exportLines(day)[Symbol.asyncIterator]();
  try {
    // The first line needs no read. The second proves that the store responds, before the status is
    // sent.
    const firstLines = [await lines.next(), await lines.next()].flatMap((result) =>
      result.done ? [] : result.value,
    );
    const name = day === undefined ? toUtcDay(nowMs()) : `day-${day}`;
    return new Response(toStream(lines, firstLines, logProblem), {
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

/** A stream of `firstLines` and the lines after them, read on demand. */
function toStream(
  lines: LineIterator,
  firstLines: readonly string[],
  logProblem: (cause: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let text = firstLines.map((line) => `${line}\n`).join("");
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          let isDone = false;
          while (!isDone && text.length < CHARS_PER_CHUNK) {
            const next = await lines.next();
            isDone = next.done === true;
            if (!next.done) text += `${next.value}\n`;
          }
          if (text !== "") controller.enqueue(encoder.encode(text));
          text = "";
          if (isDone) controller.close();
        } catch (cause) {
          logProblem(cause);
          controller.error(cause);
        }
      },
      async cancel() {
        await lines.return?.();
      },
    },
    // Reads nothing ahead of the client.
    { highWaterMark: 0 },
  );
}

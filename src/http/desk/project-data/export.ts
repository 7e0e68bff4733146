/**
 * `GET /export`: everything that a project keeps, as NDJSON. It is read from the store as fast as it is taken, and not faster; who
 * goes away ends it.
 */

import { toUtcDay } from "../../../core/issue/aggregate-report.ts";
import { isUtcDay } from "../../../core/utc-day.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failures.ts";

/** What is handed over at a time: a line is some 4 KB, and each piece costs a turn. */
const CHARS_PER_CHUNK = 64 * 1024;

/** What the stream needs of the lines. */
type LineIterator = AsyncIterator<string, unknown>;

/**
 * All of it, or with `?day=2026-11-21` what came on that UTC day. 400 for another `day`, 503 while the store does not answer. Should
 * it fail later the body breaks off: an export is whole when its last line is `{"end":1,"lines":…}`.
 */
export async function exportProject(c: AppContext): Promise<Response> {
  const { config, projectAdmin, nowMs, logProblem } = c.get("services");
  const day = c.req.query("day");
  if (day !== undefined && !isUtcDay(day)) return toFailureResponse({ reason: "bad-day" });
  const lines = projectAdmin.exportLines(day)[Symbol.asyncIterator]();
  try {
    // The first line costs nothing. With the second one the store has answered, and the status may say so.
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

/** The lines that are `begun`, and those that follow: asked for when somebody reads, a piece at a time. */
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
    // Nothing is read ahead of who takes it.
    { highWaterMark: 0 },
  );
}

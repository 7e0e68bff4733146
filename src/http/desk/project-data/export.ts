/**
 * `GET /export`: a project's data as NDJSON, read from the store only as fast as the client reads.
 */

import { isUtcDay, toUtcDay } from "../../../core/utc-time.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failure-response.ts";
import { getExportSource } from "./export-source.ts";

/**
 * Exports everything, or with `?day=2026-11-21` the reports of that UTC day and all triage. 400 for
 * an invalid `day` or `cursor`, 503 while the store is unavailable. A later failure aborts the
 * body. An export is complete if its last line is `{"end":1,"lines":…}`. If it is
 * `{"next":"…","lines":…}`, a request with that `cursor` continues, because one request reads a
 * limited number of chunks.
 */
export async function exportProject(c: AppContext): Promise<Response> {
  const services = c.get("services");
  const { config, projectAdmin, nowMs, logProblem } = services;
  const { day, cursor = "" } = c.req.query();
  if (day !== undefined && !isUtcDay(day)) return toFailureResponse({ reason: "bad-day" });
  if (cursor !== "" && !isExportCursor(cursor)) return toFailureResponse({ reason: "bad-cursor" });
  try {
    const source = await getExportSource(services, c.get("project"));
    const options = { day, cursor: cursor === "" ? undefined : cursor, source };
    const pieces = projectAdmin.readExport(options);
    // The first piece needs no read. The second proves that the store responds, before the status
    // is sent.
    const first = [await pieces.next(), await pieces.next()];
    const name = day === undefined ? toUtcDay(nowMs()) : `day-${day}`;
    return new Response(toStream(first, pieces, logProblem), {
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

/** A stream of the `first` results and those after them, read on demand. */
function toStream(
  first: IteratorResult<Uint8Array>[],
  pieces: AsyncGenerator<Uint8Array>,
  logProblem: (cause: unknown) => void,
): ReadableStream<Uint8Array> {
  const next = async () => {
    try {
      return first.shift() ?? (await pieces.next());
    } catch (cause) {
      logProblem(cause);
      throw cause;
    }
  };
  const all = { next, return: () => pieces.return(undefined) };
  return Streams.from({ [Symbol.asyncIterator]: () => all });
}

/** Not in the types of the platform. The stream reads nothing before the client needs it. */
const Streams = ReadableStream as unknown as {
  from<T>(pieces: AsyncIterable<T>): ReadableStream<T>;
};

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

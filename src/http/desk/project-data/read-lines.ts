/** Reads a body line by line, holding only one line and the last piece read. */
import { fail, ok, type Result } from "../../../core/result.ts";
import { growBuffer } from "../../read-body.ts";

/** Why reading ended early. */
type LineFailure = { readonly reason: "line-too-long" } | { readonly reason: "truncated-body" };

const LINE_FEED = 0x0a;

/**
 * Yields each line of at most `maxBytes` bytes without its line feed. Ends after a failure: a
 * longer line, or a failing stream. A line may be a view of bytes that the next one overwrites. If
 * the caller stops, the rest of the body is read and discarded, because clients do not read a
 * response while they send.
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Result<Uint8Array, LineFailure>> {
  const reader = stream.getReader();
  const partialLine = new PartialLine(maxBytes);
  try {
    for (;;) {
      const read = await reader.read().catch(() => undefined);
      if (read === undefined) return yield fail({ reason: "truncated-body" });
      if (read.done) break;
      let from = 0;
      for (let end = 0; end >= 0; from = end + 1) {
        end = read.value.indexOf(LINE_FEED, from);
        const part = read.value.subarray(from, end < 0 ? undefined : end);
        if (!partialLine.canFit(part)) return yield fail({ reason: "line-too-long" });
        if (end < 0) {
          partialLine.append(part);
          break;
        }
        yield ok(partialLine.finish(part));
      }
    }
    const last = partialLine.finish(new Uint8Array());
    if (last.length > 0) yield ok(last);
  } finally {
    while (!(await reader.read().catch(() => ({ done: true }))).done);
  }
}

/** An incomplete line. Its bytes are copied, because a body may arrive byte by byte. */
class PartialLine {
  readonly #maxBytes: number;
  #bytes = new Uint8Array();
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  canFit(part: Uint8Array): boolean {
    return this.#length + part.length <= this.#maxBytes;
  }

  append(part: Uint8Array): void {
    this.#bytes = growBuffer(this.#bytes, this.#length, part.length);
    this.#bytes.set(part, this.#length);
    this.#length += part.length;
  }

  /** Returns the line that ends with `part`, and resets. */
  finish(part: Uint8Array): Uint8Array {
    if (this.#length === 0) return part;
    this.append(part);
    const line = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return line;
  }
}

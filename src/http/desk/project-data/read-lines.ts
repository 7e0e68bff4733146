/**
 * A body line by line while it comes, so that no more of it is held than one line and what was read last. A line that is too
 * long is not held either.
 */
import { fail, ok, type Result } from "../../../core/result.ts";
import { growBuffer } from "../../read-body.ts";

/** Why there are no further lines. */
export type LineFailure =
  | { readonly reason: "line-too-long" }
  | { readonly reason: "truncated-body" };

const LINE_FEED = 0x0a;

/**
 * Each line without its end, the last one also where it has none; of at most `maxBytes` bytes. Ends after a failure: a longer
 * line, or a stream that fails. A line may be a view of bytes that the next one overwrites. What nobody reads on is taken all
 * the same, and dropped: a client that is still sending hears no answer.
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

/** A line of which the end has not come: its bytes are copied, because a body may come byte by byte. */
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

  /** The line that ends with this part; what was begun is empty then. */
  finish(part: Uint8Array): Uint8Array {
    if (this.#length === 0) return part;
    this.append(part);
    const line = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return line;
  }
}

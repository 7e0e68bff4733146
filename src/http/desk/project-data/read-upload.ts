/** Reads the file of an import form line by line: a form whose only field is the file. */
import type { Result } from "../../../core/result.ts";

/** The boundary of a `multipart/form-data` body (RFC 2046 § 5.1.1); undefined for other bodies. */
export function parseBoundary({ headers }: Pick<Request, "headers">): string | undefined {
  const type = headers.get("content-type") ?? "";
  return /^multipart\/form-data;.*\bboundary="?([^";]{1,70})/i.exec(type)?.[1];
}

/**
 * Yields the lines of the file: those after the part's headers and before the next boundary. No
 * line of an export begins like a boundary. Yields failures too.
 */
export async function* readUploadedLines<Failure extends { readonly reason: string }>(
  lines: AsyncIterable<Result<Uint8Array, Failure>>,
  boundary: string,
): AsyncGenerator<Result<Uint8Array, Failure>> {
  const delimiter = `--${boundary}`;
  const decoder = new TextDecoder();
  let isInFile = false;
  for await (const read of lines) {
    if (!isInFile && read.ok) {
      // The blank line after the headers; its line feed is not part of it.
      isInFile = read.value.length <= 1;
      continue;
    }
    const isEnd = read.ok && decoder.decode(read.value.subarray(0, delimiter.length)) === delimiter;
    if (isEnd) return;
    yield read;
  }
}

/** Report ids as a chunk's catalogue has them: 16 bytes each, in the order of the chunk's lines. */
import { Buffer } from "node:buffer";
import type { ReportId } from "../../core/report.ts";

const ID_BYTES = 16;

/** What stands in the place of a line without an id. No report has it: a sender's id of zeros is none. */
export const NO_ID = "0".repeat(32);

/** What else stands in a line of the record has no place of its own, and takes nobody's. */
const ID_PATTERN = /^[0-9a-f]{32}$/;

/** The ids one behind the other; what is none has the place of `NO_ID`. */
export function packIds(ids: readonly ReportId[]): ArrayBuffer {
  // Of its own size: a small `Buffer` is a part of a larger one, which would be stored whole.
  const bytes = new Uint8Array(ids.length * ID_BYTES);
  bytes.set(Buffer.from(ids.map((id) => (ID_PATTERN.test(id) ? id : NO_ID)).join(""), "hex"));
  return bytes.buffer;
}

const ID_AT_LINE_BYTES = 4 + ID_BYTES;

/** An id that has no line of its own, and the line that counts it. */
export interface IdAtLine {
  readonly id: ReportId;
  readonly line: number;
}

/** Ids of lines that stand for many: four bytes of the line's number, then the id. */
export function packIdsAtLines(idsAtLines: readonly IdAtLine[]): ArrayBuffer {
  const ids = new Uint8Array(packIds(idsAtLines.map(({ id }) => id)));
  const bytes = new Uint8Array(idsAtLines.length * ID_AT_LINE_BYTES);
  const view = new DataView(bytes.buffer);
  idsAtLines.forEach(({ line }, n) => {
    view.setUint32(n * ID_AT_LINE_BYTES, line);
    bytes.set(ids.subarray(n * ID_BYTES, (n + 1) * ID_BYTES), n * ID_AT_LINE_BYTES + 4);
  });
  return bytes.buffer;
}

/** The placed ids again, in their order. */
export function* unpackIdsAtLines(packed: ArrayBuffer): Generator<IdAtLine> {
  const view = new DataView(packed);
  for (let at = 0; at + ID_AT_LINE_BYTES <= packed.byteLength; at += ID_AT_LINE_BYTES) {
    const [id = ""] = unpackIds(packed.slice(at + 4, at + ID_AT_LINE_BYTES));
    yield { id, line: view.getUint32(at) };
  }
}

/** The ids as hex again, in the same order: the index of one is its line. */
export function unpackIds(packed: ArrayBuffer): readonly ReportId[] {
  return Buffer.from(packed).toString("hex").match(/.{32}/g) ?? [];
}

/** Report ids as the catalog stores them: 16 bytes each, in the order of the chunk's lines. */
import { Buffer } from "node:buffer";
import type { ReportId } from "../../core/report.ts";

const ID_BYTES = 16;

/** Represents a line without an id. No report has it: ingest ignores an id of zeros. */
export const NO_ID = "0".repeat(32);

const ID_PATTERN = /^[0-9a-f]{32}$/;

/** Packs ids in order. A value that is not an id becomes `NO_ID`. */
export function packIds(ids: readonly ReportId[]): ArrayBuffer {
  // Not a `Buffer`: a small one is a view of a larger pool, which would be stored as a whole.
  const bytes = new Uint8Array(ids.length * ID_BYTES);
  bytes.set(Buffer.from(ids.map((id) => (ID_PATTERN.test(id) ? id : NO_ID)).join(""), "hex"));
  return bytes.buffer;
}

/** Bytes of one id with its line. */
export const ID_AT_LINE_BYTES = 4 + ID_BYTES;

/** An id that has no line, and the line that counts it. */
export interface IdAtLine {
  readonly id: ReportId;
  readonly line: number;
}

/** Packs ids with their lines: four bytes of line number, then the id. */
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

/** Unpacks ids with their lines, in order. */
export function* unpackIdsAtLines(packed: ArrayBuffer): Generator<IdAtLine> {
  const view = new DataView(packed);
  const hex = Buffer.from(packed).toString("hex");
  for (let at = 0; at + ID_AT_LINE_BYTES <= packed.byteLength; at += ID_AT_LINE_BYTES) {
    const id = hex.slice(2 * at + 8, 2 * (at + ID_AT_LINE_BYTES));
    yield { id, line: view.getUint32(at) };
  }
}

/** Unpacks ids as hex, in order: the index of an id is its line. */
export function unpackIds(packed: ArrayBuffer): readonly ReportId[] {
  return Buffer.from(packed).toString("hex").match(/.{32}/g) ?? [];
}

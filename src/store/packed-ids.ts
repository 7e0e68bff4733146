/** Report ids as a chunk's catalogue has them: 16 bytes each, in the order of the chunk's lines. */
import type { ReportId } from "../core/report.ts";

const ID_BYTES = 16;

/** What stands in the place of a line without an id. No report has it: a sender's id of zeros is none. */
export const NO_ID = "0".repeat(32);

/** The ids one behind the other. */
export function packIds(ids: readonly ReportId[]): ArrayBuffer {
  const bytes = new Uint8Array(ids.length * ID_BYTES);
  ids.forEach((id, n) => {
    for (let i = 0; i < ID_BYTES; i++) {
      bytes[n * ID_BYTES + i] = Number.parseInt(id.slice(i * 2, i * 2 + 2), 16);
    }
  });
  return bytes.buffer;
}

/** The ids as hex again, in the same order: the index of one is its line. */
export function unpackIds(packed: ArrayBuffer): readonly ReportId[] {
  const hex = [...new Uint8Array(packed)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return hex.match(/.{32}/g) ?? [];
}

/** Report ids as a chunk's catalogue has them: 16 bytes each, in the order of the chunk's lines. */

import { hexOf } from "../core/hex.ts";
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

const PLACED_BYTES = 4 + ID_BYTES;

/** An id that has no line of its own, and the line that counts it. */
export interface PlacedId {
  readonly id: ReportId;
  readonly line: number;
}

/** Ids of lines that stand for many: four bytes of the line's number, then the id. */
export function packPlaced(placed: readonly PlacedId[]): ArrayBuffer {
  const bytes = new Uint8Array(placed.length * PLACED_BYTES);
  const view = new DataView(bytes.buffer);
  placed.forEach(({ id, line }, n) => {
    view.setUint32(n * PLACED_BYTES, line);
    bytes.set(new Uint8Array(packIds([id])), n * PLACED_BYTES + 4);
  });
  return bytes.buffer;
}

/** The placed ids again, in their order. */
export function* unpackPlaced(packed: ArrayBuffer): Generator<PlacedId> {
  const view = new DataView(packed);
  for (let at = 0; at + PLACED_BYTES <= packed.byteLength; at += PLACED_BYTES) {
    const [id = ""] = unpackIds(packed.slice(at + 4, at + PLACED_BYTES));
    yield { id, line: view.getUint32(at) };
  }
}

/** The ids as hex again, in the same order: the index of one is its line. */
export function unpackIds(packed: ArrayBuffer): readonly ReportId[] {
  return hexOf(new Uint8Array(packed)).match(/.{32}/g) ?? [];
}

/** SQLite table of one file that is being read, such as a large decompressed map. Synchronous. */
import type { ByteRange } from "../../../core/symbolication/codec.ts";
import { openParts } from "./part-range.ts";

/** Parts of one file. */
export interface Scratch {
  readonly add: (part: Uint8Array) => void;
  /** The parts one after another. */
  readonly open: () => ByteRange;
  readonly clear: () => void;
}

/** Empties the table first: an evicted object may have left a file in it. */
export function createScratchTable({ sql }: DurableObjectStorage): Scratch {
  const sizes: number[] = [];
  const clear = () => {
    sizes.length = 0;
    sql.exec("DELETE FROM scratch");
  };
  clear();
  return {
    add(part) {
      sql.exec("INSERT INTO scratch(n, bytes) VALUES (?, ?)", sizes.length, part);
      sizes.push(part.length);
    },
    open: () =>
      openParts([...sizes], (n) => {
        const query = "SELECT bytes FROM scratch WHERE n = ?";
        return new Uint8Array(sql.exec<{ bytes: ArrayBuffer }>(query, n).one().bytes);
      }),
    clear,
  };
}

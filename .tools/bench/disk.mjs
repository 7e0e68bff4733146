// How long the disk itself takes to keep something: what an acknowledgement waits for, whatever the product does.

import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A commit of one event is a few pages of SQLite's log. */
const BYTES = 8_192;

/** A file in `folder` to be written to. @param {string} folder */
export function openDisk(folder) {
  const file = openSync(join(folder, "disk"), "w");
  const block = new Uint8Array(BYTES);
  return {
    /** Writes with an `fsync`; gives how long that took, in ms. */
    write() {
      const beganMs = performance.now();
      writeSync(file, block);
      fsyncSync(file);
      return performance.now() - beganMs;
    },
    close() {
      closeSync(file);
    },
  };
}

// Counts the rows that Durable Objects read and write.

import { toMachineMs } from "./clock.ts";
import { counters, countStatement } from "./counters.ts";

interface Rows {
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

/** The wrapped part of the storage of a Durable Object. */
export interface Storage {
  readonly sql: { exec(sql: string, ...values: unknown[]): Rows };
  setAlarm(time: number | Date, ...options: unknown[]): unknown;
  deleteAlarm(...options: unknown[]): unknown;
}

let isCounting = false;

/** Wraps the prototypes of the storage, once in an isolate. */
export function countRows(storage: Storage): void {
  if (isCounting) return;
  isCounting = true;
  const sql: Storage["sql"] = Object.getPrototypeOf(storage.sql);
  const { exec } = sql;
  sql.exec = function (this: Storage["sql"], text, ...values) {
    const cursor = exec.call(this, text, ...values);
    const statement = countStatement(text);
    // A cursor counts its rows while they are read, which ends with this turn.
    queueMicrotask(() => {
      for (const sum of [counters, statement]) {
        sum.rowsRead += cursor.rowsRead;
        sum.rowsWritten += cursor.rowsWritten;
      }
    });
    return cursor;
  };
  const timed: Storage = Object.getPrototypeOf(storage);
  const { setAlarm, deleteAlarm } = timed;
  timed.setAlarm = function (this: Storage, time, ...options) {
    counters.rowsWritten += 1;
    return setAlarm.call(this, toMachineMs(Number(time)), ...options);
  };
  timed.deleteAlarm = function (this: Storage, ...options) {
    counters.rowsWritten += 1;
    return deleteAlarm.apply(this, options);
  };
}

/**
 * Counts the rows that an object writes, as Cloudflare bills them: those of SQLite's cursors, which
 * include its indexes, and one for each alarm that is set.
 */

/** The meter of one object. Only writes through `storage` count. */
export class RowMeter {
  /** The storage of the object. */
  readonly storage: DurableObjectStorage;
  #rows = 0;

  constructor(storage: DurableObjectStorage) {
    const { sql } = storage;
    const exec: SqlStorage["exec"] = (query, ...bindings) => {
      const cursor = sql.exec(query, ...bindings);
      this.#rows += cursor.rowsWritten;
      // The cursor has rows of the type that the caller states.
      return cursor as never;
    };
    const setAlarm: DurableObjectStorage["setAlarm"] = (at, options) => {
      this.#rows += 1;
      return storage.setAlarm(at, options);
    };
    this.storage = override(storage, { sql: override(sql, { exec }), setAlarm });
  }

  /** The rows so far, including those of transactions that were rolled back. */
  get rows(): number {
    return this.#rows;
  }
}

/** `target` with other members. Methods of the platform need it as their `this`. */
function override<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const source = Object.hasOwn(members, name) ? members : target;
      const value: unknown = Reflect.get(source, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

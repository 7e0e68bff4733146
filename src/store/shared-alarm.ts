/**
 * The alarm of the object, which its parts share. It is set for the earliest time that any of them
 * asked for, and each of them asks again when it fires. Setting an alarm is billed as a row.
 */

/** An alarm that should have fired this long ago is set again. */
const OVERDUE_MS = 30_000;

export class SharedAlarm {
  readonly #storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">;
  readonly #nowMs: () => number;
  /** Undefined until it is read from the storage, `Infinity` if there is none. */
  #atMs: number | undefined;

  constructor(storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">, nowMs: () => number) {
    this.#storage = storage;
    this.#nowMs = nowMs;
  }

  /** Sets the alarm for `atMs`, unless it fires earlier. */
  async setBy(atMs: number): Promise<void> {
    if (this.#atMs === undefined) {
      const storedMs = (await this.#storage.getAlarm()) ?? Infinity;
      this.#atMs ??= storedMs;
    }
    if (this.#atMs <= atMs && this.#atMs > this.#nowMs() - OVERDUE_MS) return;
    this.#atMs = atMs;
    await this.#storage.setAlarm(atMs);
  }

  /** Call first when the alarm fires. Returns the time that it was set for, or now if later. */
  onFired(): number {
    const dueMs = Math.max(this.#nowMs(), this.#atMs ?? 0);
    this.#atMs = Infinity;
    return dueMs === Infinity ? this.#nowMs() : dueMs;
  }
}

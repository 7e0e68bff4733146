/**
 * The alarm of the object, which its parts share. It is set to the earliest requested time; when it
 * fires, each part requests its next time. Setting an alarm is billed as a row.
 */

/** An alarm that is this late is set again. */
const OVERDUE_MS = 30_000;

export class SharedAlarm {
  readonly #storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">;
  readonly #nowMs: () => number;
  /** Undefined until it is read from the storage, `Infinity` without an alarm. */
  #atMs: number | undefined;

  constructor(storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">, nowMs: () => number) {
    this.#storage = storage;
    this.#nowMs = nowMs;
  }

  /** Sets the alarm to `atMs`, unless it fires earlier. */
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

/** The audit log: who changed what, and when. */

/** One permitted change or sign-in. */
export interface AuditEntry {
  /** Increases with every entry. */
  readonly sequence: number;
  readonly atMs: number;
  /** Display name of the person; absent for local access and for sign-ins. */
  readonly by?: string;
  /** The id of that person or token. Names can change and need not be unique. */
  readonly byId?: string;
  /**
   * The operation (`issues.decide`), the change of the registry (`rotate-key`), or method and route
   * (`POST /import`).
   */
  readonly action: string;
  /** The changed thing: a name, or digests separated by spaces. */
  readonly subject?: string;
  /** The change, after the name of the person: "archived FVR4-JGF0". */
  readonly details?: string;
  /**
   * How an operation ended: `done`, `nothing-changed`, the reason why it was not done, or `started`
   * if that is unknown. Absent for entries that have no outcome.
   */
  readonly outcome?: string;
}

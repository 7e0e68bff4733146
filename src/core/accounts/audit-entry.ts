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
  /** The change, such as `rotate-key`, or method and route: `POST /d/:digest/state`. */
  readonly action: string;
  /** The name or digest of what was changed. */
  readonly subject?: string;
  /** The change, after the name of the person: "muted FVR4-JGF0". */
  readonly details?: string;
}
